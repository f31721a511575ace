<?php
// PHP keeps no memory between requests, so the orders are in SQLite. In a real shop, use your database.
declare(strict_types=1);

const TRIES = 3;
const PATIENCE_SECONDS = 10;

/** A request that failed. The error is final if a repetition cannot help. */
final class RequestFailed extends RuntimeException
{
    public function __construct(string $message, public string $errorCode = '', public bool $isFinal = false, public int $retryAfter = 0)
    {
        parent::__construct($message);
    }
}

function sql(string $sql, mixed ...$values): PDOStatement
{
    static $db = null;
    if ($db === null) {
        $db = new PDO('sqlite:' . (getenv('SHOP_DATABASE') ?: 'shop.sqlite')); // throws errors, and waits while another request writes
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

function to_kobo(int|float $naira): int
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
        throw new RequestFailed('no answer: ' . curl_error($curl));
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
    throw new RequestFailed("$code: $wrong (" . ($answer['request_id'] ?? '') . ')', $code, $isFinal, $retryAfter);
}

/** Repeats a request after no answer, a 5xx, 429 and 409 idempotency_in_progress. Key and body stay the same, so it is done once. */
function call(string $method, string $path, ?string $body = null, string $key = ''): array
{
    for ($tries = 1;; $tries++) {
        try {
            return send($method, $path, $body, $key);
        } catch (RequestFailed $failure) {
            $seconds = $failure->retryAfter ?: $tries;
            if ($failure->isFinal || $tries === TRIES || $seconds > PATIENCE_SECONDS) {
                throw $failure;
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

/** Finds the checkout that counts: the one that the order was shipped for (an older one may be paid late), else the last. */
function current_reference(array $order): ?string
{
    $last = sql('SELECT reference FROM attempts WHERE order_id = ? AND reference IS NOT NULL ORDER BY id DESC', $order['id']);
    return $order['shipped'] ?? ($last->fetchColumn() ?: null);
}

/** Prints a note for a person, once. */
function note(string $text): void
{
    if (sql('INSERT OR IGNORE INTO notes VALUES (?)', $text)->rowCount() === 1) {
        error_log($text);
    }
}

/** Ships once, and only if the whole price was paid. A person decides about all other money. */
function settle(string $id, array $checkout): void
{
    ['reference' => $reference, 'amount' => $amount, 'difference' => $difference] = $checkout;
    ['paid' => $paid, 'paid_amount' => $paidAmount] = $checkout;
    $kobo = order($id)['kobo'];
    if ($paid && to_kobo($amount) === $kobo && to_kobo($paidAmount) >= $kobo) {
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
    } elseif ($order['shipped'] === null && ($paid || ($paidAmount > 0 && $reference !== current_reference($order)))) {
        note("look into order $id, which costs " . $kobo / 100 . " naira: $reference asked for $amount, and $paidAmount came");
    }
}

/** Makes the view for the payer. */
function make_view(array $order, array $checkout): array
{
    ['status' => $status, 'difference' => $difference] = $checkout;
    $isOver = time() > strtotime($checkout['expires_at']);
    $fields = array_flip(['amount_to_pay', 'bank_name', 'account_number', 'account_name', 'expires_at']);
    $account = array_intersect_key($checkout, $fields);
    return match (true) {
        $order['shipped'] !== null && $difference < 0 => ['show' => 'contact us'], // money was taken back after the shipment
        $order['shipped'] !== null => ['show' => 'thanks', 'overpaid' => $difference],
        $status === 'pending' && $isOver => ['show' => 'checking'], // we are asking the provider, so show no account number
        $status === 'pending' => ['show' => 'pay', ...$account],
        $status === 'underpaid' && $isOver => ['show' => 'contact us', 'missing' => -$difference],
        $status === 'underpaid' => ['show' => 'pay', ...$account, 'amount_to_pay' => -$difference],
        $status === 'paid' => ['show' => 'contact us'], // with less
        default => ['show' => "$status, try again"], // expired or failed
    };
}

/** Finds the checkout whose answer was lost. A browser's checkout may have our order number too: ignore it. */
function lost_checkout(array $order): array
{
    $matches = call('GET', '/checkouts?' . http_build_query(['merchant_reference' => $order['number']]));
    $own = array_filter($matches, fn ($checkout) => $checkout['created_with'] !== 'public');
    $checkout = reset($own);
    if ($checkout && to_kobo($checkout['amount']) === $order['kobo']) {
        return $checkout;
    }
    throw new RequestFailed("{$order['number']} is in use, by " . ($checkout['reference'] ?? 'a checkout that is not listed yet'));
}

/**
 * Sends an attempt. After a final error or provider_error it is dropped, so that the next attempt has a new key and body.
 * If the provider opened it all the same, the next answer is duplicate_merchant_reference.
 */
function open_attempt(array $order, array $attempt): array
{
    try {
        return call('POST', '/checkout/initialize', $attempt['body'], $attempt['key']);
    } catch (RequestFailed $failure) {
        if ($failure->errorCode === 'duplicate_merchant_reference') {
            return lost_checkout($order);
        }
        if ($failure->isFinal || $failure->errorCode === 'provider_error') {
            sql('DELETE FROM attempts WHERE key = ?', $attempt['key']);
        }
        throw $failure;
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
        'callback_url' => $page, // the payment page leads back here
        'cancel_url' => $page, // the same page, because a payer who cancels may have paid
    ], JSON_THROW_ON_ERROR);
    // Two clicks at once start one attempt: insert only if no newer attempt exists.
    $isLast = '(SELECT max(id) FROM attempts WHERE order_id = ?) IS CAST(? AS INTEGER)';
    sql("INSERT INTO attempts (order_id, key, body) SELECT ?, ?, ? WHERE $isLast", $order['id'], $key, $body, $order['id'], $last);
}

/** Finds the checkout to pay now: the last one, or a new one if the last has ended without money. */
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
    // Key and body were stored before the call: another click, or a retry, sends both again and gets the same checkout.
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
    $signatures = explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '');
    return array_filter($signatures, fn ($signature) => hash_equals($expected, $signature)) !== [];
}

/** Checks the checkout that a webhook names. The webhook itself may come twice, or late. */
function receive(array $event): void
{
    ['data' => $data] = $event;
    if (($event['example'] ?? false) || ($data['created_with'] ?? '') === 'public') {
        return; // a test, or a checkout of a browser, whose amount anyone can choose
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
        receive(json_decode($body, true)); // if this takes longer than a second, store the event and answer first
        return [204, null];
    }
    $order = $place === 'orders' ? order($id) : false;
    if (!$order || (!$isPost && current_reference($order) === null)) {
        return [404, new stdClass()];
    }
    $checkout = $isPost ? payable_checkout($order) : verify(current_reference($order));
    settle($id, $checkout); // the webhook may be late, so this request may be the first to see the money
    if ($action === 'pay') {
        header("Location: {$checkout['checkout_url']}"); // to our payment page
        return [303, null];
    }
    if ($action === 'checkout') {
        return [200, ['checkoutUrl' => $checkout['checkout_url']]]; // for the widget
    }
    return [200, make_view(order($id), $checkout)]; // the return page: it shows the answer of the service, and ignores its own query
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
