<?php
// PHP remembers nothing between two requests, so the orders are rows of SQLite. Its file keeps what was shipped; in a shop it is your database.
declare(strict_types=1);

const TRIES = 3;
const PATIENCE_SECONDS = 10;

/** A request that did not succeed. Where no repetition can mend what is wrong with it, it is final. */
final class Refused extends RuntimeException
{
    public function __construct(string $message, public string $refusal = '', public bool $isFinal = false, public int $retryAfter = 0)
    {
        parent::__construct($message);
    }
}

function sql(string $sql, mixed ...$values): PDOStatement
{
    static $db = null;
    if ($db === null) {
        $db = new PDO('sqlite:' . (getenv('SHOP_DATABASE') ?: 'shop.sqlite')); // throws what goes wrong, waits while another writes
        $db->exec('CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, number TEXT, kobo INTEGER, email TEXT, shipped TEXT)');
        $db->exec('CREATE TABLE IF NOT EXISTS attempts (id INTEGER PRIMARY KEY, order_id TEXT, key TEXT, body TEXT, reference TEXT)');
        $db->exec('CREATE TABLE IF NOT EXISTS notes (text TEXT PRIMARY KEY)'); // for a person
        foreach (['417', '418'] as $id) { // a new file has new order numbers
            $db->prepare('INSERT OR IGNORE INTO orders VALUES (?, ?, 850075, ?, NULL)')
                ->execute([$id, 'ORDER-' . bin2hex(random_bytes(4)) . "-$id", 'tunde.bakare@example.com']);
        }
    }
    $statement = $db->prepare($sql);
    $statement->execute($values);
    return $statement;
}

function kobo_of(int|float $naira): int
{
    return (int) round($naira * 100);
}

function send(string $method, string $path, ?string $body, string $key): array
{
    $headers = ['Authorization: Bearer ' . getenv('PAYMENTS_KEY')];
    $curl = curl_init(getenv('PAYMENTS_URL') . "/api/v1$path");
    if ($body !== null) {
        array_push($headers, 'Content-Type: application/json', "Idempotency-Key: $key");
        curl_setopt($curl, CURLOPT_POSTFIELDS, $body);
    }
    curl_setopt_array($curl, [
        CURLOPT_CUSTOMREQUEST => $method, CURLOPT_HTTPHEADER => $headers, CURLOPT_RETURNTRANSFER => true, CURLOPT_TIMEOUT => 30,
    ]);
    $text = curl_exec($curl);
    if ($text === false) {
        throw new Refused('no answer: ' . curl_error($curl));
    }
    $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
    $answer = json_decode($text, true) ?? [];
    if ($status < 300 && isset($answer['data'])) {
        return $answer['data'];
    }
    $code = $answer['code'] ?? (string) $status;
    $wrong = implode(' ', array_column($answer['errors'] ?? [], 'message')) ?: ($answer['message'] ?? '');
    $isFinal = $status >= 400 && $status < 500 && $status !== 429 && $code !== 'idempotency_in_progress';
    $retryAfter = curl_getinfo($curl, CURLINFO_RETRY_AFTER);
    throw new Refused("$code: $wrong (" . ($answer['request_id'] ?? '') . ')', $code, $isFinal, $retryAfter);
}

/** Tries again after no answer, 5xx, 429 and 409 idempotency_in_progress, with the same key and body: it is done once. */
function call(string $method, string $path, ?string $body = null, string $key = ''): array
{
    for ($tries = 1;; $tries++) {
        try {
            return send($method, $path, $body, $key);
        } catch (Refused $refused) {
            $seconds = $refused->retryAfter ?: $tries;
            if ($refused->isFinal || $tries === TRIES || $seconds > PATIENCE_SECONDS) {
                throw $refused;
            }
            sleep($seconds);
        }
    }
}

function verify(string $reference): array
{
    return call('GET', "/checkout/verify/$reference");
}

function order(string $id): array|false
{
    return sql('SELECT * FROM orders WHERE id = ?', $id)->fetch(PDO::FETCH_ASSOC);
}

/** The checkout that counts: the one that was shipped for, which may be an older one that was paid late, else the last. */
function current_of(array $order): ?string
{
    $last = sql('SELECT reference FROM attempts WHERE order_id = ? AND reference IS NOT NULL ORDER BY id DESC', $order['id']);
    return $order['shipped'] ?? ($last->fetchColumn() ?: null);
}

