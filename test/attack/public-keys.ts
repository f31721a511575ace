import { setTimeout as wait } from 'node:timers/promises';
import type { Attempt } from './attempt.ts';
import { type Answer, flood, formatStatusCounts } from './requests.ts';
import { FLOODER, MALLORY, PAYER, RATE_LIMITS, SHOP, starter } from './shop.ts';
import { startTarget, type Target, type TargetOptions } from './target.ts';

const FLOOD = 40;
const NEXT_WINDOW_MS = 1_100;
/** Longer than a window of the provider quota. */
const CREATIONS_FOR_MS = 12_000;
/** Slow enough that the shop's server stays within its provider quota. */
const CREATIONS_EVERY_MS = 1_250;

/** One browser starts live checkouts as fast as it may, while the shop's server and another payer start a few. */
const liveCreations = async (target: Target): Promise<Attempt> => {
  const open = starter(target);
  const [publicKey, secret] = [target.neighbour.key('public', 'live'), target.neighbour.key('secret', 'live')];
  const live = { provider: 'paystack' };
  const [flooded, server, payer]: [Answer[], Answer[], Answer[]] = [[], [], []];
  const until = Date.now() + CREATIONS_FOR_MS;
  while (Date.now() < until) {
    flooded.push(...(await flood(FLOOD, () => open(publicKey, MALLORY, live))));
    server.push(await open(secret, SHOP, live));
    // A payer starts one checkout, perhaps two.
    if (payer.length < 2) payer.push(await open(publicKey, PAYER, live));
    await wait(CREATIONS_EVERY_MS);
  }
  return {
    door: '2 public keys',
    attempt: `live checkouts from one address, for ${CREATIONS_FOR_MS / 1_000} s`,
    cost: formatStatusCounts(flooded),
    harm: `the shop's own server: ${formatStatusCounts(server)}; a payer at another address: ${formatStatusCounts(payer)}`,
  };
};

/** Uses the Idempotency-Key of an order before the payer's browser does. Then uses that of another order after it, with the same body. */
const takeIdempotencyKey = async (target: Target): Promise<Attempt> => {
  const open = starter(target);
  const publicKey = target.neighbour.key('public', 'test');
  const [first, second] = ['order-1001', 'order-1002'].map((key) => ({ 'idempotency-key': key }));
  const squatted = await open(publicKey, MALLORY, { amount: 1 }, first);
  const payer = await open(publicKey, PAYER, {}, first);
  const payerCheckout = await open(publicKey, PAYER, {}, second);
  const malloryCheckout = await open(publicKey, MALLORY, {}, second);
  const isSame = malloryCheckout.json.data?.reference === payerCheckout.json.data?.reference;
  return {
    door: '2 public keys',
    attempt: "take the Idempotency-Key of a payer's order",
    cost: `one request each: ${formatStatusCounts([squatted, malloryCheckout])}`,
    harm: `the payer, with that key: ${payer.status}; the payer's checkout shown to the attacker: ${isSame ? 'yes' : 'no'}`,
  };
};

/** Attacks with only the shop's public key, which every page of the shop shows. */
const attempts = async (target: Target): Promise<Attempt[]> => {
  const { neighbour } = target;
  const [publicKey, secret] = [neighbour.key('public', 'test'), neighbour.key('secret', 'test')];
  const open = starter(target);

  const flooded = await flood(FLOOD, () => open(publicKey, FLOODER));
  const payer = await open(publicKey, PAYER);
  await wait(NEXT_WINDOW_MS);

  const invoice = { merchant_reference: 'INV-2026-0117' };
  const attackerWithReference = await open(publicKey, MALLORY, invoice);
  const server = await open(secret, SHOP, invoice);
  const attackerWithKey = await open(publicKey, MALLORY, {}, { 'idempotency-key': 'order-2026-11-20-0118' });
  const serverWithKey = await open(secret, SHOP, { amount: 9_000 }, { 'idempotency-key': 'order-2026-11-20-0118' });
  await wait(NEXT_WINDOW_MS);

  await open(secret, SHOP, { merchant_reference: 'INV-2026-0119' });
  const guesses = await Promise.all(
    ['INV-2026-0119', 'INV-2026-9999'].map((merchant_reference) => open(publicKey, MALLORY, { merchant_reference })),
  );
  await wait(NEXT_WINDOW_MS);
  const payersKeyAttack = await takeIdempotencyKey(target);
  return [
    {
      door: '2 public keys',
      attempt: `${FLOOD} checkouts from one address`,
      cost: formatStatusCounts(flooded),
      harm: `a payer at another address, in the same second: ${payer.status}`,
    },
    {
      door: '2 public keys',
      attempt: 'take the merchant_reference of an invoice',
      cost: `one request: ${attackerWithReference.status}`,
      harm: `the shop's own server, with that reference: ${server.status}`,
    },
    {
      door: '2 public keys',
      attempt: 'take the Idempotency-Key of an order',
      cost: `one request: ${attackerWithKey.status}`,
      harm: `the shop's own server, with that key: ${serverWithKey.status}`,
    },
    {
      door: '2 public keys',
      attempt: 'ask whether an invoice exists',
      cost: 'one request each',
      harm: `one that does: ${guesses[0]?.status}; one that does not: ${guesses[1]?.status}`,
    },
    payersKeyAttack,
    await liveCreations(target),
  ];
};

/** Attacks a shop as a stranger who has the shop's public key. */
export const attackPublicKeys = async (options: TargetOptions): Promise<Attempt[]> => {
  const target = await startTarget({ ...options, env: { RATE_LIMITS } });
  try {
    return await attempts(target);
  } finally {
    await target.stop();
  }
};
