import type { UnmatchedPayment } from '#shared/payments/domain/unmatched-payment.ts';
import type { UnmatchedStore } from '#shared/payments/ports.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { toCheckoutReference } from '#shared/providers/domain/attempt-reference.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { type QueueMoneyDeps, queueMoneyWork } from './queue-money-work.ts';

export interface MatchWaitingDeps extends QueueMoneyDeps, Pick<Runtime, 'now'> {
  readonly unmatched: UnmatchedStore;
}

/**
 * Upper bound on unmatched money that is checked here. Unmatched money is rare, and alarms watch it. Money beyond this number is matched
 * when it is due.
 */
const MAX_LISTED = 100;

/** An account or a checkout that has just been opened, by the names under which its provider reports money. */
export interface NewPayee {
  readonly provider: ProviderName;
  readonly reference: string;
  /** The number of a virtual account; null for a checkout. */
  readonly accountNumber: string | null;
}

const isFor = ({ provider, money: { payee } }: UnmatchedPayment, opened: NewPayee): boolean =>
  provider === opened.provider &&
  (payee.by === 'our_reference'
    ? toCheckoutReference(payee.reference) === opened.reference
    : payee.accountNumber === opened.accountNumber);

/**
 * Queues money that was reported before its account or checkout was written, so that it is matched at once. A failure is only logged, because the money
 * is matched again at its own due time.
 */
export const matchWaiting = async (deps: MatchWaitingDeps, payees: readonly NewPayee[]): Promise<void> => {
  try {
    const newest = await deps.unmatched.newest(MAX_LISTED);
    const matching = newest.filter((unmatched) => payees.some((payee) => isFor(unmatched, payee)));
    for (const unmatched of matching) {
      const ticket = await deps.unmatched.restart(unmatched, deps.now());
      if (ticket) await queueMoneyWork(deps, unmatched.provider, [{ ticket, group: unmatched.id }]);
    }
  } catch (error) {
    deps.log('work_failed', { kind: 'unmatched' }, error);
  }
};
