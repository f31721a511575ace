import type { UnmatchedPayment } from '#shared/payments/domain/unmatched-payment.ts';
import { assignPayment } from '#shared/payments/use-cases/assign-payment.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { LiveWorld } from '#test/support/worlds/live-world.ts';
import type { LifeOdds, Lives } from './lives.ts';
import { type Assignment, toSourceKey } from './money-books.ts';

/** An owner to whom money can be assigned: a checkout by its reference or a virtual account by its id. */
export interface Target {
  readonly kind: 'checkout' | 'virtual_account';
  readonly provider: ProviderName;
  readonly id: string;
}

/**
 * Simulates operators who assign unmatched money, each in a process that may be killed, like a terminal. They record what they saw and
 * what the command answered. After an error or a kill they list again. `random` returns numbers in [0, 1).
 */
export const createOperators = ({ deps }: Pick<LiveWorld, 'deps'>, lives: Lives, random: () => number) => {
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
  const sources = new Map<string, string>();
  const done: Assignment[] = [];
  let failures = 0;

  const list = async (): Promise<readonly UnmatchedPayment[]> => {
    const listed = await deps.unmatched.oldest(1_000);
    for (const { id, provider, source } of listed) sources.set(id, toSourceKey(provider, source));
    return listed;
  };
  /** Assigns a payment, as one operator at one terminal. */
  const assign = async (paymentId: string, to: string, odds: LifeOdds): Promise<void> => {
    try {
      await lives.begin(odds).run((crashingDeps) => assignPayment(crashingDeps, { paymentId, to, operator: 'bisi' }));
      done.push({ source: sources.get(paymentId) ?? '', to });
    } catch {
      failures += 1;
    }
  };
  /** Chooses an owner. Only a checkout can own a cumulative report. */
  const chooseTarget = ({ provider, money }: UnmatchedPayment, targets: readonly Target[]): string | undefined =>
    pick(
      targets.filter(
        (target) => target.provider === provider && (target.kind === 'checkout' || money.kind === 'transfer'),
      ),
    )?.id;

  return {
    seen: sources,
    done,
    /** Counts how often an assignment failed, or its operator was killed. */
    refused: (): number => failures,
    assign,
    list,
    /** Lets one or two operators assign a share of the payments. Two operators at once may choose the same owner or different owners. */
    assignSome: async (targets: readonly Target[], share: number, odds: LifeOdds): Promise<void> => {
      const selected = (await list()).filter(() => random() < share);
      const work = selected.flatMap((unmatched) => {
        const first = chooseTarget(unmatched, targets);
        const second = random() < 0.5 ? first : chooseTarget(unmatched, targets);
        const owners = random() < 0.5 ? [first, second] : [first];
        return owners.flatMap((to) => (to ? [assign(unmatched.id, to, odds)] : []));
      });
      await Promise.all(work);
    },
  };
};
export type Operators = ReturnType<typeof createOperators>;
