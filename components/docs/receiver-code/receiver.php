<?php

function fault_of(string $body, string $header): ?string
{
    if (!preg_match('/^t=(\d{1,12}),v1=([0-9a-f]{64})$/D', $header, $found)) {
        return 'no signature';
    }
    [, $sent_at, $signature] = $found;
    if (abs(time() - (int) $sent_at) > 300) {
        return 'signed more than 5 minutes ago';
    }
    $expected = hash_hmac('sha256', "$sent_at.$body", getenv('SIGNING_SECRET'));
    return hash_equals($expected, $signature) ? null : 'signed for another channel';
}

$body = file_get_contents('php://input');
$fault = fault_of($body, $_SERVER['HTTP_SVC_SIGNATURE'] ?? '');
http_response_code($fault ? 400 : 204);
file_put_contents('php://stdout', ($fault ? "rejected: $fault" : "verified $body") . "\n");
