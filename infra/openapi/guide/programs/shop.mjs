import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

const { PAYMENTS_URL, PAYMENTS_KEY, WEBHOOK_SECRET = '', PORT } = process.env;
const { SHOP_URL = `http://127.0.0.1:${PORT}` } = process.env;
const TRIES = 3;
const PATIENCE_SECONDS = 10;

// A real shop uses database tables. This memory is lost when the program ends, so each run has new order numbers.
const RUN = randomUUID().slice(0, 8);
const orders = new Map(
  ['417', '418'].map((id) => [
    id,
    {
      number: `ORDER-${RUN}-${id}`,
      kobo: 850_075,
      email: 'tunde.bakare@example.com',
      attempts: [], // one for each checkout: { key, body, reference }
      shipped: null, // the reference of the checkout that it was shipped for
      notes: new Set(), // for a person
    },
  ]),
);

const toKobo = (naira) => Math.round(naira * 100);

/** Sends one request. Its error is final if a repetition cannot help. */
const send = async (method, path, body, idempotencyKey) => {
  const response = await fetch(`${PAYMENTS_URL}/api/v1${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${PAYMENTS_KEY}`,
      ...(body && { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey }),
    },
    body,
    signal: AbortSignal.timeout(30_000),
  });
  if (response.ok) return (await response.json()).data;
  const { code = response.status, message, errors = [], request_id } = await response.json().catch(() => ({}));
  const wrong = errors.map((detail) => detail.message).join(' ') || message;
  const isFinal = response.status < 500 && response.status !== 429 && code !== 'idempotency_in_progress';
  const retryAfter = response.headers.get('retry-after');
  throw Object.assign(new Error(`${code}: ${wrong} (${request_id})`), { code, isFinal, retryAfter });
};

/** Repeats a request after no answer, a 5xx, 429 and 409 idempotency_in_progress. Key and body stay the same, so it is done once. */
const call = async (...request) => {
  for (let tries = 1; ; tries++) {
    try {
      return await send(...request);
    } catch (error) {
      const seconds = Number(error.retryAfter ?? tries);
      if (error.isFinal || tries === TRIES || !(seconds <= PATIENCE_SECONDS)) throw error;
      await wait(seconds * 1000);
    }
  }
};

const verify = (reference) => call('GET', `/checkout/verify/${reference}`);

/** Finds the checkout that counts: the one that the order was shipped for (an older one may be paid late), else the last. */
const current = (order) => order.shipped ?? order.attempts.findLast(({ reference }) => reference)?.reference;

/** Prints a note for a person, once. */
const note = (order, text) => {
  if (!order.notes.has(text)) console.log(text);
  order.notes.add(text);
};

/** Ships once, and only if the whole price was paid. A person decides about all other money. */
const settle = (id, order, { reference, amount, paid, paid_amount, difference }) => {
  const isWhole = toKobo(amount) === order.kobo && toKobo(paid_amount) >= order.kobo;
  if (paid && isWhole && !order.shipped) {
    order.shipped = reference; // in a database: UPDATE … SET shipped = $1 WHERE id = $2 AND shipped IS NULL
    console.log(`ship order ${id}`);
  }
  if (order.shipped === reference) {
    if (difference > 0) note(order, `pay back ${difference} naira of ${reference}: more than order ${id} costs`);
    if (difference < 0) note(order, `${-difference} naira of ${reference} were taken back: order ${id} was shipped`);
  } else if (order.shipped && paid_amount > 0) {
    note(order, `refund ${paid_amount} naira of ${reference}: order ${id} was shipped for ${order.shipped}`);
  } else if (paid || (paid_amount > 0 && reference !== current(order))) {
    const reason = `${reference} asked for ${amount}, and ${paid_amount} came`;
    note(order, `look into order ${id}, which costs ${order.kobo / 100} naira: ${reason}`);
  }
};

/** Makes the view for the payer. */
const makeView = (order, checkout) => {
  const { status, difference, amount_to_pay, bank_name, account_number, account_name, expires_at } = checkout;
  const isOver = Date.now() > Date.parse(expires_at);
  const account = { amount_to_pay, bank_name, account_number, account_name, expires_at };
  if (order.shipped && difference < 0) return { show: 'contact us' }; // money was taken back after the shipment
  if (order.shipped) return { show: 'thanks', overpaid: difference };
  if (status === 'pending' && isOver) return { show: 'checking' }; // we are asking the provider, so show no account number
  if (status === 'pending') return { show: 'pay', ...account };
  if (status === 'underpaid' && isOver) return { show: 'contact us', missing: -difference };
  if (status === 'underpaid') return { show: 'pay', ...account, amount_to_pay: -difference };
  return { show: status === 'paid' ? 'contact us' : `${status}, try again` }; // paid with less, or expired, or failed
};

