<?php
const TOLERANCE_SECONDS = 300;

/** $body must be the raw bytes of the request: parse it afterwards. */
function is_genuine(string $secret, string $id, string $timestamp, string $signatures, string $body): bool
{
    if (!preg_match('/\A\d{1,12}\z/', $timestamp) || abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $signatures) as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}

$body = file_get_contents('php://input');
$genuine = is_genuine(
    getenv('WEBHOOK_SECRET'),
    $_SERVER['HTTP_WEBHOOK_ID'] ?? '',
    $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '',
    $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '',
    $body,
);
if (!$genuine) {
    http_response_code(400);
    exit;
}
$event = json_decode($body, true);
// Store the event under its id, unless you have it already, and do the work after you have answered.
error_log("{$event['type']} {$event['id']}");
http_response_code(204);
