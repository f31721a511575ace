import * as z from 'zod/mini';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import { type Kobo, kobo } from '#shared/platform/kernel/money.ts';
import { personal } from '#shared/platform/kernel/personal.ts';
import { count, millis, millisOrNull, text } from '#shared/platform/kernel/schemas.ts';
import { MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import {
  buildAttemptReference,
  hasUsed,
  MAX_ATTEMPTS,
  toFirstReference,
} from '#shared/providers/domain/attempt-reference.ts';
import {
  type ProviderName,
  providerName,
  type ReceivingAccount,
  receivingAccount,
} from '#shared/providers/domain/provider.ts';

/*
 * A checkout asks one provider after another for an account, at most three in all. Each attempt has its own reference, and a report lands
 * only on the attempt of the provider that sent it.
 */

/**
 * A request for a checkout's account at one provider:
 * - `opening`: the request is running; or it was interrupted or got no answer, and will be settled;
 * - `unknown`: we went on without this provider; it may have opened an account, which nobody has seen, and a look-up finds out;
 * - `refused`: the provider has no account, or one that accepts no money;
 * - `open`: the provider has an account.
 */
const attemptSchema = z.object({
  provider: providerName,
  /**
   * Our reference at the provider. Some providers reject a used reference, so an attempt may try up to three. After we got the account,
   * this is the last one that was tried. Never shown.
   */
  reference: personal('none', text),
  state: z.enum(['opening', 'open', 'refused', 'unknown']),
  account: z.optional(receivingAccount),
  /** Amount that the payer must send. It exceeds the checkout's amount only if the payer bears the provider's fee. */
  amountToPay: z.optional(kobo),
  openedAt: millis,
  /** The requested expiry; after we got the account from the provider, the expiry that the provider set. */
  expiresAt: millis,
  /** When the payer first saw the account. Absent: never. */
  shownAt: z.optional(millis),
  /** When we first learned that the provider accepts no more money on the account. Money that it reports later still counts. */
  endedAt: z.optional(millis),
  /** Number of answered look-ups since the expiry, as countLookUp (checkout.ts) counts them. */
  lookUps: count,
  /** When the provider is asked again, after a failed look-up or an unknown outcome; null after an answer. */
  askAgainAt: millisOrNull,
});
export type Attempt = z.infer<typeof attemptSchema>;

/** A checkout's attempts, oldest first. */
export const attemptList = z.array(attemptSchema).check(z.minLength(1), z.maxLength(MAX_ATTEMPTS));

const isShown = (attempt: Attempt): attempt is ShownAttempt =>
  attempt.account !== undefined && attempt.amountToPay !== undefined && attempt.shownAt !== undefined;

/** The attempts of an open checkout: the payer saw at least one account. */
export const openAttemptList = attemptList.check(
  z.refine((attempts) => attempts.some(isShown), {
    message: 'An open checkout has an account that the payer was shown.',
  }),
);

/** An attempt whose account the payer saw. */
export interface ShownAttempt extends Attempt {
  readonly account: ReceivingAccount;
  readonly amountToPay: Kobo;
  readonly shownAt: Millis;
}

/** The attempts of a checkout that is open or being opened. */
export interface WithAttempts {
  readonly attempts: readonly Attempt[];
}

/**
 * Makes an attempt: a provider is asked for an account that expires at `expiresAt`. `askAgainAt`: when a look-up settles the attempt, if
 * nobody has recorded its outcome by then.
 */
export const newAttempt = (
  provider: ProviderName,
  reference: string,
  {
    openedAt,
    expiresAt,
    askAgainAt = null,
  }: Pick<Attempt, 'openedAt' | 'expiresAt'> & Partial<Pick<Attempt, 'askAgainAt'>>,
): Attempt => ({ provider, reference, state: 'opening', openedAt, expiresAt, lookUps: 0, askAgainAt });

/** Milliseconds from the request for an account to the first look-up, if the outcome of the request is unknown. */
const FIRST_LOOK_UP = MINUTE;

/** Ends an attempt whose provider returned no account in time. If the account may exist (`mayExist`), it is looked up later. */
export const leaveAttempt = (attempt: Attempt, mayExist: boolean): Attempt =>
  mayExist
    ? { ...attempt, state: 'unknown', askAgainAt: attempt.openedAt + FIRST_LOOK_UP }
    : { ...attempt, state: 'refused', askAgainAt: null };

/**
 * Returns the newest attempt.
 * @throws Error if there is none.
 */
export const latestAttempt = ({ attempts }: WithAttempts): Attempt => {
  const latest = attempts.at(-1);
  if (!latest) throw new Error('A checkout has no attempt.');
  return latest;
};

/** Returns the attempts whose accounts the payer saw, oldest first. Money on any of them counts. */
export const shownAttempts = ({ attempts }: WithAttempts): readonly ShownAttempt[] => attempts.filter(isShown);

/**
 * Returns the attempt whose account the payer sees now: the newest one whose provider still accepts money, else the newest.
 * @throws Error if there is none, because the checkout is not open yet.
 */
export const shownAttempt = (checkout: WithAttempts): ShownAttempt => {
  const all = shownAttempts(checkout);
  const current = all.findLast(({ endedAt }) => endedAt === undefined) ?? all.at(-1);
  if (!current) throw new Error('A checkout has no account that was shown.');
  return current;
};

/** Replaces the attempt with the same reference. */
export const withAttempt = <C extends WithAttempts>(checkout: C, changed: Attempt): C => ({
  ...checkout,
  attempts: checkout.attempts.map((attempt) => (attempt.reference === changed.reference ? changed : attempt)),
});

/** Adds an attempt at another provider, under its own reference. An attempt that is still opening ends; `mayExist`: whether its account may exist. */
export const addAttempt = (
  { reference, attempts }: WithAttempts & { readonly reference: string },
  provider: ProviderName,
  time: Parameters<typeof newAttempt>[2],
  mayExist: boolean,
): Attempt[] => [
  ...attempts.map((attempt) => (attempt.state === 'opening' ? leaveAttempt(attempt, mayExist) : attempt)),
  newAttempt(provider, buildAttemptReference(reference, attempts.length), time),
];

/** Finds the attempt that a provider's report is about, by a reference that the attempt has used there. */
export const findReportedAttempt = (
  { attempts }: WithAttempts,
  provider: ProviderName,
  reference: string,
): Attempt | undefined =>
  attempts.find(
    (attempt) => attempt.provider === provider && attempt.state !== 'refused' && hasUsed(attempt.reference, reference),
  );

/**
 * Finds the attempt that a provider's money belongs to: the attempt with the reference. If no attempt has it, an operator assigned the
 * money; then it belongs to the newest attempt at that provider.
 */
export const findPaidAttempt = (
  checkout: WithAttempts,
  provider: ProviderName,
  reference: string,
): Attempt | undefined =>
  findReportedAttempt(checkout, provider, reference) ??
  checkout.attempts.findLast((attempt) => attempt.provider === provider);

/** Whether a checkout is live and has asked a provider for an account. Only then may the provider's reports be about it. */
export const hasLiveAttemptAt = (provider: ProviderName, checkout: WithAttempts & { readonly mode: Mode }): boolean =>
  checkout.mode === 'live' && checkout.attempts.some((attempt) => attempt.provider === provider);

/** Whether a provider's report names a reference that belongs to another provider or to test mode. */
export const isForeignReference = (
  provider: ProviderName,
  { mode, attempts }: WithAttempts & { readonly mode: Mode },
  reference: string,
): boolean => {
  const first = toFirstReference(reference);
  return (
    mode !== 'live' ||
    !attempts.some((attempt) => attempt.provider === provider && toFirstReference(attempt.reference) === first)
  );
};
