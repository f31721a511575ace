<?php
// PHP keeps no memory between requests, so the books are in SQLite.
declare(strict_types=1);

$db = new PDO('sqlite:' . (getenv('WALLET_DATABASE') ?: 'wallet.sqlite')); // throws errors, and waits while another request writes
$db->exec('CREATE TABLE IF NOT EXISTS credits (payment TEXT PRIMARY KEY, customer TEXT, kobo INTEGER, is_reversed INTEGER)');
$db->exec('CREATE TABLE IF NOT EXISTS unknown (payment TEXT PRIMARY KEY, account TEXT, kobo INTEGER)'); // for a person

function to_kobo(int|float $naira): int
{
    return (int) round($naira * 100);
}

/** Books a payment once, however often an event, a list or an answer brings it. */
function book(PDO $db, array $account, array $payment): void
{
    $customers = json_decode(getenv('ACCOUNTS') ?: '{}', true); // {"va_…": "CUSTOMER-7"}: in your books a table
    ['id' => $id, 'amount' => $amount, 'outcome' => $outcome] = $payment;
    $customer = $customers[$account['id']] ?? null;
    if ($customer === null) {
        // Do not answer with an error: the endpoint would be suspended, and other customers would wait for their money.
        $db->prepare('INSERT OR IGNORE INTO unknown VALUES (?, ?, ?)')->execute([$id, $account['id'], to_kobo($amount)]);
        error_log("look into $id: $amount naira on {$account['id']}, which is no customer's account");
        return;
    }
    if ($outcome === 'rejected') {
        return; // its bank has the money back already
    }
    // A reversal may arrive before its payment: a reversed payment stays reversed.
    $once = 'ON CONFLICT (payment) DO UPDATE SET is_reversed = max(is_reversed, excluded.is_reversed)';
    $db->prepare("INSERT INTO credits VALUES (?, ?, ?, ?) $once")
        ->execute([$id, $customer, to_kobo($amount), (int) ($outcome === 'reversed')]);
}

function sum_credits(PDO $db, string $customer): int
{
    $sum = $db->prepare('SELECT coalesce(sum(kobo), 0) FROM credits WHERE customer = ? AND is_reversed = 0');
    $sum->execute([$customer]);
    return $sum->fetchColumn();
}

function receive(PDO $db, array $event): void
{
    if ($event['example'] ?? false) {
        return; // from "Test a webhook endpoint": its data is not real
    }
    if (in_array($event['type'], ['virtual_account.payment_received', 'virtual_account.payment_reversed'], true)) {
        book($db, $event['data']['virtual_account'], $event['data']['payment']);
    }
}

function is_genuine(string $body): bool
{
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (!preg_match('/\A\d{1,12}\z/', $timestamp) || abs(time() - (int) $timestamp) > 300) {
        return false;
    }
    $secret = base64_decode(substr((string) getenv('WEBHOOK_SECRET'), strlen('whsec_')));
    $signed = ($_SERVER['HTTP_WEBHOOK_ID'] ?? '') . ".$timestamp.$body";
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $secret, true));
    $signatures = explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '');
    return array_filter($signatures, fn ($signature) => hash_equals($expected, $signature)) !== [];
}

[, $place, $customer] = [...explode('/', parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH)), '', ''];
if ($_SERVER['REQUEST_METHOD'] === 'GET' && $place === 'wallets') {
    header('Content-Type: application/json');
    echo json_encode(['naira' => sum_credits($db, $customer) / 100]);
} elseif ($_SERVER['REQUEST_METHOD'] !== 'POST' || $place !== 'webhooks') {
    http_response_code(404);
} elseif (!is_genuine($body = file_get_contents('php://input'))) {
    http_response_code(400);
} else {
    receive($db, json_decode($body, true)); // if it throws, PHP answers 500, and the event is sent again
    http_response_code(204);
}
