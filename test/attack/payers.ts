import { setTimeout as wait } from 'node:timers/promises';
import { type ProviderName, providerName } from '#shared/providers/domain/provider.ts';
import { openPayersCharge } from '#test/support/worlds/payers-charge.ts';
import type { Attempt } from './attempt.ts';
import { startTarget, type Target, type TargetOptions } from './target.ts';

/** In naira: the amount of the checkout, and the least that every provider accepts for a charge. */
const CHECKOUT_NAIRA = 100_000;
const CHARGE_NAIRA = 100;
const LANDS_WITHIN_MS = 5_000;
const POLL_MS = 250;

/** Pays a charge that the payer opened himself. Returns the state of the checkout, as the merchant reads it. */
const payOwnCharge = async (target: Target, provider: ProviderName, suffix: string): Promise<string> => {
  const key = target.neighbour.key('secret', 'live');
  const body = { amount: CHECKOUT_NAIRA, payer_email: 'mallory.bello@example.com', provider };
  const opened = await target.ask({ method: 'POST', path: '/api/v1/checkout/initialize', key, body });
  const { reference } = opened.json.data;
  const accountNumber = await openPayersCharge(target.providers, provider, {
    reference: `${reference}${suffix}`,
    naira: CHARGE_NAIRA,
  });
  await target.pay(accountNumber, CHARGE_NAIRA);
  const until = Date.now() + LANDS_WITHIN_MS;
  for (;;) {
    const { data } = (await target.ask({ path: `/api/v1/checkout/verify/${reference}`, key })).json;
    if (data.paid_amount > 0 || Date.now() > until) return `${provider} ${data.status}, ${data.paid_amount} naira`;
    await wait(POLL_MS);
  }
};

/** Attacks as a payer who opens his own charge at the provider, under a reference that only looks like his checkout's. */
export const attackAsPayer = async (options: TargetOptions): Promise<Attempt[]> => {
  const target = await startTarget(options);
  try {
    const attempts: Attempt[] = [];
    for (const suffix of ['-2', '-9']) {
      const outcomes = await Promise.all(
        providerName.options.map((provider) => payOwnCharge(target, provider, suffix)),
      );
      attempts.push({
        door: '1 providers',
        attempt: `a checkout over ${CHECKOUT_NAIRA} naira, and a charge of the payer’s own under PAY-…${suffix}`,
        cost: `${CHARGE_NAIRA} naira at each provider`,
        harm: `the checkout: ${outcomes.join('; ')}`,
      });
    }
    return attempts;
  } finally {
    await target.stop();
  }
};
