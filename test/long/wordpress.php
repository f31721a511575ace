<?php

/*
 * The part of WordPress and WooCommerce that the guide's plugin calls, for `php -S`: the package clients of the tests can install neither.
 * The file STATE has the orders. POST /webhook is the REST route, and its queued actions run afterwards.
 */

const MINUTE_IN_SECONDS = 60;
const HOUR_IN_SECONDS = 3600;
const PROGRAMS = __DIR__ . '/../../infra/openapi/guide/programs';
define('PAYMENTS_URL', getenv('PAYMENTS_URL'));
define('PAYMENTS_KEY', getenv('PAYMENTS_KEY'));
define('PAYMENTS_WEBHOOK_SECRET', getenv('WEBHOOK_SECRET'));

$state = fn (): array => json_decode(file_get_contents(getenv('STATE')), true);
$keep = fn (array $changed) => file_put_contents(getenv('STATE'), json_encode($changed));
$hooks = [];
$routes = [];
$queue = [];

function add_action(string $hook, callable $work): void
{
    $GLOBALS['hooks'][$hook] = $work;
}

function add_filter(string $hook, callable $work, int $priority, int $arguments): void
{
    $GLOBALS['hooks'][$hook] = $work;
}

function register_rest_route(string $namespace, string $route, array $options): void
{
    $GLOBALS['routes']["$namespace$route"] = $options;
}

function as_enqueue_async_action(string $hook, array $arguments, string $group): void
{
    $GLOBALS['queue'][] = [$hook, $arguments];
}

function as_schedule_single_action(int $at, string $hook, array $arguments, string $group): void
{
    $GLOBALS['queue'][] = [$hook, $arguments];
}

function wp_remote_get(string $url, array $options): array
{
    $curl = curl_init($url);
    $headers = array_map(fn ($name, $value) => "$name: $value", array_keys($options['headers']), $options['headers']);
    curl_setopt_array($curl, [CURLOPT_HTTPHEADER => $headers, CURLOPT_RETURNTRANSFER => true]);
    return ['body' => curl_exec($curl), 'status' => curl_getinfo($curl, CURLINFO_RESPONSE_CODE)];
}

function wp_remote_retrieve_response_code(array $answer): int
{
    return $answer['status'];
}

function wp_remote_retrieve_body(array $answer): string
{
    return $answer['body'];
}

function wc_format_decimal(string $amount, int $decimals): string
{
    return number_format((float) $amount, $decimals, '.', '');
}

function wc_get_order(int $id): ?WC_Order
{
    return isset($GLOBALS['state']()[$id]) ? new WC_Order($id) : null;
}

class WP_REST_Request
{
    public function get_header(string $name): ?string
    {
        return $_SERVER['HTTP_' . strtoupper(strtr($name, '-', '_'))] ?? null;
    }

    public function get_body(): string
    {
        return file_get_contents('php://input');
    }
}

class WP_REST_Response
{
    public function __construct(public mixed $data, public int $status)
    {
    }
}

class WC_Order
{
    public array $row;

    public function __construct(private int $id)
    {
        $this->row = $GLOBALS['state']()[$id];
    }

    public function get_total(): string
    {
        return $this->row['total'];
    }

    public function get_date_paid(): ?int
    {
        return $this->row['paid_at'] ?? null;
    }

    public function get_transaction_id(): string
    {
        return $this->row['transaction'] ?? '';
    }

    public function get_payment_method(): string
    {
        return 'pay_by_transfer';
    }

    public function has_status(string $status): bool
    {
        return $this->row['status'] === $status;
    }

    public function get_meta(string $name): string
    {
        return $this->row['meta'][$name] ?? '';
    }

    public function update_meta_data(string $name, string $value): void
    {
        $this->row['meta'][$name] = $value;
    }

    public function add_order_note(string $note): void
    {
        $this->row['notes'][] = $note;
        $this->save();
    }

    public function get_status(): string
    {
        return $this->row['status'];
    }

    /** Leaves an order in any other state as it is, like WooCommerce. */
    public function payment_complete(string $transaction): void
    {
        if (!in_array($this->row['status'], ['on-hold', 'pending', 'failed', 'cancelled'], true)) {
            return;
        }
        $changes = ['status' => 'processing', 'paid_at' => time(), 'transaction' => $transaction];
        $this->row = [...$this->row, ...$changes, 'completions' => ($this->row['completions'] ?? 0) + 1];
        $this->save();
    }

    public function save(): void
    {
        $GLOBALS['keep']([$this->id => $this->row] + $GLOBALS['state']());
    }
}

/** MySQL's named locks do nothing: the server takes one request at a time. */
$wpdb = new class () {
    public function prepare(string $query, string $name): string
    {
        return str_replace('%s', "'$name'", $query);
    }

    public function get_var(string $query): string
    {
        return '1';
    }

    public function query(string $query): void
    {
    }
};

// The function of the chapter "Verifying webhooks", without the receiver around it.
eval(preg_replace('/\A<\?php|^\$body = .*\z/ms', '', file_get_contents(PROGRAMS . '/receive.php')));
require PROGRAMS . '/woocommerce.php';

$hooks['rest_api_init']();
$order = wc_get_order((int) ($_GET['order'] ?? 0));
if ($order) {
    $cancels = $hooks['woocommerce_cancel_unpaid_order'](true, $order);
    echo json_encode($order->row + ['wouldBeCancelled' => $cancels]);
    return true;
}
$route = $routes['pay-by-transfer/v1/webhook'];
if ($_SERVER['REQUEST_METHOD'] !== $route['methods'] || !$route['permission_callback'](new WP_REST_Request())) {
    http_response_code(401);
    return true;
}
http_response_code($route['callback'](new WP_REST_Request())->status);
foreach ($queue as [$hook, $arguments]) {
    $hooks[$hook](...$arguments);
}
return true;
