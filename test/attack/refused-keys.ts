import { setTimeout as wait } from 'node:timers/promises';
import type { Attempt } from './attempt.ts';
import { type Answer, formatStatusCounts } from './requests.ts';
import { MALLORY, PAYER, RATE_LIMITS, SHOP, starter } from './shop.ts';
import { startTarget, type Target, type TargetOptions } from './target.ts';

const FLOOD_MS = 700;
/** Milliseconds to wait after a second has begun, because a timer may fire a little early. */
const AFTER_BEGIN_MS = 20;
const SECOND_MS = 1_000;
/** The number of requests that the owner sends after the flood, in the same second. */
const OWNER_REQUESTS = 10;

const list = (target: Target, key: string, from: string): Promise<Answer> =>
  target.ask({ path: '/api/v1/checkouts', key, from });

/** Sends requests in turn within one second, as one Lambda container handles them, then those of the owner. Counts the table calls of the flood. */
const floodOneSecond = async (
  target: Target,
  attempt: string,
  send: () => Promise<Answer>,
  owner: () => Promise<string>,
): Promise<Attempt> => {
  await wait(SECOND_MS - (Date.now() % SECOND_MS) + AFTER_BEGIN_MS);
  target.takeCosts();
  const until = Date.now() + FLOOD_MS;
  const answers: Answer[] = [];
  while (Date.now() < until) answers.push(await send());
  const { reads, writes } = target.takeCosts();
  const harm = `${reads} reads and ${writes} writes of the table; ${await owner()}`;
  return {
    door: '7 refused keys',
    attempt: `${attempt}, for ${FLOOD_MS} ms of a second`,
    cost: formatStatusCounts(answers),
    harm,
  };
};

/** Sends the owner's requests from another address or with another key, and summarises the answers. */
const summariseOwner = async (owner: string, work: () => Promise<Answer>): Promise<string> => {
  const answers: Answer[] = [];
  for (let i = 0; i < OWNER_REQUESTS; i++) answers.push(await work());
  return `${owner}, in the same second: ${formatStatusCounts(answers)}`;
};

/** Floods with the public key that each page of the shop shows: requests over the limit of an address must cost no table call. */
const floodWithPublicKey = (target: Target): Promise<Attempt> => {
  const { neighbour } = target;
  const open = starter(target);
  return floodOneSecond(
    target,
    'checkouts with a public key from one address',
    () => open(neighbour.key('public', 'test'), MALLORY),
    async () =>
      `${await summariseOwner('a payer at another address', () => open(neighbour.key('public', 'test'), PAYER))}; ${await summariseOwner("the shop's server", () => open(neighbour.key('secret', 'test'), SHOP))}`,
  );
};

/** Floods with a key that got its whitelist after a container had admitted it. */
const floodWithStolenKey = async (target: Target): Promise<Attempt> => {
  const key = target.neighbour.key('secret', 'live');
  await list(target, key, MALLORY);
  await target.operate('whitelist', 'set', target.neighbour.keyId('secret', 'live'), SHOP);
  return floodOneSecond(
    target,
    'a stolen key from an address outside its whitelist',
    () => list(target, key, MALLORY),
    () => summariseOwner('its owner', () => list(target, key, SHOP)),
  );
};

const floodWithRevokedKey = async (target: Target): Promise<Attempt> => {
  const key = target.attacker.key('secret', 'live');
  await list(target, key, MALLORY);
  await target.operate('key', 'revoke', target.attacker.keyId('secret', 'live'));
  return floodOneSecond(
    target,
    'a revoked key',
    () => list(target, key, MALLORY),
    () =>
      summariseOwner('its business, with another key', () => list(target, target.attacker.key('secret', 'test'), SHOP)),
  );
};

const floodAsSuspendedBusiness = async (target: Target): Promise<Attempt> => {
  const key = target.attacker.key('secret', 'test');
  await list(target, key, MALLORY);
  await target.operate('business', 'suspend', target.attacker.id);
  return floodOneSecond(
    target,
    'the key of a suspended business',
    () => list(target, key, MALLORY),
    () => summariseOwner('a neighbour', () => list(target, target.neighbour.key('secret', 'live'), SHOP)),
  );
};

/** Attacks a business with a key of it that the API refuses. */
export const attackWithRefusedKeys = async (options: TargetOptions): Promise<Attempt[]> => {
  const target = await startTarget({ ...options, env: { RATE_LIMITS } });
  try {
    const attempts: Attempt[] = [];
    for (const attack of [floodWithPublicKey, floodWithStolenKey, floodWithRevokedKey, floodAsSuspendedBusiness])
      attempts.push(await attack(target));
    return attempts;
  } finally {
    await target.stop();
  }
};
