<?php

const TOLERANCE_SECONDS = 300;

/** Whether a webhook comes from the service; $rawBody must be the bytes as received: file_get_contents('php://input'). */
function verify_webhook(string $rawBody, string $signature, string $secret, ?int $nowSeconds = null): bool
{
    $sentAt = '';
    $given = [];
    foreach (explode(',', $signature) as $item) {
        [$name, $value] = explode('=', $item, 2) + [1 => ''];
        if ($name === 't' && $sentAt === '') {
            $sentAt = $value;
        }
        if ($name === 'v1') {
            $given[] = $value;
        }
    }
    if (!ctype_digit($sentAt) || abs(($nowSeconds ?? time()) - (int) $sentAt) > TOLERANCE_SECONDS) {
        return false;
    }
    $expected = hash_hmac('sha256', "$sentAt.$rawBody", $secret);
    foreach ($given as $each) {
        if (hash_equals($expected, $each)) {
            return true;
        }
    }
    return false;
}
