import { MINUTE } from '#shared/platform/kernel/time.ts';
import type { RecordedStage } from './stage.ts';
import { type Ask, makeCustomer, makeIdempotencyHeaders, PAYER } from './steps.ts';

/** Lets every kind of call to a provider get a 429. The provider's breaker remembers it for all containers. */
export const playProviderLimits = async (stage: RecordedStage, ask: Ask): Promise<void> => {
  const { simulator } = stage;
  const withLimit = async (provider: 'paystack' | 'monnify' | 'korapay', work: () => Promise<unknown>) => {
    // Let the previous limit pass.
    stage.clock.advance(MINUTE);
    simulator.fault(provider, { kind: 'rate_limited', retryAfter: '5', times: 1 });
    await work();
    await simulator.settled();
    simulator.fault(provider, null);
  };
  const paystack = await ask(201, 'POST', '/virtual-accounts', { ...makeCustomer(), provider: 'paystack' });
  const monnify = await ask(201, 'POST', '/virtual-accounts', { ...makeCustomer(), provider: 'monnify' });
  const checkout = { amount: 9_500, ...PAYER, provider: 'korapay' };
  const { data } = await ask(201, 'POST', '/checkout/initialize', checkout);

  await withLimit('korapay', () => ask(503, 'POST', '/checkout/initialize', checkout, makeIdempotencyHeaders()));
  // No account is open, but a repeated request might open one. So the Idempotency-Key is released.
  const request = { ...makeCustomer(), provider: 'monnify' };
  await withLimit('monnify', () => ask(422, 'POST', '/virtual-accounts', request, makeIdempotencyHeaders()));
  // Monnify's account may be open, because its answer was lost. So the Idempotency-Key is kept, and the same request continues with the other.
  const [both, headers] = [{ ...makeCustomer(), banks: ['korapay', 'monnify'] }, makeIdempotencyHeaders()];
  simulator.fault('monnify', { kind: 'lost_answer', path: /reserved-accounts$/ });
  await withLimit('korapay', () => ask(422, 'POST', '/virtual-accounts', both, headers));
  simulator.fault('monnify', null);
  stage.clock.advance(MINUTE);
  await ask(201, 'POST', '/virtual-accounts', both, headers);
  await withLimit('paystack', () => ask(503, 'DELETE', `/virtual-accounts/${paystack.accounts[0].id}`));
  await withLimit('monnify', () => ask(503, 'POST', `/virtual-accounts/${monnify.accounts[0].id}/delete`, {}));
  await withLimit('korapay', () => ask(503, 'POST', `/checkouts/${data.reference}/expire`));
  await withLimit('korapay', () => ask(503, 'POST', `/checkouts/${data.reference}/requery`));
  stage.clock.advance(MINUTE);
  await withLimit('korapay', () => stage.reportTransfer(data.checkout_url));
  const accountNumber = data.account_number;
  await withLimit('korapay', () =>
    simulator.pay({ provider: 'korapay', accountNumber, amount: Math.round(data.amount_to_pay * 100) }),
  );
  await withLimit('korapay', () => stage.sweep());
};
