import type { Answer } from './requests.ts';
import type { Target } from './target.ts';

/* The shop whose keys are attacked, and those who call with them. */

/** Those of a dev stage; an older local stack has none by itself. */
export const RATE_LIMITS = JSON.stringify({ live: 100, test: 25, publicAddress: 10 });
/** The attacker. */
export const MALLORY = '127.0.0.66';
/** Another address of the attacker, for floods: one that floods has no quota left for what comes next. */
export const FLOODER = '127.0.0.65';
export const PAYER = '127.0.0.7';
/** The server of the shop, which owns the keys. */
export const SHOP = '127.0.0.8';

const order = { amount: 8_500, payer_email: 'ngozi.eze@example.com' };

/** Starts checkouts of the shop: with a key, from an address. */
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
