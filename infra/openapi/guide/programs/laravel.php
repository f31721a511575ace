<?php

namespace App\Payments;

use Illuminate\Contracts\Queue\ShouldQueue;
use Illuminate\Foundation\Queue\Queueable;
use Illuminate\Http\Request;
use Illuminate\Http\Response;
use Illuminate\Support\Facades\DB;
use Illuminate\Support\Facades\Http;
use Illuminate\Support\Facades\Log;

/** Route::post('/webhooks/payments', TakeWebhook::class); */
class TakeWebhook
{
    public function __invoke(Request $request): Response
    {
        // The bytes as they came: all() and input() trim texts, and replace "" by null.
        $body = $request->getContent();
        $genuine = is_genuine(
            config('services.payments.webhook_secret'),
            $request->header('webhook-id', ''),
            $request->header('webhook-timestamp', ''),
            $request->header('webhook-signature', ''),
            $body,
        );
        abort_unless($genuine, 400);
        $event = json_decode($body, true);
        // Ignore examples of the test call. The job may be queued twice, but it settles an order once.
        if (str_starts_with($event['type'], 'checkout.') && !($event['example'] ?? false)) {
            SettleCheckout::dispatch($event['data']['reference']);
        }
        return response()->noContent();
    }
}

function to_kobo(int|float $naira): int
{
    return (int) round($naira * 100);
}

class SettleCheckout implements ShouldQueue
{
    use Queueable;

    public int $tries = 10;
    public int $backoff = 60;

    public function __construct(private string $reference)
    {
    }

    public function handle(): void
    {
        $checkout = Http::withToken(config('services.payments.key'))
            ->timeout(30)
            ->get(config('services.payments.url') . "/api/v1/checkout/verify/{$this->reference}")
            ->throw()
            ->json('data');
        ['amount' => $amount, 'paid_amount' => $paid, 'difference' => $difference] = $checkout;
        // A browser may have started a checkout with your public key, and with any amount.
        if ($checkout['created_with'] === 'public') {
            return;
        }
        $attempt = DB::table('payment_attempts')->where('reference', $this->reference)->first();
        if (!$attempt) {
            Log::warning("{$this->reference} belongs to no order here: somebody of the team may have started it in the dashboard.");
            return;
        }
        $orders = DB::table('orders')->where('id', $attempt->order_id);
        $due = (clone $orders)->value('total_kobo');
        $isWhole = to_kobo($amount) === $due && to_kobo($paid) >= $due;
        // A conditional write decides who ships.
        if ($checkout['paid'] && $isWhole) {
            $won = (clone $orders)->where('status', 'awaiting_payment')->whereNull('paid_with')
                ->update(['paid_with' => $this->reference, 'status' => 'paid']);
            if ($won === 1) {
                ShipOrder::dispatch($attempt->order_id);
            }
        }
        $paidWith = (clone $orders)->value('paid_with');
        $note = match (true) {
            $paidWith === $this->reference && $difference > 0 => "pay back $difference naira: more than it costs",
            $paidWith === $this->reference && $difference < 0 => -$difference . ' naira were taken back after it was paid',
            $paidWith === $this->reference || $paid == 0 => null,
            $paidWith !== null => "refund $paid naira: it was paid with $paidWith",
            $checkout['paid'] => "$paid naira came, and it is cancelled or costs another amount",
            default => null, // underpaid: the rest may still come
        };
        if ($note !== null) {
            Log::alert("Order {$attempt->order_id}, {$this->reference}: $note.");
        }
    }
}
