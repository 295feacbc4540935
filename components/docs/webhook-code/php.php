<?php

declare(strict_types=1);

const TOLERANCE_SECONDS = 5 * 60;

/**
 * Returns true if Almanac sent this body. $body is the raw bytes, before any JSON parsing;
 * $signature is the header Svc-Signature.
 */
function verify(string $body, string $signature, string $signingSecret): bool
{
    if (!preg_match('/^t=(\d{1,12}),v1=([0-9a-f]{64})$/D', $signature, $found)) {
        return false;
    }
    [, $sentAt, $v1] = $found;
    if (abs(time() - (int) $sentAt) > TOLERANCE_SECONDS) {
        return false;
    }
    return hash_equals(hash_hmac('sha256', "$sentAt.$body", $signingSecret), $v1);
}
