import * as z from 'zod/mini';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import { type Kobo, kobo } from '#shared/platform/kernel/money.ts';
import { personal } from '#shared/platform/kernel/personal.ts';
import { count, millis, millisOrNull, text } from '#shared/platform/kernel/schemas.ts';
import { MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import {
  firstReference,
  hasUsed,
  MAX_ATTEMPTS,
  nextAttemptReference,
} from '#shared/providers/domain/attempt-reference.ts';
import {
  type ProviderName,
  providerName,
  type ReceivingAccount,
  receivingAccount,
} from '#shared/providers/domain/provider.ts';

/*
 * A checkout asks one provider after another for an account, at most three in all its life. Each attempt has a reference of its own, and a
 * report lands only on the attempt of the provider that made it.
 */

/**
 * One provider that was asked for a checkout's account. `opening`: it is being asked, or nobody knows the outcome. `unknown`: it did not
 * answer, and another was asked. `refused`: it has no account. `open`: it has one.
 */
const attemptSchema = z.object({
  provider: providerName,
  /** The reference that the provider knows it by: the last that was tried there, where an account is open. Never shown. */
  reference: personal('none', text),
  state: z.enum(['opening', 'open', 'refused', 'unknown']),
  account: z.optional(receivingAccount),
  /** The amount that the payer must send: more than the amount only where the payer bears the provider's fee. */
  amountToPay: z.optional(kobo),
  openedAt: millis,
  /** The provider's, once an account is open; before that the time that was asked for. */
  expiresAt: millis,
  /** When the payer was first shown the account. Absent: never. */
  shownAt: z.optional(millis),
  /** When the provider was first found to accept no money on the account any more. Money that it reports all the same counts. */
  endedAt: z.optional(millis),
  /** How many look-ups around its expiry the provider has answered. */
  lookUps: count,
  /** When the provider is asked again after a failed look-up, or about an outcome that is not known; null after an answered one. */
  askAgainAt: millisOrNull,
});
export type Attempt = z.infer<typeof attemptSchema>;

/** A checkout's attempts, oldest first. */
export const attemptList = z.array(attemptSchema).check(z.minLength(1), z.maxLength(MAX_ATTEMPTS));

const isShown = (attempt: Attempt): attempt is ShownAttempt =>
  attempt.account !== undefined && attempt.amountToPay !== undefined && attempt.shownAt !== undefined;

/** The attempts of a checkout that is open: at least one was shown. */
export const openAttemptList = attemptList.check(
  z.refine((attempts) => attempts.some(isShown), { message: 'An open checkout has an attempt that was shown.' }),
);

/** An attempt whose account the payer was shown. */
export interface ShownAttempt extends Attempt {
  readonly account: ReceivingAccount;
  readonly amountToPay: Kobo;
  readonly shownAt: Millis;
}

/** A checkout, open or being opened. */
export interface Attempted {
  readonly attempts: readonly Attempt[];
}

/** An attempt that asks a provider for an account until `expiresAt`. `askAgainAt`: when the provider is looked up, should nobody write the outcome. */
export const newAttempt = (
  provider: ProviderName,
  reference: string,
  {
    openedAt,
    expiresAt,
    askAgainAt = null,
  }: Pick<Attempt, 'openedAt' | 'expiresAt'> & Partial<Pick<Attempt, 'askAgainAt'>>,
): Attempt => ({ provider, reference, state: 'opening', openedAt, expiresAt, lookUps: 0, askAgainAt });

/** How long after a provider was asked it is looked up for an attempt whose outcome is unknown. Milliseconds. */
const FIRST_LOOK_UP = MINUTE;

/** An attempt whose provider opened no account in time: it is looked up where the account may be open all the same (`mayExist`). */
export const leaveAttempt = (attempt: Attempt, mayExist: boolean): Attempt =>
  mayExist
    ? { ...attempt, state: 'unknown', askAgainAt: attempt.openedAt + FIRST_LOOK_UP }
    : { ...attempt, state: 'refused', askAgainAt: null };

/** The attempt that was made last. @throws Error where there is none. */
export const latestAttempt = ({ attempts }: Attempted): Attempt => {
  const latest = attempts.at(-1);
  if (!latest) throw new Error('A checkout has no attempt.');
  return latest;
};

/** The attempts whose accounts the payer was shown, oldest first. Money on any of them counts. */
export const shownAttempts = ({ attempts }: Attempted): readonly ShownAttempt[] => attempts.filter(isShown);

/**
 * The attempt whose account the payer is shown now: the last one, but for those whose provider accepts no money any more.
 * @throws Error where there is none: the checkout is not open yet.
 */
export const shownAttempt = (checkout: Attempted): ShownAttempt => {
  const all = shownAttempts(checkout);
  const current = all.findLast(({ endedAt }) => endedAt === undefined) ?? all.at(-1);
  if (!current) throw new Error('A checkout has no account that was shown.');
  return current;
};

/** The same checkout with another version of the attempt under the same reference. */
export const withAttempt = <C extends Attempted>(checkout: C, changed: Attempt): C => ({
  ...checkout,
  attempts: checkout.attempts.map((attempt) => (attempt.reference === changed.reference ? changed : attempt)),
});

/** The attempts with another one, at a provider that is asked under a reference of its own. An attempt whose outcome was awaited is left. */
export const withNext = (
  { reference, attempts }: Attempted & { readonly reference: string },
  provider: ProviderName,
  time: Parameters<typeof newAttempt>[2],
  mayExist: boolean,
): Attempt[] => [
  ...attempts.map((attempt) => (attempt.state === 'opening' ? leaveAttempt(attempt, mayExist) : attempt)),
  newAttempt(provider, nextAttemptReference(reference, attempts.length), time),
];

/** The attempt that has used a reference at a provider: the one on which a report lands. */
export const attemptOfReport = (
  { attempts }: Attempted,
  provider: ProviderName,
  reference: string,
): Attempt | undefined =>
  attempts.find(
    (attempt) => attempt.provider === provider && attempt.state !== 'refused' && hasUsed(attempt.reference, reference),
  );

/** The attempt that a provider's money is for: that of the reference, or the last one there where an operator assigned the money. */
export const attemptAt = (checkout: Attempted, provider: ProviderName, reference: string): Attempt | undefined =>
  attemptOfReport(checkout, provider, reference) ??
  checkout.attempts.findLast((attempt) => attempt.provider === provider);

/** Whether a provider's reports may be about a checkout: it was asked for an account in live mode. */
export const isAskedLive = (provider: ProviderName, checkout: Attempted & { readonly mode: Mode }): boolean =>
  checkout.mode === 'live' && checkout.attempts.some((attempt) => attempt.provider === provider);

/** Whether a provider's report names what another provider, or test mode, was asked for. */
export const isForeignTo = (
  provider: ProviderName,
  { mode, attempts }: Attempted & { readonly mode: Mode },
  reference: string,
): boolean => {
  const first = firstReference(reference);
  return (
    mode !== 'live' ||
    !attempts.some((attempt) => attempt.provider === provider && firstReference(attempt.reference) === first)
  );
};
