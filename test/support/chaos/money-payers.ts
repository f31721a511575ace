import type { Transfer } from '#infra/local/simulator/simulator.ts';
import { inBatches } from '#shared/platform/kernel/batches.ts';
import { SECOND } from '#shared/platform/kernel/time.ts';
import type { Chaos, PlannedTransfer } from './money-stage.ts';

/** A transfer to an account that was shown for one owner. The number may belong to another by the time of the transfer. */
export interface IntendedTransfer extends PlannedTransfer {
  /** The owner as the payer knows it; absent for a virtual account. */
  readonly for?: string;
}

const MAX_CONCURRENT = 25;

/** Simulates payers: their transfers in each wave, soon after an account was opened or long after it expired. `random` is in [0, 1). */
export const createPayers = (chaos: Chaos, waves: number, random: () => number) => {
  const { world, receiver } = chaos;
  const below = (limit: number): number => Math.floor(random() * limit);
  const planned: IntendedTransfer[][] = Array.from({ length: waves }, () => []);
  let amounts = 0;
  let recycled = 0;
  let recycledAndKept = 0;
  const lastShown = new Map<string, IntendedTransfer>();
  const pay = async (transfer: IntendedTransfer): Promise<void> => {
    const { reference, kept } = await chaos.pay(transfer);
    if (transfer.for === undefined || reference.startsWith(transfer.for)) return;
    recycled += 1;
    recycledAndKept += kept > 0 ? 1 : 0;
  };

  return {
    /** Counts the transfers to a number that had become another checkout's, and those of them that the provider kept. */
    figures: () => ({ recycled, recycledAndKept }),
    /** Returns an amount in kobo that no other transfer has. */
    newAmount: (): number => {
      amounts += 1;
      return 1_000_000 + below(100) * 10_000_000 + amounts * 7;
    },
    /** Plans transfers to a payment account: right and wrong amounts. A payer who was shown its number before may pay it, too. */
    plan: (wave: number, account: IntendedTransfer, most = 6): void => {
      const send = (transfer: IntendedTransfer, later: number): void => {
        planned[Math.min(waves - 1, wave + later)]?.push(transfer);
      };
      const former = lastShown.get(account.accountNumber);
      if (former) send(former, below(2));
      lastShown.set(account.accountNumber, account);
      for (let left = 1 + below(most); left > 0; left--) {
        const wrong = 1 + below(500_000);
        const amount = account.amount + ([0, wrong, -wrong][below(3)] ?? 0);
        // Some come an hour later, others at once, or about when the checkout ends and is looked up.
        send({ ...account, amount }, random() < 0.2 ? 7 + below(4) : below(4));
      }
    },
    /** Plans one transfer of the right amount, in the same wave. */
    planRight: (wave: number, account: IntendedTransfer): void => {
      planned[wave]?.push(account);
    },
    plannedFor: (wave: number): readonly IntendedTransfer[] => planned[wave] ?? [],
    /**
     * Makes all of these transfers, some at a time. The next ones start while the last are still on their way. `atOnce` gets those that have
     * arrived, before we can know of all.
     */
    payAll: async (
      transfers: readonly IntendedTransfer[],
      atOnce: (come: readonly Transfer[]) => Promise<void> = async () => {},
    ): Promise<void> => {
      for (const batch of inBatches(transfers, MAX_CONCURRENT)) {
        world.clock.advance(below(4) * SECOND);
        const before = world.simulator.books.transfers().length;
        await Promise.all(batch.map(pay));
        await atOnce(world.simulator.books.transfers().slice(before));
        await receiver.waitForFewer(MAX_CONCURRENT / 2);
      }
      await world.simulator.settled();
    },
  };
};
