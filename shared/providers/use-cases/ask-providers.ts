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

/** Time limit of a provider's answer, in milliseconds. The outcome must be written before API Gateway times out at 30 s. */
export const PROVIDER_TIMEOUT = 20 * SECOND;

export interface AskProvidersDeps extends CountOpeningDeps, Pick<Runtime, 'now' | 'wait'> {
  readonly providers: Providers;
}

/** The mode and the business of an intent. */
export interface IntentTenant {
  readonly mode: Mode;
  readonly businessId: string;
}

/** The error with which a provider opened no account. */
export type OpeningError = ProviderError | OutcomeUnknown | ProviderUnavailable | ProviderBusy;

/** An intent to work on. `isResumed`: an earlier request began it, so that the provider may already have opened the account. */
export interface StartedIntent<I> {
  readonly kind: 'begun';
  readonly intent: I;
  readonly isResumed: boolean;
}

/**
 * An intent whose provider opened no account. `mayExist`: the account may exist all the same, because an earlier request asked for it too, or
 * because no answer came. Such an intent stays for a retry or the sweeper.
 */
export interface UnopenedIntent<I> {
  readonly kind: 'not_opened';
  readonly intent: I;
  readonly error: OpeningError;
  readonly mayExist: boolean;
}

/** The outcome of asking providers. */
export type AskOutcome<I, Issued> =
  | { readonly kind: 'opened'; readonly intent: I; readonly issued: Issued }
  | UnopenedIntent<I>;

/** Defines how providers are asked for a kind of intents, `I`. */
export interface AskingKind<I extends IntentTenant, Issued> {
  readonly findProvider: (intent: I) => ProviderName;
  /** Asks a provider for the account. Nobody waits for the answer after `until`. */
  readonly open: (issuer: AccountIssuer, intent: I, until: Millis) => Promise<Issued>;
  /** Computes the milliseconds that the provider of an intent has to answer. */
  readonly timeFor: (intent: I) => Millis;
  /** Moves an intent on to the next provider and stores the move; undefined if no provider is left. */
  readonly moveOn: (unopened: UnopenedIntent<I>) => Promise<I | undefined>;
}

/** Whether the provider was not asked because one of our own dependencies failed. */
export const isOurFault = (error: unknown): boolean =>
  error instanceof ProviderUnavailable && error.cause instanceof DependencyUnavailable;

/** Asks the provider of an intent and counts the outcome. @throws any error that does not come from a provider. */
const askOne = async <I extends IntentTenant, Issued>(
  deps: AskProvidersDeps,
  kind: AskingKind<I, Issued>,
  { intent, isResumed }: StartedIntent<I>,
): Promise<AskOutcome<I, Issued>> => {
  const countedIntent = { mode: intent.mode, businessId: intent.businessId, provider: kind.findProvider(intent) };
  try {
    const issuer = requireProvider(deps.providers(intent.mode, countedIntent.provider));
    const time = kind.timeFor(intent);
    const issued = await withTimeout(deps, time, kind.open(issuer, intent, deps.now() + time));
    await countOpening(deps, countedIntent, 'opened');
    return { kind: 'opened', intent, issued };
  } catch (error) {
    if (!(error instanceof ProviderError) && !isUnanswered(error)) throw error;
    if (isProviderFailure(error) && !isOurFault(error)) await countOpening(deps, countedIntent, 'failed');
    // If no reference is left, no payer will see an account of this attempt. So the intent need not stay, and a retry begins anew.
    const mayExist = !(error instanceof NoReferenceLeft) && (isResumed || error instanceof OutcomeUnknown);
    return { kind: 'not_opened', intent, error, mayExist };
  }
};

/**
 * Asks one provider after the other for an account, until one opens it or `moveOn` finds no further provider.
 * @throws any error that does not come from a provider.
 */
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
