import { DependencyUnavailable } from '#shared/platform/kernel/errors.ts';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import type { Metrics } from '#shared/platform/observability/metrics.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import {
  isProviderFailure,
  isUnanswered,
  NoReferenceLeft,
  OutcomeUnknown,
  type ProviderBusy,
  ProviderRefusal,
  ProviderUnavailable,
} from '#shared/providers/domain/errors.ts';
import type { BegunIntent } from './begin-intents.ts';
import { withTimeout } from './with-timeout.ts';

/** Milliseconds. API Gateway times out at 30 s, and the outcome has to be written before that. */
const PROVIDER_TIMEOUT = 20_000;

/** Why a provider opened no account, as far as it answered. */
export type NotOpened = ProviderRefusal | OutcomeUnknown | ProviderUnavailable | ProviderBusy;

/**
 * What became of asking a provider to open an account. `mayExist`: it may be open all the same, since an earlier request asked for it too, or
 * since no answer came.
 */
export type Opening<T> =
  | { readonly kind: 'opened'; readonly issued: T }
  | { readonly kind: 'not_opened'; readonly error: NotOpened; readonly mayExist: boolean };

/** Whether a dependency of ours kept the provider from being asked. */
export const isOurFault = (error: unknown): boolean =>
  error instanceof ProviderUnavailable && error.cause instanceof DependencyUnavailable;

/** Asks a provider to open the account of an intent, and counts its failure in live mode. Throws what is no answer of a provider. */
export const askToOpen = async <T>(
  deps: Pick<Runtime, 'wait'> & { readonly metrics: Metrics },
  { intent, isResumed }: BegunIntent<{ readonly version: number; readonly mode: Mode }>,
  open: () => Promise<T>,
): Promise<Opening<T>> => {
  try {
    return { kind: 'opened', issued: await withTimeout(deps, PROVIDER_TIMEOUT, open()) };
  } catch (error) {
    if (!(error instanceof ProviderRefusal) && !isUnanswered(error)) throw error;
    if (intent.mode === 'live' && isProviderFailure(error) && !isOurFault(error)) deps.metrics('provider_failures', 1);
    // With no reference left, nobody will get the account: a retry begins anew.
    const mayExist = !(error instanceof NoReferenceLeft) && (isResumed || error instanceof OutcomeUnknown);
    return { kind: 'not_opened', error, mayExist };
  }
};