const newAttempt = (id, order) => ({
  key: `${order.number}-${randomUUID()}`,
  body: JSON.stringify({
    amount: order.kobo / 100,
    payer_email: order.email,
    merchant_reference: order.number,
    description: `Order ${id}`,
    callback_url: `${SHOP_URL}/orders/${id}`, // the payment page leads back here
    cancel_url: `${SHOP_URL}/orders/${id}`, // the same page, because a payer who cancels may have paid
  }),
  reference: null,
});

/** Finds the checkout whose answer was lost. A browser's checkout may have our order number too: ignore it. */
const lostCheckout = async (order) => {
  const matches = await call('GET', `/checkouts?merchant_reference=${encodeURIComponent(order.number)}`);
  const checkout = matches.find(({ created_with }) => created_with !== 'public');
  if (toKobo(checkout?.amount) === order.kobo) return checkout;
  throw new Error(`${order.number} is in use, by ${checkout?.reference ?? 'a checkout that is not listed yet'}`);
};

/**
 * Sends an attempt. After a final error or provider_error it is dropped, so that the next attempt has a new key and body.
 * If the provider opened it all the same, the next answer is duplicate_merchant_reference.
 */
const open = async (order, attempt) => {
  try {
    return await call('POST', '/checkout/initialize', attempt.body, attempt.key);
  } catch (error) {
    if (error.code === 'duplicate_merchant_reference') return lostCheckout(order);
    if (error.isFinal || error.code === 'provider_error')
      order.attempts = order.attempts.filter((other) => other !== attempt);
    throw error;
  }
};

/** Finds the checkout to pay now: the last one, or a new one if the last has ended without money. */
const payableCheckout = async (id, order) => {
  if (order.shipped) return verify(order.shipped);
  const last = order.attempts.at(-1);
  const checkout = last?.reference && (await verify(last.reference));
  if (checkout && !['expired', 'failed'].includes(checkout.status)) return checkout;
  // Key and body are stored before the call: another click, or a retry, sends both again and gets the same checkout.
  if ((!last || checkout) && last === order.attempts.at(-1)) order.attempts.push(newAttempt(id, order));
  const attempt = order.attempts.at(-1);
  attempt.reference = (await open(order, attempt)).reference;
  return verify(attempt.reference);
};

const isGenuine = (headers, body) => {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) return false;
  const key = Buffer.from(WEBHOOK_SECRET.replace('whsec_', ''), 'base64');
  const expected = Buffer.from(
    `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`,
  );
  const candidates = signatures.split(' ').map((signature) => Buffer.from(signature));
  return candidates.some((candidate) => candidate.length === expected.length && timingSafeEqual(candidate, expected));
};

/** Checks the checkout that a webhook names. The webhook itself may come twice, or late. */
const receive = async ({ example, data }) => {
  if (example || data.created_with === 'public') return; // a test, or a checkout of a browser, whose amount anyone can choose
  for (const [id, order] of orders) {
    if (data.merchant_reference === order.number) settle(id, order, await verify(data.reference));
  }
};

const answer = async (request, body) => {
  const [, place, id, action] = new URL(request.url, SHOP_URL).pathname.split('/');
  if (request.method === 'POST' && place === 'webhooks') {
    if (!isGenuine(request.headers, body)) return [400];
    await receive(JSON.parse(body)); // if this takes longer than a second, store the event and answer first
    return [204];
  }
  const order = place === 'orders' && orders.get(id);
  if (!order || (request.method === 'GET' && !current(order))) return [404, {}];
  const checkout = request.method === 'POST' ? await payableCheckout(id, order) : await verify(current(order));
  settle(id, order, checkout); // the webhook may be late, so this request may be the first to see the money
  if (action === 'pay') return [303, undefined, { Location: checkout.checkout_url }]; // to our payment page
  if (action === 'checkout') return [200, { checkoutUrl: checkout.checkout_url }]; // for the widget
  return [200, makeView(order, checkout)]; // the return page: it shows the answer of the service, and ignores its own query
};

createServer(async (request, response) => {
  try {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const [status, view, headers] = await answer(request, Buffer.concat(chunks));
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(view && JSON.stringify(view));
  } catch (error) {
    console.error(error.message); // an error of the API with its code and request id
    response.writeHead(502, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ show: 'Something went wrong on our side. Please try again in a minute.' }));
  }
}).listen(PORT, '127.0.0.1', () => console.log('listening'));
