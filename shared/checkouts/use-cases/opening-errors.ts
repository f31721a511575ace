import type { OpeningCheckout } from '#shared/checkouts/domain/opening-checkout.ts';
import { ApiError, type FailureAtProvider, invalid } from '#shared/platform/kernel/errors.ts';
import { nairaFromKobo } from '#shared/platform/kernel/money.ts';
import { didNothing, InputError, OutcomeUnknown, ProviderBusy } from '#shared/providers/domain/errors.ts';
import type { ProviderFailureCode } from '#shared/providers/domain/failure-code.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { providerSentence } from '#shared/providers/domain/provider-sentence.ts';
import type { Providers } from '#shared/providers/ports.ts';
import { isOurFault } from '#shared/providers/use-cases/ask-providers.ts';
import { providerBusy } from '#shared/providers/use-cases/provider-busy.ts';
import { providerFailed } from '#shared/providers/use-cases/provider-failed.ts';
import type { Failure, Route } from './route-checkout.ts';

type CheckoutFacts = Pick<OpeningCheckout, 'mode' | 'amount'>;

/**
 * Returns the API error if no provider may be asked, and the first one may not because the amount is outside its published limits.
 * Undefined in any other case.
 */
export const findAmountError = (
  { providers }: { readonly providers: Providers },
  { mode, amount }: CheckoutFacts,
  { passedOver, order: [provider] }: Route,
): ApiError | undefined => {
  if (!passedOver.some((entry) => entry.provider === provider && entry.why === 'amount')) return undefined;
  const { least = amount, most = amount } = providers(mode, provider)?.amountLimits ?? {};
  const limit = amount < least ? `at least ${nairaFromKobo(least)}` : `at most ${nairaFromKobo(most)}`;
  return invalid({ field: 'amount', message: `amount must be ${limit} naira at ${provider}.` });
};

/** Names the field that the provider rejected, as far as the provider says which. */
const describeInput = (provider: ProviderName, { input }: InputError): { field: string; message: string } =>
  input === 'amount'
    ? { field: 'amount', message: `amount is not accepted by ${provider}.` }
    : { field: 'payer_email', message: `payer_email or payer_name is not accepted by ${provider}.` };

/** Returns the API error for one provider's failure. */
const makeErrorAt = ({ mode }: CheckoutFacts, { provider, error }: Failure): ApiError => {
  const about = { provider, mode };
  if (error === 'not_enabled') {
    return new ApiError('provider_not_enabled', { message: `${provider} is not enabled for live mode here.` });
  }
  if (error instanceof ProviderBusy) return providerBusy(about, error);
  return error instanceof InputError ? invalid(describeInput(provider, error)) : providerFailed(about, error);
};

const failureCode = (error: Failure['error']): ProviderFailureCode => {
  if (error === 'not_enabled') return 'provider_not_enabled';
  if (error instanceof ProviderBusy) return 'provider_busy';
  if (error instanceof OutcomeUnknown) return 'outcome_unknown';
  return didNothing(error) ? 'provider_unreachable' : 'provider_refused';
};

const REASONS: Readonly<Record<ProviderFailureCode, string>> = {
  provider_not_enabled: 'is not enabled here.',
  provider_busy: 'takes no more requests right now.',
  provider_refused: 'rejected the request.',
  provider_unreachable: 'cannot be reached at the moment.',
  outcome_unknown: 'did not answer in time.',
};

const describeFailure = ({ mode }: CheckoutFacts, { provider, error }: Failure): FailureAtProvider => {
  const code = failureCode(error);
  return { provider, code, message: providerSentence(mode, `${provider} ${REASONS[code]}`) };
};

/**
 * Returns the API error if no provider opened another account:
 * - if the last provider was not asked because a dependency of ours failed: the error of that failure;
 * - otherwise, if a provider was busy and may still be asked (`remaining`): provider_busy, with the shortest wait;
 * - otherwise: no_other_provider.
 */
export const makeAnotherAccountError = (
  about: CheckoutFacts,
  { failures }: Pick<Route, 'failures'>,
  remaining: readonly ProviderName[],
): ApiError => {
  const last = failures.at(-1);
  if (last && isOurFault(last.error)) return makeErrorAt(about, last);
  const waits = failures.flatMap((failure) =>
    failure.error instanceof ProviderBusy && remaining.includes(failure.provider)
      ? [{ failure, waitMs: failure.error.waitMs }]
      : [],
  );
  const [soonest] = waits.toSorted((a, b) => a.waitMs - b.waitMs);
  if (soonest) return makeErrorAt(about, soonest.failure);
  return new ApiError('no_other_provider', { failures: failures.map((failure) => describeFailure(about, failure)) });
};

/** Returns the API error if no provider opened the checkout. */
export const makeCheckoutError = (about: CheckoutFacts, { failures }: Pick<Route, 'failures'>): ApiError => {
  const last = failures.at(-1);
  if (!last) throw new Error('A checkout was not opened, but no provider failed.');
  // If a provider may have opened an account, the error is not about the input: a merchant who corrects the body would start a second
  // checkout.
  const mayExist = failures.some(({ error }) => error instanceof OutcomeUnknown);
  const isInput = last.error instanceof InputError && !mayExist;
  if (failures.length === 1 || isInput || isOurFault(last.error)) return makeErrorAt(about, last);
  const descriptions = failures.map((failure) => describeFailure(about, failure));
  const busy = failures.flatMap(({ error }) => (error instanceof ProviderBusy ? [error.retryAfterSeconds] : []));
  if (busy.length === failures.length) {
    const message = providerSentence(about.mode, 'The providers take no more requests right now.');
    return new ApiError('provider_busy', { message, failures: descriptions, retryAfterSeconds: Math.min(...busy) });
  }
  const message = providerSentence(about.mode, 'None of the providers could complete the request. See errors.');
  return new ApiError('provider_error', { message, failures: descriptions });
};
