import { DependencyUnavailable } from '#shared/platform/kernel/errors.ts';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import { type Millis, SECOND } from '#shared/platform/kernel/time.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import {
  isProviderFailure,
  isUnanswered,
  NoReferenceLeft,
  OutcomeUnknown,
  type ProviderBusy,
  ProviderError,
  ProviderUnavailable,
  requireProvider,
} from '#shared/providers/domain/errors.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { AccountIssuer, Providers } from '#shared/providers/ports.ts';
import { type CountOpeningDeps, countOpening } from './count-opening.ts';
import { withTimeout } from './with-timeout.ts';

/** Milliseconds. API Gateway times out at 30 s, and the outcome has to be written before that. */
export const PROVIDER_TIMEOUT = 20 * SECOND;

export interface AskProvidersDeps extends CountOpeningDeps, Pick<Runtime, 'now' | 'wait'> {
  readonly providers: Providers;
}

/** An object for which a provider is asked for an account. That it is asked is written before. */
export interface IntentTenant {
  readonly mode: Mode;
  readonly businessId: string;
}

/** Why a provider opened no account, as far as it answered. */
export type OpeningError = ProviderError | OutcomeUnknown | ProviderUnavailable | ProviderBusy;

/** An intent to work on. `isResumed`: an earlier request began it, so the provider may already have done what it is asked for. */
export interface StartedIntent<I> {
  readonly kind: 'begun';
  readonly intent: I;
  readonly isResumed: boolean;
}

/**
 * An intent whose provider opened no account. `mayExist`: it may be open all the same, since an earlier request asked for it too, or since no
 * answer came; such an intent stays, for a retry or the sweeper.
 */
export interface UnopenedIntent<I> {
  readonly kind: 'not_opened';
  readonly intent: I;
  readonly error: OpeningError;
  readonly mayExist: boolean;
}

/** The outcome of asking. */
export type AskOutcome<I, Issued> =
  | { readonly kind: 'opened'; readonly intent: I; readonly issued: Issued }
  | UnopenedIntent<I>;

/** How providers are asked for a kind of intents, `I`. */
export interface AskingKind<I extends IntentTenant, Issued> {
  readonly findProvider: (intent: I) => ProviderName;
  /** Asks a provider, for which nobody waits any more from `until` on. */
  readonly open: (issuer: AccountIssuer, intent: I, until: Millis) => Promise<Issued>;
  /** Milliseconds that the provider of an intent has to answer. */
  readonly timeFor: (intent: I) => Millis;
  /** Moves an intent on to the next provider, and writes that; undefined where none is left. */
  readonly moveOn: (unopened: UnopenedIntent<I>) => Promise<I | undefined>;
}

/** Whether a dependency of ours kept the provider from being asked. */
export const isOurFault = (error: unknown): boolean =>
  error instanceof ProviderUnavailable && error.cause instanceof DependencyUnavailable;

/** Asks the provider of an intent, and counts what became of it. Throws what is no answer of a provider. */
const askOne = async <I extends IntentTenant, Issued>(
  deps: AskProvidersDeps,
  kind: AskingKind<I, Issued>,
  { intent, isResumed }: StartedIntent<I>,
): Promise<AskOutcome<I, Issued>> => {
  const counted = { mode: intent.mode, businessId: intent.businessId, provider: kind.findProvider(intent) };
  try {
    const issuer = requireProvider(deps.providers(intent.mode, counted.provider));
    const time = kind.timeFor(intent);
    const issued = await withTimeout(deps, time, kind.open(issuer, intent, deps.now() + time));
    await countOpening(deps, counted, 'opened');
    return { kind: 'opened', intent, issued };
  } catch (error) {
    if (!(error instanceof ProviderError) && !isUnanswered(error)) throw error;
    if (isProviderFailure(error) && !isOurFault(error)) await countOpening(deps, counted, 'failed');
    // With no reference left, nobody will get the account: a retry begins anew.
    const mayExist = !(error instanceof NoReferenceLeft) && (isResumed || error instanceof OutcomeUnknown);
    return { kind: 'not_opened', intent, error, mayExist };
  }
};

/** Asks one provider after the other for an account, as far as the kind moves on. Throws what is no answer of a provider. */
export const askProviders = async <I extends IntentTenant, Issued>(
  deps: AskProvidersDeps,
  kind: AskingKind<I, Issued>,
  begun: StartedIntent<I>,
): Promise<AskOutcome<I, Issued>> => {
  for (let current = begun; ; ) {
    const outcome = await askOne(deps, kind, current);
    const next = outcome.kind === 'not_opened' ? await kind.moveOn(outcome) : undefined;
    if (!next) return outcome;
    current = { kind: 'begun', intent: next, isResumed: false };
  }
};
