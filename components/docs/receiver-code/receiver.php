<?php

function is_from_almanac(string $body, string $header): bool
{
    if (!preg_match('/^t=(\d{1,12}),v1=([0-9a-f]{64})$/D', $header, $found)) {
        return false;
    }
    [, $sent_at, $signature] = $found;
    if (abs(time() - (int) $sent_at) > 300) {
        return false;
    }
    $expected = hash_hmac('sha256', "$sent_at.$body", getenv('SIGNING_SECRET'));
    return hash_equals($expected, $signature);
}

$body = file_get_contents('php://input');
$is_valid = is_from_almanac($body, $_SERVER['HTTP_SVC_SIGNATURE'] ?? '');
http_response_code($is_valid ? 204 : 400);
file_put_contents('php://stdout', ($is_valid ? "verified $body" : 'rejected') . "\n");
