import type { Answer } from './requests.ts';
import type { Target } from './target.ts';

/* The attacked shop, and the addresses of those who call with its keys. */

/** The rate limits of a dev stage. An older local stack has no default. */
export const RATE_LIMITS = JSON.stringify({ live: 100, test: 25, publicAddress: 10 });
/** The attacker's address. */
export const MALLORY = '127.0.0.66';
/** The attacker's second address, for floods: after a flood, an address has no quota left for the next attempt. */
export const FLOODER = '127.0.0.65';
export const PAYER = '127.0.0.7';
/** The address of the shop's server, which owns the keys. */
export const SHOP = '127.0.0.8';

const order = { amount: 8_500, payer_email: 'ngozi.eze@example.com' };

/** Returns a function that starts a checkout of the shop with a key, from an address. */
export const starter =
  ({ ask, neighbour }: Pick<Target, 'ask' | 'neighbour'>) =>
  (key: string, from: string, more: object = {}, headers: Record<string, string> = {}): Promise<Answer> =>
    ask({
      method: 'POST',
      path: '/api/v1/checkout/initialize',
      key,
      from,
      body: { ...order, ...more },
      headers: { 'x-business-id': neighbour.id, ...headers },
    });
