import type { UnmatchedPayment } from '#shared/payments/domain/unmatched-payment.ts';
import { assignPayment } from '#shared/payments/use-cases/assign-payment.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { LiveWorld } from '#test/support/worlds/live-world.ts';
import type { LifeOdds, Lives } from './lives.ts';
import { type Assignment, sourceKey } from './money-books.ts';

/** What money can be assigned to: a checkout's reference or a virtual account's id. */
export interface Target {
  readonly kind: 'checkout' | 'virtual_account';
  readonly provider: ProviderName;
  readonly id: string;
}

/**
 * Operators who assign what lies unmatched, each in a process that may die, as an operator's terminal may. They write down what
 * they saw and what the command answered; a refusal or a dead terminal sends them back to the list. `random` is in [0, 1).
 */
export const operators = ({ deps }: Pick<LiveWorld, 'deps'>, lives: Lives, random: () => number) => {
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
  const seen = new Map<string, string>();
  const done: Assignment[] = [];
  let refused = 0;

  const list = async (): Promise<readonly UnmatchedPayment[]> => {
    const listed = await deps.unmatched.oldest(1_000);
    for (const { id, provider, source } of listed) seen.set(id, sourceKey(provider, source));
    return listed;
  };
  /** One operator at one terminal. */
  const assign = async (paymentId: string, to: string, odds: LifeOdds): Promise<void> => {
    try {
      await lives.begin(odds).run((crashingDeps) => assignPayment(crashingDeps, { paymentId, to, operator: 'bisi' }));
      done.push({ source: seen.get(paymentId) ?? '', to });
    } catch {
      refused += 1;
    }
  };
  /** Of a cumulative report only a checkout can be the owner. */
  const targetFor = ({ provider, money }: UnmatchedPayment, targets: readonly Target[]): string | undefined =>
    pick(targets.filter((one) => one.provider === provider && (one.kind === 'checkout' || money.kind === 'transfer')))
      ?.id;

  return {
    seen,
    done,
    /** How often an operator was refused, or died. */
    refused: (): number => refused,
    assign,
    list,
    /** One or two operators take up each of some payments: two at once agree on whom it is for, or do not. */
    assignSome: async (targets: readonly Target[], share: number, odds: LifeOdds): Promise<void> => {
      const chosen = (await list()).filter(() => random() < share);
      const work = chosen.flatMap((unmatched) => {
        const first = targetFor(unmatched, targets);
        const second = random() < 0.5 ? first : targetFor(unmatched, targets);
        const named = random() < 0.5 ? [first, second] : [first];
        return named.flatMap((to) => (to ? [assign(unmatched.id, to, odds)] : []));
      });
      await Promise.all(work);
    },
  };
};
export type Operators = ReturnType<typeof operators>;