/** Leaves a note for a person, once. */
function note(string $text): void
{
    if (sql('INSERT OR IGNORE INTO notes VALUES (?)', $text)->rowCount() === 1) {
        error_log($text);
    }
}

/** Ships once, and only for the money that the order costs. Any other money is for a person. */
function settle(string $id, array $checkout): void
{
    ['reference' => $reference, 'amount' => $amount, 'difference' => $difference] = $checkout;
    ['paid' => $paid, 'paid_amount' => $paidAmount] = $checkout;
    $kobo = order($id)['kobo'];
    if ($paid && kobo_of($amount) === $kobo && kobo_of($paidAmount) >= $kobo) {
        $shipped = sql('UPDATE orders SET shipped = ? WHERE id = ? AND shipped IS NULL', $reference, $id);
        if ($shipped->rowCount() === 1) {
            error_log("ship order $id");
        }
    }
    $order = order($id);
    if ($order['shipped'] === $reference && $difference > 0) {
        note("pay back $difference naira of $reference: more than order $id costs");
    } elseif ($order['shipped'] === $reference && $difference < 0) {
        note(-$difference . " naira of $reference were taken back: order $id was shipped");
    } elseif ($order['shipped'] !== null && $order['shipped'] !== $reference && $paidAmount > 0) {
        note("refund $paidAmount naira of $reference: order $id was shipped for {$order['shipped']}");
    } elseif ($order['shipped'] === null && ($paid || ($paidAmount > 0 && $reference !== current_of($order)))) {
        note("look into order $id, which costs " . $kobo / 100 . " naira: $reference asked for $amount, and $paidAmount came");
    }
}

/** What the payer sees. */
function view_of(array $order, array $checkout): array
{
    ['status' => $status, 'difference' => $difference] = $checkout;
    $isOver = time() > strtotime($checkout['expires_at']);
    $shown = array_flip(['amount_to_pay', 'bank_name', 'account_number', 'account_name', 'expires_at']);
    $account = array_intersect_key($checkout, $shown);
    return match (true) {
        $order['shipped'] !== null && $difference < 0 => ['show' => 'contact us'], // the bank took money back after you shipped
        $order['shipped'] !== null => ['show' => 'thanks', 'overpaid' => $difference],
        $status === 'pending' && $isOver => ['show' => 'checking'], // the provider is being asked: show no account number
        $status === 'pending' => ['show' => 'pay', ...$account],
        $status === 'underpaid' && $isOver => ['show' => 'contact us', 'missing' => -$difference],
        $status === 'underpaid' => ['show' => 'pay', ...$account, 'amount_to_pay' => -$difference],
        $status === 'paid' => ['show' => 'contact us'], // with less
        default => ['show' => "$status, try again"], // expired or failed
    };
}

/** The checkout of an answer that never came. A browser may use our order number too, with a public key: that is not ours. */
function lost_checkout(array $order): array
{
    $bearers = call('GET', '/checkouts?' . http_build_query(['merchant_reference' => $order['number']]));
    $ours = array_filter($bearers, fn ($checkout) => $checkout['created_with'] !== 'public');
    $found = reset($ours);
    if ($found && kobo_of($found['amount']) === $order['kobo']) {
        return $found;
    }
    throw new Refused("{$order['number']} is in use, by " . ($found['reference'] ?? 'a checkout that is not listed yet'));
}

/**
 * Sends an attempt, again where its answer was lost. Refused for good, or by a provider that fails, it is dropped: the next has a new
 * key and body. If that provider has opened it all the same, the next answer is duplicate_merchant_reference.
 */
function open_attempt(array $order, array $attempt): array
{
    try {
        return call('POST', '/checkout/initialize', $attempt['body'], $attempt['key']);
    } catch (Refused $refused) {
        if ($refused->refusal === 'duplicate_merchant_reference') {
            return lost_checkout($order);
        }
        if ($refused->isFinal || $refused->refusal === 'provider_error') {
            sql('DELETE FROM attempts WHERE key = ?', $attempt['key']);
        }
        throw $refused;
    }
}

