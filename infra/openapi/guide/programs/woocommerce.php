<?php
/* Plugin Name: Pay by transfer: webhooks */

// PAYMENTS_URL, PAYMENTS_KEY and PAYMENTS_WEBHOOK_SECRET are constants of wp-config.php.

const PAYMENTS_METHOD = 'pay_by_transfer';

add_action('rest_api_init', function (): void {
    register_rest_route('pay-by-transfer/v1', '/webhook', [
        'methods' => 'POST',
        // There is no user and no nonce: the signature decides.
        'permission_callback' => 'payments_is_genuine',
        'callback' => 'payments_take_webhook',
    ]);
});

function payments_is_genuine(WP_REST_Request $request): bool
{
    return is_genuine(
        PAYMENTS_WEBHOOK_SECRET,
        (string) $request->get_header('webhook-id'),
        (string) $request->get_header('webhook-timestamp'),
        (string) $request->get_header('webhook-signature'),
        $request->get_body(), // the bytes as they came
    );
}

function payments_take_webhook(WP_REST_Request $request): WP_REST_Response
{
    $event = json_decode($request->get_body(), true);
    // Ignore examples of the test call. Action Scheduler, a part of WooCommerce, runs the action after the answer.
    if (str_starts_with($event['type'], 'checkout.') && !($event['example'] ?? false)) {
        as_enqueue_async_action('payments_settle', [$event['data']['reference']], 'payments');
    }
    return new WP_REST_Response(null, 204);
}

add_action('payments_settle', 'payments_settle');
function payments_settle(string $reference): void
{
    global $wpdb;
    $answer = wp_remote_get(PAYMENTS_URL . "/api/v1/checkout/verify/$reference", [
        'headers' => ['Authorization' => 'Bearer ' . PAYMENTS_KEY],
        'timeout' => 30,
    ]);
    $status = (int) wp_remote_retrieve_response_code($answer); // 0: there was no answer
    if ($status === 0 || $status === 429 || $status >= 500) {
        payments_try_again($reference);
        return;
    }
    if ($status !== 200) { // a wrong key, or a whitelist without this server: a retry would not help
        error_log("payments: $reference was not read, the answer is $status. Mend it, then redeliver the event.");
        return;
    }
    $checkout = json_decode(wp_remote_retrieve_body($answer), true)['data'];
    // A browser may have started a checkout with your public key, and with any amount.
    if ($checkout['created_with'] === 'public') {
        return;
    }
    $id = (int) ($checkout['metadata']['order'] ?? 0);
    $lock = "payments-order-$id";
    // Without the lock, two webhooks at once would both find an unpaid order.
    if ((int) $wpdb->get_var($wpdb->prepare('SELECT GET_LOCK(%s, 10)', $lock)) !== 1) {
        payments_try_again($reference);
        return;
    }
    try {
        $order = wc_get_order($id);
        if ($order) {
            payments_settle_order($order, $checkout);
        } else {
            error_log("payments: $reference belongs to no order here. The dashboard may have started it.");
        }
    } finally {
        $wpdb->query($wpdb->prepare('SELECT RELEASE_LOCK(%s)', $lock));
    }
}

/** Action Scheduler does not repeat an action that has failed. */
function payments_try_again(string $reference): void
{
    as_schedule_single_action(time() + MINUTE_IN_SECONDS, 'payments_settle', [$reference], 'payments');
}

function payments_settle_order(WC_Order $order, array $checkout): void
{
    $reference = $checkout['reference'];
    $paid = (int) round($checkout['paid_amount'] * 100);
    $due = (int) round((float) wc_format_decimal($order->get_total(), 2) * 100);
    $naira = abs($checkout['difference']);
    $note = match (true) {
        $order->get_date_paid() && $order->get_transaction_id() === $reference => match ($checkout['difference'] <=> 0) {
            0 => null,
            1 => "$naira naira more came than $reference asked for: pay them back.",
            -1 => "$naira naira of $reference were taken back.",
        },
        $checkout['status'] !== 'paid' => null,
        (bool) $order->get_date_paid() => "Paid a second time: refund $reference.",
        $paid < $due => "$reference is paid with less than the order costs.",
        // payment_complete() would complete it, although its goods are back in stock.
        $order->has_status('cancelled') => "$reference was paid after the order was cancelled: check the stock, or refund.",
        default => '',
    };
    if ($note === '') {
        $order->payment_complete($reference);
        if ($order->get_date_paid()) {
            payments_settle_order($order, $checkout); // notes money beyond the amount
            return;
        }
        // payment_complete() only completes orders that wait for money.
        $note = "$reference was paid, but the order is {$order->get_status()}: look into it, or refund.";
    }
    if ($note !== null && $order->get_meta("_payments_note_$reference") !== $note) {
        $order->add_order_note($note);
        $order->update_meta_data("_payments_note_$reference", $note);
        $order->save();
    }
}

add_filter('woocommerce_cancel_unpaid_order', function (bool $cancels, WC_Order $order): bool {
    $waits = $order->get_payment_method() === PAYMENTS_METHOD
        && time() < (int) $order->get_meta('_payments_expires_at') + HOUR_IN_SECONDS;
    return $cancels && !$waits;
}, 10, 2);
