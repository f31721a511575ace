import type { Transfer } from '#infra/local/simulator/simulator.ts';
import { inBatches } from '#shared/platform/kernel/batches.ts';
import { SECOND } from '#shared/platform/kernel/time.ts';
import type { Chaos, PlannedTransfer } from './money-stage.ts';

/** A transfer to an account that was shown for one owner. By the time of the transfer, the number may belong to another owner. */
export interface IntendedTransfer extends PlannedTransfer {
  /** The owner that the payer knows; absent for a virtual account. */
  readonly for?: string;
}

const MAX_CONCURRENT = 25;

/** Simulates payers: their transfers in each wave, soon after an account was opened or long after it expired. `random` returns numbers in [0, 1). */
export const createPayers = (chaos: Chaos, waves: number, random: () => number) => {
  const { world, receiver } = chaos;
  const drawBelow = (limit: number): number => Math.floor(random() * limit);
  const planned: IntendedTransfer[][] = Array.from({ length: waves }, () => []);
  let amounts = 0;
  let recycled = 0;
  let recycledAndKept = 0;
  const lastShown = new Map<string, IntendedTransfer>();
  const pay = async (transfer: IntendedTransfer): Promise<void> => {
    const { reference, keptAmount } = await chaos.pay(transfer);
    if (transfer.for === undefined || reference.startsWith(transfer.for)) return;
    recycled += 1;
    recycledAndKept += keptAmount > 0 ? 1 : 0;
  };

  return {
    /** Counts the transfers to a number that had become another checkout's, and how many of these the provider kept. */
    figures: () => ({ recycled, recycledAndKept }),
    /** Returns an amount in kobo that no other transfer has. */
    newAmount: (): number => {
      amounts += 1;
      return 1_000_000 + drawBelow(100) * 10_000_000 + amounts * 7;
    },
    /** Plans transfers to a payment account: right and wrong amounts. A payer to whom the same number was shown earlier may pay into it, too. */
    plan: (wave: number, account: IntendedTransfer, most = 6): void => {
      const send = (transfer: IntendedTransfer, later: number): void => {
        planned[Math.min(waves - 1, wave + later)]?.push(transfer);
      };
      const former = lastShown.get(account.accountNumber);
      if (former) send(former, drawBelow(2));
      lastShown.set(account.accountNumber, account);
      for (let left = 1 + drawBelow(most); left > 0; left--) {
        const wrong = 1 + drawBelow(500_000);
        const amount = account.amount + ([0, wrong, -wrong][drawBelow(3)] ?? 0);
        // Some transfers come an hour later. Most come at once, or about when the checkout ends and is looked up.
        send({ ...account, amount }, random() < 0.2 ? 7 + drawBelow(4) : drawBelow(4));
      }
    },
    /** Plans one transfer of the right amount, in the same wave. */
    planRight: (wave: number, account: IntendedTransfer): void => {
      planned[wave]?.push(account);
    },
    plannedFor: (wave: number): readonly IntendedTransfer[] => planned[wave] ?? [],
    /**
     * Makes all `transfers`, in batches. A batch starts while notifications of the batch before are still on their way. `atOnce` gets the
     * transfers of a batch that have arrived, before our service can know of all of them.
     */
    payAll: async (
      transfers: readonly IntendedTransfer[],
      atOnce: (come: readonly Transfer[]) => Promise<void> = async () => {},
    ): Promise<void> => {
      for (const batch of inBatches(transfers, MAX_CONCURRENT)) {
        world.clock.advance(drawBelow(4) * SECOND);
        const before = world.simulator.books.transfers().length;
        await Promise.all(batch.map(pay));
        await atOnce(world.simulator.books.transfers().slice(before));
        await receiver.waitForFewer(MAX_CONCURRENT / 2);
      }
      await world.simulator.settled();
    },
  };
};
