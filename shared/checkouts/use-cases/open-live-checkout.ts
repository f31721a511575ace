import { latestAttempt, shownAttempt } from '#shared/checkouts/domain/attempt.ts';
import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import {
  askedAbout,
  beginCheckout,
  type OpeningCheckout,
  resumeOpening,
  wantedOf,
} from '#shared/checkouts/domain/opening-checkout.ts';
import type { CheckoutIntents } from '#shared/checkouts/ports.ts';
import { type MatchWaitingDeps, matchWaiting } from '#shared/payments/use-cases/match-waiting.ts';
import type { Decided } from '#shared/platform/commit.ts';
import { invalid, Refusal } from '#shared/platform/kernel/errors.ts';
import { nairaFromKobo } from '#shared/platform/kernel/money.ts';
import type { Asker } from '#shared/platform/kernel/tenant.ts';
import type { ReferenceHeld } from '#shared/platform/requests/reference-held.ts';
import { InputRefusal, NoReferenceLeft, ProviderBusy } from '#shared/providers/domain/errors.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { AccountIssuer, IssuedPaymentAccount } from '#shared/providers/ports.ts';
import {
  type Claiming,
  endClaim,
  type NotAdmitted,
  type OpenedIntent,
  type OpenIntentsDeps,
  type OpeningKind,
  openIntents,
} from '#shared/providers/use-cases/open-intents.ts';
import { providerBusy } from '#shared/providers/use-cases/provider-busy.ts';
import { providerFailed } from '#shared/providers/use-cases/provider-failed.ts';

export interface OpenLiveCheckoutDeps extends MatchWaitingDeps, OpenIntentsDeps {
  readonly checkoutIntents: CheckoutIntents;
}

type CheckoutKind = OpeningKind<OpeningCheckout, Checkout, IssuedPaymentAccount, ReferenceHeld>;
type OpenedCheckout = OpenedIntent<OpeningCheckout, Checkout, IssuedPaymentAccount>;

const kindOf = ({ checkoutIntents }: OpenLiveCheckoutDeps): CheckoutKind => ({
  intents: checkoutIntents,
  idOf: ({ reference }) => reference,
  resumed: resumeOpening,
  providerOf: (intent) => latestAttempt(intent).provider,
  open: (issuer, intent) => issuer.createPaymentAccount(wantedOf(intent)),
});

/** Refuses an amount outside the provider's published limits, before anything is stored. */
const ensureWithinLimits = ({ amountLimits }: AccountIssuer, intent: OpeningCheckout): void => {
  const { amount } = intent;
  const { least = amount, most = amount } = amountLimits ?? {};
  const limit = amount < least ? `at least ${nairaFromKobo(least)}` : `at most ${nairaFromKobo(most)}`;
  if (amount < least || amount > most) {
    throw invalid({ field: 'amount', message: `amount must be ${limit} naira at ${latestAttempt(intent).provider}.` });
  }
};

/** The refusal of a checkout whose provider is not enabled or is busy. */
const refusalOf = (intent: OpeningCheckout, reason: NotAdmitted): Refusal => {
  const about = askedAbout(intent);
  if (reason === 'not_enabled') {
    return new Refusal('provider_not_enabled', { message: `${about.provider} is not enabled for live mode here.` });
  }
  return providerBusy(about, reason);
};

/** The field that the provider refused, as far as it says. */
const wrongInput = (provider: ProviderName, { input }: InputRefusal): { field: string; message: string } =>
  input === 'amount'
    ? { field: 'amount', message: `amount is not one that ${provider} takes.` }
    : { field: 'payer_email', message: `payer_email or payer_name is not one that ${provider} takes.` };

/**
 * Ends a request whose provider opened no account, and returns its refusal. When the provider refused or was not reached, the intent is
 * dropped. When the outcome is unknown, the intent stays for a retry with the same Idempotency-Key, or for the sweeper.
 */
const giveUp = async (
  deps: OpenLiveCheckoutDeps,
  { intent: before, error, mayExist }: Extract<OpenedCheckout, { kind: 'not_opened' }>,
  claimed: Claiming | undefined,
): Promise<Refusal> => {
  const { reference, businessId } = before;
  const about = askedAbout(before);
  const isDropped = !mayExist && (await deps.checkoutIntents.settle([{ kind: 'dropped', before }])) === 'settled';
  if (isDropped && error instanceof NoReferenceLeft) {
    deps.log('checkout_removed', { reference, business_id: businessId, provider: about.provider }, error);
  }
  await endClaim(deps.checkoutIntents, claimed, [reference], !isDropped);
  if (error instanceof ProviderBusy) return refusalOf(before, error);
  return error instanceof InputRefusal ? invalid(wrongInput(about.provider, error)) : providerFailed(about, error);
};

/** Queues money that arrived before the checkout was written. */
const matchEarlierMoney = async (deps: OpenLiveCheckoutDeps, checkout: Checkout): Promise<void> => {
  const { reference, mode } = checkout;
  const { provider } = shownAttempt(checkout);
  if (mode === 'live') await matchWaiting(deps, [{ provider, reference, accountNumber: null }]);
};

/**
 * Starts a live checkout, or one of test mode whose provider answers slowly: stores the intent, calls the provider, then decides
 * to write the checkout. Money that arrived before is queued afterwards. A retry with the same Idempotency-Key continues
 * with the same reference, unless no attempt of it is left.
 * @throws validation_failed for an amount or a payer that the provider does not take; provider_not_enabled; provider_busy; provider_error;
 * service_unavailable if the sweeper settled the intent first; those of openIntents.
 */
export const openLiveCheckout = async (
  deps: OpenLiveCheckoutDeps,
  asker: Asker,
  wanted: OpeningCheckout,
  claimed: Claiming | undefined,
): Promise<Decided<Checkout> | ReferenceHeld> => {
  const { provider, mode } = askedAbout(wanted);
  const issuer = deps.providers(mode, provider);
  if (issuer) ensureWithinLimits(issuer, wanted);
  const outcome = await openIntents(deps, kindOf(deps), asker, [wanted], claimed);
  if ('kind' in outcome) return outcome;
  const [opened] = outcome;
  if (!opened) throw new Error('One intent was begun and none was returned.');
  if (opened.kind === 'not_admitted') throw refusalOf(opened.intent, opened.reason);
  // The sweeper may have opened it after the request that began it was interrupted.
  if (opened.kind === 'settled') return { result: opened.object, writes: [] };
  if (opened.kind === 'not_opened') throw await giveUp(deps, opened, claimed);
  const before = opened.intent;
  const checkout = beginCheckout(before, opened.issued, deps.now());
  return {
    result: checkout,
    writes: deps.checkoutIntents.settling([{ kind: 'created', before, object: checkout }]),
    again: async () => {
      throw new Refusal('service_unavailable', { retryAfterSeconds: 1 });
    },
    afterwards: () => matchEarlierMoney(deps, checkout),
  };
};
