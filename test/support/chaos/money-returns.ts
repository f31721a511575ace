import type { Simulator, Transfer } from '#infra/local/simulator/simulator.ts';

/** Simulates the returns of kept money by providers. `random` returns numbers in [0, 1). */
export const createReturns = (simulator: Simulator, random: () => number) => {
  /** Excess whose return has begun. */
  const underWay = new Set<Transfer>();
  let seenCount = 0;
  let whole = 0;

  /** Returns all of a transfer, with or without a notification. Sometimes its first notification is repeated. */
  const reverse = async ({ account: { provider }, transferId }: Transfer): Promise<void> => {
    whole += 1;
    await simulator.reverse(provider, transferId, random() < 0.6);
    if (random() < 0.2) await simulator.resend(transferId);
  };
  /** Finds the odds of a return. They are higher for checkouts: few transfers are for checkouts, and their events are harder to get right. */
  const findOdds = ({ account }: Transfer, share: number): number => share * (account.kind === 'payment' ? 8 : 1);
  return {
    /** Counts the transfers that were kept first and then returned as a whole. */
    whole: (): number => whole,
    /** Returns a share of some transfers, all at once, and more of those to checkouts. */
    reverseSome: async (transfers: readonly Transfer[], share: number): Promise<void> => {
      const selected = transfers.filter((transfer) => transfer.keptAmount > 0 && random() < findOdds(transfer, share));
      await Promise.all(selected.map(reverse));
    },
    /** Lets Korapay begin to return some of the excess since the last call, and end the returns that it began before. */
    returnExcess: async (): Promise<void> => {
      for (const transfer of underWay)
        if (transfer.keptAmount > 0) await simulator.returnExcess(transfer.transferId, 'success');
      underWay.clear();
      const transfers = simulator.books.transfers();
      const isTooMuch = ({ account, amount, keptAmount }: Transfer): boolean =>
        account.provider === 'korapay' && keptAmount === amount && amount > (account.toPay ?? amount);
      for (const transfer of transfers.slice(seenCount).filter(isTooMuch)) {
        if (random() < 0.3) continue;
        await simulator.returnExcess(transfer.transferId, random() < 0.5 ? 'processing' : 'success');
        underWay.add(transfer);
      }
      seenCount = transfers.length;
    },
  };
};
