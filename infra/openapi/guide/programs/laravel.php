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
        // The bytes as they came. In all() and input() texts are trimmed, and "" has become null.
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
        // Examples are sent by the test call. The job may be queued twice: it settles an order once.
        if (str_starts_with($event['type'], 'checkout.') && !($event['example'] ?? false)) {
            SettleCheckout::dispatch($event['data']['reference']);
        }
        return response()->noContent();
    }
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
        $attempt = DB::table('payment_attempts')->where('reference', $this->reference)->first();
        // A browser may have started a checkout with your public key, and with any amount.
        if (!$attempt || $checkout['created_with'] !== 'secret' || $checkout['status'] !== 'paid') {
            return;
        }
        $order = DB::table('orders')->find($attempt->order_id);
        if ((int) round($checkout['paid_amount'] * 100) < $order->total_kobo) {
            Log::alert("Order {$order->id}: {$this->reference} is paid with less than it costs.");
            return;
        }
        // One conditional write decides who ships.
        $won = DB::table('orders')
            ->where('id', $order->id)
            ->where('status', 'awaiting_payment')
            ->whereNull('paid_with')
            ->update(['paid_with' => $this->reference, 'status' => 'paid']);
        if ($won === 1) {
            ShipOrder::dispatch($order->id);
        } elseif (DB::table('orders')->where('id', $order->id)->value('paid_with') !== $this->reference) {
            Log::alert("Order {$order->id} is cancelled or paid already: refund {$this->reference}.");
        }
    }
}
