import { randomUUID } from 'node:crypto';
import type { Answered, Asked, Client } from '#test/bench/requests.ts';
import { openHook } from './hooks.ts';
import { addHook, type CheckoutBook, type Landed, type LoadMerchant } from './merchants.ts';

/* The actions of merchants. Every answer is checked and recorded by its merchant. */

/** Requests of each kind with the status that they were answered with, and what was answered wrongly. */
export interface Traffic {
  readonly answers: Map<string, number>;
  readonly wrong: string[];
  readonly times: number[];
}
export const noTraffic = (): Traffic => ({ answers: new Map(), wrong: [], times: [] });

export interface Scene {
  readonly client: Client;
  readonly traffic: Traffic;
  readonly draw: () => number;
}

type Action = (scene: Scene, merchant: LoadMerchant) => Promise<void>;

const koboOf = (naira: number): number => Math.round(naira * 100);
const nairaOf = (kobo: number): number => kobo / 100;
const pick = <T>(draw: () => number, from: readonly T[]): T | undefined => from[Math.floor(draw() * from.length)];

/** Sends a request and counts its answer. An unexpected status is recorded as wrong, and undefined is returned. */
const ask = async (
  { client, traffic }: Scene,
  what: string,
  { key }: LoadMerchant,
  request: Omit<Asked, 'key'>,
  ...expected: number[]
): Promise<Answered | undefined> => {
  const path = `/api/v1${request.path}`;
  try {
    const answered = await client.ask({ ...request, path, key });
    const counted = `${what} ${answered.status}`;
    traffic.answers.set(counted, (traffic.answers.get(counted) ?? 0) + 1);
    traffic.times.push(answered.ms);
    if (expected.includes(answered.status)) return answered;
    traffic.wrong.push(`${what} was answered with ${answered.status}: ${answered.text.slice(0, 200)}`);
  } catch (error) {
    traffic.wrong.push(`${what} was not answered: ${error instanceof Error ? error.message : 'unknown'}`);
  }
  return undefined;
};
const dataIn = ({ text }: Answered) => JSON.parse(text).data;

const start = async (scene: Scene, merchant: LoadMerchant): Promise<CheckoutBook | undefined> => {
  const amount = 100_000 + Math.floor(scene.draw() * 5_000_000);
  const body = { amount: nairaOf(amount), payer_email: 'ngozi.eze@example.com', expires_in: 86_400 };
  const answered = await ask(
    scene,
    'initialize',
    merchant,
    { method: 'POST', path: '/checkout/initialize', body },
    201,
  );
  if (!answered) return undefined;
  const book: CheckoutBook = { reference: dataIn(answered).reference, amount, landed: [], failed: false };
  merchant.checkouts.set(book.reference, book);
  return book;
};
const initialize: Action = async (scene, merchant) => {
  const book = await start(scene, merchant);
  if (book) merchant.open.push(book);
};

/** The payment of a simulation's answer: the newest of the checkout. */
const noteLanding = (scene: Scene, book: CheckoutBook, answered: Answered): Landed | undefined => {
  const [newest] = dataIn(answered).payments as { id: string; amount: number }[];
  if (!newest || book.landed.some(({ paymentId }) => paymentId === newest.id)) {
    scene.traffic.wrong.push(`A simulation of ${book.reference} answered without a new payment.`);
    return undefined;
  }
  const landed = { paymentId: newest.id, kobo: koboOf(newest.amount) };
  book.landed.push(landed);
  return landed;
};
const dueOf = ({ amount, landed }: CheckoutBook): number => amount - landed.reduce((sum, { kobo }) => sum + kobo, 0);
const SIMULATE = { method: 'POST', path: '/checkout/sandbox/simulate' } as const;

/** Pays a checkout exactly, below or above, fails it, or sends the simulation twice. Only one action uses a checkout at a time. */
const simulate: Action = async (scene, merchant) => {
  const book = merchant.open.shift();
  if (!book) return initialize(scene, merchant);
  const { reference } = book;
  const due = dueOf(book);
  const pay = async (kobo: number | undefined): Promise<void> => {
    const body = { reference, ...(kobo !== undefined && { amount: nairaOf(kobo) }) };
    const answered = await ask(scene, 'simulate', merchant, { ...SIMULATE, body }, 200);
    const landed = answered && noteLanding(scene, book, answered);
    if (!landed) return;
    const wanted = kobo ?? due;
    if (landed.kobo !== wanted) scene.traffic.wrong.push(`${reference} took ${landed.kobo} kobo for ${wanted}.`);
    if (dueOf(book) > 0) merchant.open.push(book);
  };
  const chance = scene.draw();
  if (chance < 0.5) return pay(undefined);
  if (chance < 0.65) return pay(Math.max(1, Math.floor(due / 2)));
  if (chance < 0.75) return pay(due + 50_000);
  // What has money cannot fail.
  if (chance < 0.8 && book.landed.length === 0) {
    const body = { reference, status: 'failed' };
    const answered = await ask(scene, 'simulate failed', merchant, { ...SIMULATE, body }, 200);
    if (answered) book.failed = true;
    return;
  }
  if (chance < 0.9) {
    // The same request with the same Idempotency-Key must give the first answer, byte for byte, and one payment.
    const again = { ...SIMULATE, body: { reference }, idempotencyKey: randomUUID() };
    const first = await ask(scene, 'simulate', merchant, again, 200);
    const second = await ask(scene, 'simulate repeated', merchant, again, 200);
    if (first) noteLanding(scene, book, first);
    if (first && second && first.text !== second.text) scene.traffic.wrong.push(`${reference} was answered anew.`);
    return;
  }
  // Two concurrent simulations of the same payment: one succeeds, the other is answered that the checkout is paid.
  const both = await Promise.all(
    [1, 2].map(() => ask(scene, 'simulate at once', merchant, { ...SIMULATE, body: { reference } }, 200, 409)),
  );
  const won = both.filter((answered) => answered?.status === 200);
  if (won.length !== 1) scene.traffic.wrong.push(`${won.length} of two payments at once landed on ${reference}.`);
  for (const answered of won) if (answered) noteLanding(scene, book, answered);
};

