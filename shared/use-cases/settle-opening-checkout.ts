import { accountNameOf, opened } from '#shared/domain/checkout.ts';
import type { IntentStore, LiveProviders } from '#shared/ports.ts';
import type { LandDeps } from './land-money.ts';
import { matchWaiting } from './match-waiting.ts';

export interface SettleOpeningDeps extends LandDeps {
  readonly intents: IntentStore;
  readonly liveProviders: LiveProviders;
}

/**
 * The request that was opening a checkout has broken off. Where the provider has issued an account the checkout begins, so that
 * its money has an owner; else it is forgotten. Nobody has seen it: there is no event.
 * @returns false when the checkout is not being opened.
 * @throws what the provider's calls throw; it stays due.
 */
export const settleOpeningCheckout = async (deps: SettleOpeningDeps, reference: string): Promise<boolean> => {
  const before = await deps.intents.find(reference);
  if (before?.status !== 'opening' || !('reference' in before)) return false;
  if (before.settleAt > deps.now()) return true;
  const { amount, payerEmail, expiresAt, provider: name } = before;
  const provider = deps.liveProviders(name);
  if (!provider) return true;
  const known = await provider.lookUp({ by: 'our_reference', value: reference });
  const wanted = { reference, amount, payerEmail, expiresAt, accountName: accountNameOf(before) };
  const issued = known === 'unknown' ? undefined : await provider.createPaymentAccount(wanted);
  const after = issued ? opened(before, issued) : 'dropped';
  const settled = await deps.intents.settle([{ before, after }], undefined);
  if (settled === 'settled' && issued) await matchWaiting(deps, [{ provider: name, reference, accountNumber: null }]);
  return true;
};
