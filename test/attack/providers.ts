import { setTimeout as wait } from 'node:timers/promises';
import type { Attempt } from './attempt.ts';
import { flood, formatStatusCounts } from './requests.ts';
import { startTarget, type TargetOptions } from './target.ts';

/** Paystack's reported limits (providers.md section 0). An account takes two writes. */
const SIMULATOR_LIMITS = { reads: { calls: 600, seconds: 60 }, writes: { calls: 300, seconds: 60 } };
const CREATIONS = 200;
const CHECKOUTS = 5;
const LANDS_WITHIN_MS = 15_000;
const POLL_MS = 250;

const customer = (i: number) => ({
  customer_name: 'Chidi Eze',
  customer_phone: `+23480312345${String(i % 100).padStart(2, '0')}`,
  customer_email: `chidi.eze+${i}@example.com`,
  provider: 'paystack',
});

/** One merchant opens accounts as fast as it may. Another opens checkouts and is paid right after. */
export const attackProviders = async (options: TargetOptions): Promise<Attempt[]> => {
  const target = await startTarget({ ...options, simulatorLimits: SIMULATOR_LIMITS });
  try {
    const [attackerKey, neighbourKey] = [target.attacker.key('secret', 'live'), target.neighbour.key('secret', 'live')];
    const openCheckout = () => {
      const body = { amount: 8_500, payer_email: 'ngozi.eze@example.com', provider: 'paystack' };
      return target.ask({ method: 'POST', path: '/api/v1/checkout/initialize', key: neighbourKey, body });
    };
    const before = await flood(CHECKOUTS, openCheckout);
    const flooded = await flood(CREATIONS, (i) =>
      target.ask({ method: 'POST', path: '/api/v1/virtual-accounts', key: attackerKey, body: customer(i) }),
    );
    for (const { json } of before) await target.pay(json.data.account_number, json.data.amount_to_pay);
    const during = await flood(CHECKOUTS, openCheckout);
    const paid = new Set<string>();
    const until = Date.now() + LANDS_WITHIN_MS;
    while (paid.size < CHECKOUTS && Date.now() < until) {
      for (const { json } of before) {
        const path = `/api/v1/checkout/verify/${json.data.reference}`;
        if ((await target.ask({ path, key: neighbourKey })).json.data.paid) paid.add(json.data.reference);
      }
      await wait(POLL_MS);
    }
    return [
      {
        door: '1 providers',
        attempt: `${CREATIONS} accounts at once, at a provider that takes 300 writes a minute`,
        cost: formatStatusCounts(flooded),
        harm: `neighbour's checkouts: ${formatStatusCounts(during)}; its payments landed within 15 s: ${paid.size} of ${CHECKOUTS}`,
      },
    ];
  } finally {
    await target.stop();
  }
};