/** Starts a checkout and pays it in full. Every merchant does it at least once, so that every kind of endpoint receives an event. */
export const sell: Action = async (scene, merchant) => {
  const book = await start(scene, merchant);
  if (!book) return;
  const body = { reference: book.reference };
  const answered = await ask(scene, 'simulate', merchant, { ...SIMULATE, body }, 200);
  if (answered) noteLanding(scene, book, answered);
};

const createAccounts: Action = async (scene, merchant) => {
  const body = {
    customer_name: 'Adaeze Okafor',
    customer_phone: '+2348031234567',
    customer_email: `customer-${merchant.accounts.size}@example.com`,
    banks: ['paystack', 'monnify'],
  };
  const answered = await ask(
    scene,
    'create accounts',
    merchant,
    { method: 'POST', path: '/virtual-accounts', body },
    201,
  );
  if (!answered) return;
  const { accounts } = JSON.parse(answered.text) as { accounts: { id: string }[] };
  for (const { id } of accounts) merchant.accounts.set(id, []);
};

const payAccount: Action = async (scene, merchant) => {
  const id = pick(scene.draw, [...merchant.accounts.keys()]);
  if (id === undefined) return createAccounts(scene, merchant);
  const kobo = 1 + Math.floor(scene.draw() * 10_000_000);
  const path = `/virtual-accounts/${id}/sandbox/simulate`;
  const request = { method: 'POST', path, body: { amount: nairaOf(kobo) } } as const;
  const answered = await ask(scene, 'simulate account', merchant, request, 200);
  if (answered) merchant.accounts.get(id)?.push({ paymentId: dataIn(answered).id, kobo });
};

const verify: Action = async (scene, merchant) => {
  const reference = pick(scene.draw, [...merchant.checkouts.keys()]);
  if (reference === undefined) return initialize(scene, merchant);
  await ask(scene, 'verify', merchant, { method: 'GET', path: `/checkout/verify/${reference}` }, 200);
};

const list =
  (what: string, path: string): Action =>
  async (scene, merchant) => {
    await ask(scene, what, merchant, { method: 'GET', path }, 200);
  };

/** Creates an endpoint, tests it, changes it, rotates its secret and deletes it. Its test event is recorded too. */
const manageEndpoint: Action = async (scene, merchant) => {
  const { client } = scene;
  const hook = await openHook('healthy', 0);
  const path = '/webhook-endpoints';
  try {
    await addHook(client, merchant, hook, ['endpoint.test']);
  } catch (error) {
    scene.traffic.wrong.push(error instanceof Error ? error.message : 'An endpoint was not created.');
    return hook.stop();
  }
  const id = hook.issued?.id ?? '';
  const tested = await ask(scene, 'test endpoint', merchant, { method: 'POST', path: `${path}/${id}/test` }, 201);
  if (tested) merchant.tests.set(dataIn(tested).id, id);
  const changed = { method: 'PATCH', path: `${path}/${id}`, body: { events: ['endpoint.test'] } } as const;
  await ask(scene, 'change endpoint', merchant, changed, 200);
  await ask(scene, 'list endpoints', merchant, { method: 'GET', path }, 200);
  const rotated = { method: 'POST', path: `${path}/${id}/rotate-secret`, body: {} } as const;
  await ask(scene, 'rotate secret', merchant, rotated, 200);
  await ask(scene, 'delete endpoint', merchant, { method: 'DELETE', path: `${path}/${id}` }, 200);
};

/** How often each action is drawn, of about a hundred. */
const MIX: readonly (readonly [number, Action])[] = [
  [28, initialize],
  [28, simulate],
  [18, verify],
  [6, list('list checkouts', '/checkouts')],
  [4, createAccounts],
  [7, payAccount],
  [5, list('list events', '/events?limit=10')],
  [2, list('list accounts', '/virtual-accounts')],
  [2, manageEndpoint],
];
const WEIGHT = MIX.reduce((sum, [weight]) => sum + weight, 0);

/** Draws an action by its frequency. */
export const drawAction = (draw: () => number): Action => {
  let left = draw() * WEIGHT;
  for (const [weight, action] of MIX) {
    left -= weight;
    if (left < 0) return action;
  }
  return verify;
};