function last_attempt(array $order): array|false
{
    return sql('SELECT * FROM attempts WHERE order_id = ? ORDER BY id DESC', $order['id'])->fetch(PDO::FETCH_ASSOC);
}

function begin_attempt(array $order, ?int $last): void
{
    $page = (getenv('SHOP_URL') ?: "http://{$_SERVER['SERVER_NAME']}:{$_SERVER['SERVER_PORT']}") . "/orders/{$order['id']}";
    $key = "{$order['number']}-" . bin2hex(random_bytes(16));
    $body = json_encode([
        'amount' => $order['kobo'] / 100,
        'payer_email' => $order['email'],
        'merchant_reference' => $order['number'],
        'description' => "Order {$order['id']}",
        'callback_url' => $page, // where the payment page leads the payer back
        'cancel_url' => $page, // the same page: who cancels may have paid all the same
    ], JSON_THROW_ON_ERROR);
    // Two clicks at once begin one attempt: the last one must still be the last.
    $isLast = '(SELECT max(id) FROM attempts WHERE order_id = ?) IS CAST(? AS INTEGER)';
    sql("INSERT INTO attempts (order_id, key, body) SELECT ?, ?, ? WHERE $isLast", $order['id'], $key, $body, $order['id'], $last);
}

/** The checkout to pay now: the last one, or a new one after the last has ended without money. */
function payable_checkout(array $order): array
{
    if ($order['shipped'] !== null) {
        return verify($order['shipped']);
    }
    $last = last_attempt($order);
    $checkout = isset($last['reference']) ? verify($last['reference']) : null;
    if ($checkout && !in_array($checkout['status'], ['expired', 'failed'], true)) {
        return $checkout;
    }
    if (!$last || $checkout) {
        begin_attempt($order, $last['id'] ?? null);
    }
    // Key and body were kept before the call: another click, or a try after an error, sends both again and gets the same checkout.
    $attempt = last_attempt($order);
    $reference = open_attempt($order, $attempt)['reference'];
    sql('UPDATE attempts SET reference = ? WHERE id = ?', $reference, $attempt['id']);
    return verify($reference);
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
    $given = explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '');
    return array_filter($given, fn ($one) => hash_equals($expected, $one)) !== [];
}

/** A webhook may come twice and out of order, so it only says which checkout to look at. */
function receive(array $event): void
{
    ['data' => $data] = $event;
    if (($event['example'] ?? false) || ($data['created_with'] ?? '') === 'public') {
        return; // a test, or what a browser made: its amount is anybody's
    }
    $id = sql('SELECT id FROM orders WHERE number = ?', $data['merchant_reference'] ?? null)->fetchColumn();
    if ($id !== false) {
        settle($id, verify($data['reference']));
    }
}

function answer(): array
{
    [, $place, $id, $action] = [...explode('/', parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH)), '', '', ''];
    $isPost = $_SERVER['REQUEST_METHOD'] === 'POST';
    if ($isPost && $place === 'webhooks') {
        $body = file_get_contents('php://input');
        if (!is_genuine($body)) {
            return [400, null];
        }
        receive(json_decode($body, true)); // where this takes longer than a second, keep the event and answer first
        return [204, null];
    }
    $order = $place === 'orders' ? order($id) : false;
    if (!$order || (!$isPost && current_of($order) === null)) {
        return [404, new stdClass()];
    }
    $checkout = $isPost ? payable_checkout($order) : verify(current_of($order));
    settle($id, $checkout); // the webhook may be late: whoever sees the money first ships
    if ($action === 'pay') {
        header("Location: {$checkout['checkout_url']}"); // to our payment page
        return [303, null];
    }
    if ($action === 'checkout') {
        return [200, ['checkoutUrl' => $checkout['checkout_url']]]; // for the widget
    }
    return [200, view_of(order($id), $checkout)]; // the return page: it says what the service says, never what its own address says
}

try {
    [$status, $view] = answer();
} catch (Throwable $error) {
    error_log($error->getMessage()); // an error of the API with its code and request id
    [$status, $view] = [502, ['show' => 'Something went wrong on our side. Please try again in a minute.']];
}
http_response_code($status);
header('Content-Type: application/json');
if ($view !== null) {
    echo json_encode($view);
}
