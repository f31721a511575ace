import { latestAttempt } from '#shared/checkouts/domain/attempt.ts';
import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import {
  beginCheckout,
  moveOn,
  type OpeningCheckout,
  resumeOpening,
  toAccountRequest,
  withProvider,
} from '#shared/checkouts/domain/opening-checkout.ts';
import type { CheckoutIntents } from '#shared/checkouts/ports.ts';
import type { MatchWaitingDeps } from '#shared/payments/use-cases/match-waiting.ts';
import type { Decided } from '#shared/platform/commit.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import type { Kobo } from '#shared/platform/kernel/money.ts';
import type { ReferenceHeld } from '#shared/platform/requests/reference-held.ts';
import { NoReferenceLeft, OutcomePending } from '#shared/providers/domain/errors.ts';
import type { AccountIssuer, IssuedPaymentAccount, PaymentAccountRequest } from '#shared/providers/ports.ts';
import type { AskProvidersDeps, StartedIntent, UnopenedIntent } from '#shared/providers/use-cases/ask-providers.ts';
import {
  endClaim,
  type OpeningKind,
  openIntents,
  type PreparedClaim,
  type UnadmittedIntent,
} from '#shared/providers/use-cases/open-intents.ts';
import { matchEarlierMoney } from './match-earlier-money.ts';
import { findAmountError, makeCheckoutError } from './opening-errors.ts';
import type { Route } from './route-checkout.ts';

export interface OpenLiveCheckoutDeps extends MatchWaitingDeps, AskProvidersDeps {
  readonly checkoutIntents: CheckoutIntents;
}

type CheckoutKind = OpeningKind<OpeningCheckout, Checkout, IssuedPaymentAccount, ReferenceHeld>;

/** Starts the intent at the first provider that may be asked, or returns why none may. */
export const admitTo = async (
  route: Route,
  intent: OpeningCheckout,
): Promise<StartedIntent<OpeningCheckout> | UnadmittedIntent<OpeningCheckout>> => {
  const first = await route.first(intent, 1);
  return 'reason' in first
    ? { kind: 'not_admitted', intent, reason: first.reason }
    : { kind: 'begun', intent: withProvider(intent, first.provider), isResumed: false };
};

/**
 * Asks for a payment account. If the payer was promised an amount to pay (`promised`), the account must ask for the same amount.
 * @throws OutcomePending if the provider asks for another amount; nobody sees that account.
 */
export const openAtSameAmount = async (
  issuer: AccountIssuer,
  request: PaymentAccountRequest,
  promised: Kobo | undefined,
): Promise<IssuedPaymentAccount> => {
  const issued = await issuer.createPaymentAccount(request);
  if (promised === undefined || issued.amountToPay === promised) return issued;
  throw new OutcomePending('The provider asks the payer for another amount.');
};

const checkoutKind = ({ checkoutIntents, now }: OpenLiveCheckoutDeps, route: Route): CheckoutKind => ({
  intents: checkoutIntents,
  readId: ({ reference }) => reference,
  resumeIntent: resumeOpening,
  findProvider: (intent) => latestAttempt(intent).provider,
  admit: (intent) => admitTo(route, intent),
  open: (issuer, intent, until) =>
    openAtSameAmount(
      issuer,
      { ...toAccountRequest(intent), until },
      intent.attempts.length > 1 ? intent.amount : undefined,
    ),
  timeFor: route.timeFor,
  moveOn: async (unopened) => {
    const { intent: before, mayExist } = unopened;
    const provider = await route.next(unopened);
    if (!provider) return undefined;
    const after = moveOn(before, provider, { mayExist, openedAt: now() });
    const moved = await checkoutIntents.settle([{ kind: 'postponed', before, after }]);
    // Undefined if another process has settled the intent.
    return moved === 'settled' ? after : undefined;
  },
});

/**
 * Ends a request whose providers opened no account. The intent is dropped if the last provider rejected it or was not reached, and no
 * outcome is unknown. Otherwise it stays for a retry with the same Idempotency-Key, or for the sweeper.
 */
const giveUp = async (
  deps: OpenLiveCheckoutDeps,
  { intent: before, error, mayExist }: UnopenedIntent<OpeningCheckout>,
  claimed: PreparedClaim | undefined,
): Promise<void> => {
  const { reference, businessId, attempts } = before;
  const { provider } = latestAttempt(before);
  const isAnyOpen = mayExist || attempts.some(({ state }) => state === 'unknown');
  const isDropped = !isAnyOpen && (await deps.checkoutIntents.settle([{ kind: 'dropped', before }])) === 'settled';
  if (isDropped && error instanceof NoReferenceLeft) {
    deps.log('checkout_removed', { reference, business_id: businessId, provider }, error);
  }
  await endClaim(deps.checkoutIntents, claimed, [reference], !isDropped);
};

/**
 * Starts a live checkout, or a test checkout whose provider answers slowly: stores the intent, asks one provider after the other along the
 * route, then decides to write the checkout. Afterwards it queues money that arrived earlier. A retry with the same Idempotency-Key
 * continues with the attempts of the first request, if any are left.
 * @throws ApiError validation_failed for an amount or a payer that the provider does not accept; provider_not_enabled; provider_busy;
 * provider_error; service_unavailable if the sweeper settled the intent first; the errors of openIntents.
 */
export const openLiveCheckout = async (
  deps: OpenLiveCheckoutDeps,
  route: Route,
  intent: OpeningCheckout,
  claimed: PreparedClaim | undefined,
): Promise<Decided<Checkout> | ReferenceHeld> => {
  const amountError = findAmountError(deps, intent, route);
  if (amountError) throw amountError;
  const outcome = await openIntents(deps, checkoutKind(deps, route), [intent], claimed);
  if ('kind' in outcome) return outcome;
  const [opened] = outcome;
  if (!opened) throw new Error('One intent was begun and none was returned.');
  // The sweeper may have opened the checkout after an interrupted request.
  if (opened.kind === 'settled') return { result: opened.object, writes: [] };
  if (opened.kind === 'not_opened') await giveUp(deps, opened, claimed);
  if (opened.kind !== 'opened') throw makeCheckoutError(intent, route);
  const before = opened.intent;
  const checkout = beginCheckout(before, latestAttempt(before), opened.issued, deps.now());
  return {
    result: checkout,
    writes: deps.checkoutIntents.buildSettlingWrites([{ kind: 'created', before, object: checkout }]),
    again: async () => {
      throw new ApiError('service_unavailable', { retryAfterSeconds: 1 });
    },
    afterwards: () => matchEarlierMoney(deps, checkout),
  };
};
