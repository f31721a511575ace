import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { PAYMENTS_URL, PAYMENTS_KEY, WEBHOOK_SECRET = '', PORT } = process.env;
const { SHOP_URL = `http://127.0.0.1:${PORT}` } = process.env;

// In a shop these are tables. This memory forgets everything when the program ends, so the order numbers are new in each run.
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

const koboOf = (naira) => Math.round(naira * 100);

const call = async (method, path, body, idempotencyKey) => {
  const response = await fetch(`${PAYMENTS_URL}/api/v1${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${PAYMENTS_KEY}`,
      ...(body && { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey }),
    },
    body,
    signal: AbortSignal.timeout(30_000),
  });
  const answer = await response.json();
  const wrong = (answer.errors ?? []).map(({ message }) => message).join(' ');
  if (!response.ok) throw new Error(`${answer.code}: ${wrong || answer.message} (${answer.request_id})`);
  return answer.data;
};

const verify = (reference) => call('GET', `/checkout/verify/${reference}`);

/** Leaves a note for a person, once. */
const note = (order, text) => {
  if (!order.notes.has(text)) console.log(text);
  order.notes.add(text);
};

/** Ships once, and only for the money that the order costs. Any other money is for a person. */
const settle = (id, order, { reference, paid, paid_amount }) => {
  const isEnough = koboOf(paid_amount) >= order.kobo;
  if (paid && isEnough && !order.shipped) {
    order.shipped = reference; // in a database: UPDATE … SET shipped = $1 WHERE id = $2 AND shipped IS NULL
    console.log(`ship order ${id}`);
  } else if (order.shipped && order.shipped !== reference && paid_amount > 0) {
    note(order, `refund ${paid_amount} naira of ${reference}: order ${id} was shipped for ${order.shipped}`);
  } else if (paid && !isEnough) {
    note(order, `order ${id}: ${reference} is paid with ${paid_amount} naira, less than the order costs`);
  }
};

/** What the payer sees. */
const viewOf = (order, checkout) => {
  const { status, amount, paid_amount, amount_to_pay, bank_name, account_number, account_name, expires_at } = checkout;
  const isOver = Date.now() > Date.parse(expires_at);
  const account = { amount_to_pay, bank_name, account_number, account_name, expires_at };
  if (order.shipped && status !== 'paid') return { show: 'contact us' }; // the bank took money back after you shipped
  if (order.shipped) return { show: 'thanks', overpaid: (koboOf(paid_amount) - koboOf(amount)) / 100 };
  if (status === 'pending' && isOver) return { show: 'checking' }; // the provider is being asked: show no account number
  if (status === 'pending') return { show: 'pay', ...account };
  if (status === 'underpaid') {
    const missing = (koboOf(amount_to_pay) - koboOf(paid_amount)) / 100;
    return isOver ? { show: 'contact us', missing } : { show: 'pay', ...account, amount_to_pay: missing };
  }
  return { show: status === 'paid' ? 'contact us' : `${status}, try again` }; // paid with less, or expired, or failed
};

/** The checkout that counts: the one that was shipped for, which may be an older one that was paid late, else the last. */
const current = (order) => order.shipped ?? order.attempts.findLast(({ reference }) => reference)?.reference;

const newAttempt = (id, order) => ({
  key: `${order.number}-${randomUUID()}`,
  body: JSON.stringify({
    amount: order.kobo / 100,
    payer_email: order.email,
    merchant_reference: order.number,
    description: `Order ${id}`,
    callback_url: `${SHOP_URL}/orders/${id}`, // where the payment page leads the payer back
    cancel_url: `${SHOP_URL}/orders/${id}`, // the same page: who cancels may have paid all the same
  }),
  reference: null,
});

/** The checkout to pay now: the last one, or a new one after the last has ended without money. */
const payableCheckout = async (id, order) => {
  if (order.shipped) return verify(order.shipped);
  const last = order.attempts.at(-1);
  const checkout = last?.reference && (await verify(last.reference));
  if (checkout && !['expired', 'failed'].includes(checkout.status)) return checkout;
  // Key and body are kept before the call: another click, or a try after an error, sends both again and gets the same checkout.
  if ((!last || checkout) && last === order.attempts.at(-1)) order.attempts.push(newAttempt(id, order));
  const attempt = order.attempts.at(-1);
  attempt.reference = (await call('POST', '/checkout/initialize', attempt.body, attempt.key)).reference;
  return verify(attempt.reference);
};

const isGenuine = (headers, body) => {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) return false;
  const key = Buffer.from(WEBHOOK_SECRET.replace('whsec_', ''), 'base64');
  const expected = Buffer.from(
    `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`,
  );
  const given = signatures.split(' ').map((one) => Buffer.from(one));
  return given.some((one) => one.length === expected.length && timingSafeEqual(one, expected));
};

/** A webhook may come twice and out of order, so it only says which checkout to look at. */
const receive = async (event) => {
  const { reference } = event.data;
  for (const [id, order] of orders) {
    if (reference && order.attempts.some((one) => one.reference === reference))
      settle(id, order, await verify(reference));
  }
};

const answer = async (request, body) => {
  const [, place, id, action] = new URL(request.url, SHOP_URL).pathname.split('/');
  if (request.method === 'POST' && place === 'webhooks') {
    if (!isGenuine(request.headers, body)) return [400];
    await receive(JSON.parse(body)); // where this takes longer than a second, keep the event and answer first
    return [204];
  }
  const order = place === 'orders' && orders.get(id);
  if (!order || (request.method === 'GET' && !current(order))) return [404, {}];
  const checkout = request.method === 'POST' ? await payableCheckout(id, order) : await verify(current(order));
  settle(id, order, checkout); // the webhook may be late: whoever sees the money first ships
  if (action === 'pay') return [303, undefined, { Location: checkout.checkout_url }]; // to our payment page
  if (action === 'checkout') return [200, { checkoutUrl: checkout.checkout_url }]; // for the widget
  return [200, viewOf(order, checkout)]; // the return page: it says what the service says, never what its own address says
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
