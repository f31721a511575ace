import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import { beginCheckout, type OpeningCheckout, wantedOf } from '#shared/checkouts/domain/opening-checkout.ts';
import type { CheckoutIntents } from '#shared/checkouts/ports.ts';
import { type MatchWaitingDeps, matchWaiting } from '#shared/payments/use-cases/match-waiting.ts';
import type { Decided } from '#shared/platform/commit.ts';
import { invalid, Refusal } from '#shared/platform/kernel/errors.ts';
import { nairaFromKobo } from '#shared/platform/kernel/money.ts';
import type { Asker } from '#shared/platform/kernel/tenant.ts';
import type { Metrics } from '#shared/platform/observability/metrics.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import type { Claim } from '#shared/platform/requests/idempotency.ts';
import type { ReferenceHeld } from '#shared/platform/requests/reference-held.ts';
import { InputRefusal, NoReferenceLeft, ProviderBusy, requireProvider } from '#shared/providers/domain/errors.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { AccountIssuer, IssuedPaymentAccount, ProviderAllowance, Providers } from '#shared/providers/ports.ts';
import { askToOpen } from '#shared/providers/use-cases/ask-to-open.ts';
import {
  type BegunIntent,
  beginIntents,
  type Claiming,
  type Naming,
  type NotAdmitted,
} from '#shared/providers/use-cases/begin-intents.ts';
import { providerBusy } from '#shared/providers/use-cases/provider-busy.ts';
import { providerFailed } from '#shared/providers/use-cases/provider-failed.ts';

export interface OpenLiveCheckoutDeps extends MatchWaitingDeps, Pick<Runtime, 'wait'> {
  readonly providers: Providers;
  readonly checkoutIntents: CheckoutIntents;
  readonly providerAllowance: ProviderAllowance;
  readonly metrics: Metrics;
}

const BY_REFERENCE: Naming<OpeningCheckout> = {
  idOf: ({ reference }) => reference,
  under: (reference, intent, left) => ({
    ...intent,
    reference,
    // An intent that is resumed has already taken its merchant reference.
    formerHolder: left ? left.formerHolder && { ...left.formerHolder, revision: null } : intent.formerHolder,
  }),
};

/** Refuses an amount outside the provider's published limits, before anything is stored. */
const ensureWithinLimits = ({ amountLimits }: AccountIssuer, { amount, provider }: OpeningCheckout): void => {
  const { least = amount, most = amount } = amountLimits ?? {};
  const limit = amount < least ? `at least ${nairaFromKobo(least)}` : `at most ${nairaFromKobo(most)}`;
  if (amount < least || amount > most) {
    throw invalid({ field: 'amount', message: `amount must be ${limit} naira at ${provider}.` });
  }
};

/** The refusal of a checkout whose provider is not enabled or is busy. */
const refusalOf = (wanted: OpeningCheckout, reason: NotAdmitted): Refusal => {
  if (reason === 'not_enabled') {
    return new Refusal('provider_not_enabled', { message: `${wanted.provider} is not enabled for live mode here.` });
  }
  return providerBusy(wanted, reason);
};

/** The field that the provider refused, as far as it says. */
const wrongInput = (provider: ProviderName, { input }: InputRefusal): { field: string; message: string } =>
  input === 'amount'
    ? { field: 'amount', message: `amount is not one that ${provider} takes.` }
    : { field: 'payer_email', message: `payer_email or payer_name is not one that ${provider} takes.` };

/**
 * Requests the account from the provider. When the provider refused or was not reached, the intent is dropped. When the outcome is
 * unknown, the intent stays for a retry with the same Idempotency-Key, or for the sweeper.
 */
const issue = async (
  deps: OpenLiveCheckoutDeps,
  issuer: AccountIssuer | undefined,
  begun: BegunIntent<OpeningCheckout>,
  claim: Claim | undefined,
): Promise<IssuedPaymentAccount> => {
  const { intent: before } = begun;
  const opening = await askToOpen(deps, begun, () => requireProvider(issuer).createPaymentAccount(wantedOf(before)));
  if (opening.kind === 'opened') return opening.issued;
  const { error, mayExist } = opening;
  const { reference, businessId, provider } = before;
  const isDropped = !mayExist && (await deps.checkoutIntents.settle([{ kind: 'dropped', before }])) === 'settled';
  if (isDropped && error instanceof NoReferenceLeft) {
    deps.log('checkout_removed', { reference, business_id: businessId, provider }, error);
  }
  if (claim) await (isDropped ? deps.checkoutIntents.forget(claim) : deps.checkoutIntents.release(claim));
  if (error instanceof ProviderBusy) throw refusalOf(before, error);
  if (error instanceof InputRefusal) throw invalid(wrongInput(provider, error));
  throw providerFailed(before, error);
};

/** Queues money that arrived before the checkout was written. */
const matchEarlierMoney = async (
  deps: OpenLiveCheckoutDeps,
  { provider, reference, mode }: Checkout,
): Promise<void> => {
  if (mode === 'live') await matchWaiting(deps, [{ provider, reference, accountNumber: null }]);
};

/**
 * Starts a live checkout, or one of test mode whose provider answers slowly: stores the intent, calls the provider, then decides
 * to write the checkout. Money that arrived before is queued afterwards. A retry with the same Idempotency-Key continues
 * with the same reference, unless no attempt of it is left.
 * @throws validation_failed for an amount or a payer that the provider does not take; provider_not_enabled; provider_busy; provider_error;
 * service_unavailable if the sweeper settled the intent first; those of beginIntents.
 */
export const openLiveCheckout = async (
  deps: OpenLiveCheckoutDeps,
  asker: Asker,
  wanted: OpeningCheckout,
  claimed: Claiming | undefined,
): Promise<Decided<Checkout> | ReferenceHeld> => {
  const issuer = deps.providers(wanted.mode, wanted.provider);
  if (issuer) ensureWithinLimits(issuer, wanted);
  issuer?.prefetchHealth?.('creations');
  const outcome = await beginIntents(deps.checkoutIntents, BY_REFERENCE, [wanted], claimed, async ({ provider }) =>
    issuer ? deps.providerAllowance.charge(asker, provider, 'creations') : 'not_enabled',
  );
  if ('kind' in outcome) return outcome;
  const [begun] = outcome;
  if (!begun) throw new Error('One intent was begun and none was returned.');
  if (begun.kind === 'not_admitted') throw refusalOf(begun.intent, begun.reason);
  // The sweeper may have opened it after the request that began it was interrupted.
  if (begun.kind === 'settled') return { result: begun.object, writes: [] };
  const before = begun.intent;
  const checkout = beginCheckout(
    before,
    await issue(deps, issuer, begun, claimed && { ...claimed.claim, intents: [before.reference] }),
  );
  return {
    result: checkout,
    writes: deps.checkoutIntents.settling([{ kind: 'created', before, object: checkout }]),
    again: async () => {
      throw new Refusal('service_unavailable', { retryAfterSeconds: 1 });
    },
    afterwards: () => matchEarlierMoney(deps, checkout),
  };
};
