import type { Simulator, Transfer } from '#infra/local/simulator/simulator.ts';

/** What providers send back after they kept it. `random` is in [0, 1). */
export const returns = (simulator: Simulator, random: () => number) => {
  /** Excess whose way back has begun. */
  const underWay = new Set<Transfer>();
  let judged = 0;
  let whole = 0;

  /** All of a transfer goes back: without a word, or with the provider's own; and sometimes its first notification comes once more. */
  const reverse = async ({ account: { provider }, transferId }: Transfer): Promise<void> => {
    whole += 1;
    await simulator.reverse(provider, transferId, random() < 0.6);
    if (random() < 0.2) await simulator.resend(transferId);
  };
  /** Most transfers are to virtual accounts; what is announced of checkouts is the harder part. */
  const oddsOf = ({ account }: Transfer, share: number): number => share * (account.kind === 'payment' ? 8 : 1);
  return {
    /** How many transfers were returned as a whole after they were kept. */
    whole: (): number => whole,
    /** Sends back a share of some transfers, all at once, and more of those for one payment. */
    reverseSome: async (transfers: readonly Transfer[], share: number): Promise<void> => {
      const chosen = transfers.filter((one) => one.keptAmount > 0 && random() < oddsOf(one, share));
      await Promise.all(chosen.map(reverse));
    },
    /** Korapay sends back some of what came beyond an amount since the last time and counted, and ends what it began before. */
    returnExcess: async (): Promise<void> => {
      for (const one of underWay) if (one.keptAmount > 0) await simulator.returnExcess(one.transferId, 'success');
      underWay.clear();
      const transfers = simulator.books.transfers();
      const isTooMuch = ({ account, amount, keptAmount: kept }: Transfer): boolean =>
        account.provider === 'korapay' && kept === amount && amount > (account.toPay ?? amount);
      for (const one of transfers.slice(judged).filter(isTooMuch)) {
        if (random() < 0.3) continue;
        await simulator.returnExcess(one.transferId, random() < 0.5 ? 'processing' : 'success');
        underWay.add(one);
      }
      judged = transfers.length;
    },
  };
};
