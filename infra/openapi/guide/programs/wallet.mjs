import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { WEBHOOK_SECRET = '', PORT, ACCOUNTS = '{}' } = process.env;

// In your books these are tables, since this memory forgets: whose virtual account it is, and one row for each payment.
const customers = new Map(Object.entries(JSON.parse(ACCOUNTS))); // {"va_…": "CUSTOMER-7"}
const credits = new Map(); // payment id → { customer, kobo, isReversed }
const unknown = new Map(); // payment id → { account, payment }: for a person

const koboOf = (naira) => Math.round(naira * 100);

const balanceOf = (customer) =>
  [...credits.values()]
    .filter((one) => one.customer === customer && !one.isReversed)
    .reduce((sum, { kobo }) => sum + kobo, 0);

/** Counts a payment once, whichever event, list or answer brings it, and however often. */
const book = (account, payment) => {
  const customer = customers.get(account.id);
  if (!customer) {
    // Not an error: an endpoint that answers with errors is suspended, and then other customers wait for their money.
    unknown.set(payment.id, { account, payment });
    console.log(`look into ${payment.id}: ${payment.amount} naira on ${account.id}, which is no customer's account`);
    return;
  }
  if (payment.outcome === 'rejected') return; // its bank has it back already
  const isReversed = payment.outcome === 'reversed';
  // In your books: insert the payment's id, which is unique, or mark its row as reversed, in one transaction.
  const before = credits.get(payment.id);
  // A reversal may overtake the payment that it takes back: once reversed, a payment stays so.
  credits.set(payment.id, {
    customer,
    kobo: koboOf(payment.amount),
    isReversed: isReversed || (before?.isReversed ?? false),
  });
};

const receive = ({ type, data, example }) => {
  if (example) return; // from "Test a webhook endpoint": nothing of it exists
  if (type === 'virtual_account.payment_received' || type === 'virtual_account.payment_reversed') {
    book(data.virtual_account, data.payment);
  }
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

const answer = (request, body) => {
  const [, place, customer] = request.url.split('/');
  if (request.method === 'GET' && place === 'wallets') return [200, { naira: balanceOf(customer) / 100 }];
  if (request.method !== 'POST' || place !== 'webhooks') return [404];
  if (!isGenuine(request.headers, body)) return [400];
  receive(JSON.parse(body));
  return [204];
};

createServer(async (request, response) => {
  try {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const [status, view] = answer(request, Buffer.concat(chunks));
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(view && JSON.stringify(view));
  } catch (error) {
    console.error(error.message); // such as a database that does not answer: the event comes again
    response.writeHead(500).end();
  }
}).listen(PORT, '127.0.0.1', () => console.log('listening'));
