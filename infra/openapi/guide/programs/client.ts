import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type InitializeCheckoutRequest, isPaymentsError, Payments, WebhookError } from 'payments-client';

const { PAYMENTS_URL = '', PAYMENTS_KEY = '', WEBHOOK_SECRET, PORT } = process.env;
const api = new Payments(PAYMENTS_KEY, { baseUrl: PAYMENTS_URL });

interface Attempt {
  readonly key: string;
  readonly body: InitializeCheckoutRequest;
  reference?: string;
}

// In a real shop this is a database row. Its attempt is stored before the call: after a crash, the same key and body are sent again.
const order: { readonly number: string; readonly kobo: number; attempt?: Attempt; shipped: boolean } = {
  number: 'ORDER-2026-00417',
  kobo: 850_075,
  shipped: false,
};

const toKobo = (naira: number): number => Math.round(naira * 100);

/** Finds the address of the payment page. It is the same checkout until that has ended without money. */
const start = async (): Promise<string> => {
  if (order.attempt?.reference) {
    const { status, checkout_url } = await api.checkouts.verify(order.attempt.reference);
    if (status !== 'expired' && status !== 'failed') return checkout_url;
    order.attempt = undefined;
  }
  order.attempt ??= {
    key: crypto.randomUUID(),
    body: {
      amount: order.kobo / 100,
      payer_email: 'tunde.bakare@example.com',
      merchant_reference: order.number,
    },
  };
  try {
    const checkout = await api.checkouts.initialize(order.attempt.body, { idempotencyKey: order.attempt.key });
    order.attempt.reference = checkout.reference;
    return checkout.checkout_url;
  } catch (error) {
    const isRefused = isPaymentsError(error) && error.status !== undefined && error.status < 500;
    const mayPass = isPaymentsError(error, 'rate_limited', 'idempotency_in_progress');
    // After a final error, or if the provider fails, the next attempt has a new key and a new body.
    if ((isRefused && !mayPass) || isPaymentsError(error, 'provider_error')) order.attempt = undefined;
    throw error;
  }
};

/** Ships once, if the whole price was paid. `difference` is `paid_amount` minus `amount`: it is negative while money is owed. */
const settle = async (reference: string): Promise<void> => {
  const { amount, created_with, paid, paid_amount, difference } = await api.checkouts.verify(reference);
  const isOurs = created_with !== 'public' && reference === order.attempt?.reference && toKobo(amount) === order.kobo;
  if (paid && isOurs && difference >= 0 && !order.shipped) {
    order.shipped = true;
    console.log(`ship ${order.number}${difference > 0 ? `, and pay back ${difference} naira` : ''}`);
  } else if (paid && !isOurs) {
    // A browser may use your order number too, with your public key and any amount.
    console.log(`look into ${reference}: ${paid_amount} naira, and not the checkout of ${order.number}`);
  }
};

createServer(async (request, response) => {
  try {
    if (request.url !== '/webhooks') {
      response.writeHead(303, { location: await start() }).end();
      return;
    }
    const event = await Payments.webhooks.unwrap(await buffer(request), request.headers, WEBHOOK_SECRET);
    // An example comes from the test call. An event may come twice, and it comes again after a 500.
    if (event.type === 'checkout.paid' && !event.example) await settle(event.data.reference);
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(error instanceof WebhookError ? 400 : 500).end();
  }
}).listen(Number(PORT), '127.0.0.1', () => console.log('listening'));
