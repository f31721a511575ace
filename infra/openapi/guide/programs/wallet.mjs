import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { WEBHOOK_SECRET = '', PORT, ACCOUNTS = '{}' } = process.env;

// Your books use database tables, because this memory is lost: the owner of each virtual account, and one row for each payment.
const customers = new Map(Object.entries(JSON.parse(ACCOUNTS))); // {"va_…": "CUSTOMER-7"}
const credits = new Map(); // payment id → { customer, kobo, isReversed }
const unknown = new Map(); // payment id → { account, payment }: for a person

const toKobo = (naira) => Math.round(naira * 100);

const sumCredits = (customer) =>
  [...credits.values()]
    .filter((credit) => credit.customer === customer && !credit.isReversed)
    .reduce((sum, { kobo }) => sum + kobo, 0);

/** Books a payment once, however often an event, a list or an answer brings it. */
const book = (account, payment) => {
  const customer = customers.get(account.id);
  if (!customer) {
    // Do not answer with an error: the endpoint would be suspended, and other customers would wait for their money.
    unknown.set(payment.id, { account, payment });
    console.log(`look into ${payment.id}: ${payment.amount} naira on ${account.id}, which is no customer's account`);
    return;
  }
  if (payment.outcome === 'rejected') return; // its bank has the money back already
  const isReversed = payment.outcome === 'reversed';
  // In your books: insert a row with the payment's unique id, or mark that row as reversed, in one transaction.
  const before = credits.get(payment.id);
  // A reversal may arrive before its payment: a reversed payment stays reversed.
  credits.set(payment.id, {
    customer,
    kobo: toKobo(payment.amount),
    isReversed: isReversed || (before?.isReversed ?? false),
  });
};

const receive = ({ type, data, example }) => {
  if (example) return; // from "Test a webhook endpoint": its data is not real
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
  const candidates = signatures.split(' ').map((signature) => Buffer.from(signature));
  return candidates.some((candidate) => candidate.length === expected.length && timingSafeEqual(candidate, expected));
};

const answer = (request, body) => {
  const [, place, customer] = request.url.split('/');
  if (request.method === 'GET' && place === 'wallets') return [200, { naira: sumCredits(customer) / 100 }];
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
    console.error(error.message); // for example the database does not answer: the event is sent again
    response.writeHead(500).end();
  }
}).listen(PORT, '127.0.0.1', () => console.log('listening'));
