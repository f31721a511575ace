import { referenceOfAttempt } from '#shared/domain/attempt-reference.ts';
import type { UnmatchedPayment } from '#shared/domain/payment.ts';
import type { ProviderName } from '#shared/domain/provider.ts';
import { type LandDeps, landMoney } from './land-money.ts';

/** Unmatched money is rare and alarmed; more of it than this waits for its own due time. */
const LOOKED_AT = 100;

/** What an account or a checkout can be recognised by. */
export interface NewPayee {
  readonly provider: ProviderName;
  readonly reference: string;
  /** Of a standing account only. */
  readonly accountNumber: string | null;
}

const isFor = ({ provider, money: { payee } }: UnmatchedPayment, of: NewPayee): boolean =>
  provider === of.provider &&
  (payee.by === 'our_reference'
    ? referenceOfAttempt(payee.reference) === of.reference
    : payee.accountNumber === of.accountNumber);

/**
 * Money that arrived before its account or checkout was written lands now. It is due by itself as well, so a failure costs a
 * minute and is only logged.
 */
export const matchWaiting = async (deps: LandDeps, payees: readonly NewPayee[]): Promise<void> => {
  try {
    const waiting = await deps.unmatched.newest(LOOKED_AT);
    const theirs = waiting.filter((unmatched) => payees.some((payee) => isFor(unmatched, payee)));
    for (const { provider, money, state } of theirs) await landMoney(deps, provider, money, { state });
  } catch (error) {
    deps.log('work_failed', { kind: 'unmatched' }, error);
  }
};
