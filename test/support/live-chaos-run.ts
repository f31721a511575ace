import { type ProviderName, providerName } from '#shared/domain/provider.ts';
import { MINUTE, SECOND } from '#shared/domain/time.ts';
import { seeded } from './chaos-random.ts';
import type { Made } from './live-chaos-books.ts';
import { ROUGH, setTwinFaults } from './live-chaos-faults.ts';
import type { LifeOdds } from './live-chaos-life.ts';
import { accountsOpening, checkoutOpening, openAll } from './live-chaos-openings.ts';
import { type Planned, standingAccounts, startChaos } from './live-chaos-stage.ts';

/** How much is to happen. `landings`: transfers that providers keep, beside those that come before an answer. */
export interface Size {
  readonly seed: number;
  readonly landings: number;
  readonly checkouts: number;
  /** Each has an account at each of the three providers. */
  readonly customers: number;
  readonly businesses: number;
}

/** What happened, and what is wrong with it. `struck` is how often each fault came. */
export interface Outcome {
  readonly problems: readonly string[];
  readonly isDone: boolean;
  readonly figures: Readonly<Record<string, number>>;
  readonly answers: Readonly<Record<string, number>>;
  readonly struck: Readonly<Record<string, number>>;
}

/** Each of some minutes; checkouts are opened in all but the last ones. */
const WAVES = 16;
const OPENING_WAVES = WAVES - 3;
const ABREAST = 25;

const REQUEST: LifeOdds = { kill: 0.12, steps: 20, fails: 0.002, answerLost: 0.004 };
const SWEEP: LifeOdds = { kill: 0.7, steps: 600, fails: 0.002, answerLost: 0.004 };

/** Some hours of business under every fault at once, then time to mend, then the comparison of the books. */
export const runChaos = async ({ seed, landings, checkouts, customers, businesses: shops }: Size): Promise<Outcome> => {
  const draw = seeded(seed);
  const below = (limit: number): number => Math.floor(draw() * limit);
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T;
  const leaves = (): boolean => draw() < 0.2;
  const chaos = await startChaos(draw, shops);
  const { world, lives, receiver, businesses, made, sweep, pay } = chaos;
  const { twin, clock } = world;
  const shop = (i: number) => businesses[i % shops] as (typeof businesses)[number];
  let amounts = 0;
  /** No two transfers are alike, so that each can be found in the books. */
  const newAmount = (): number => {
    amounts += 1;
    return 1_000_000 + below(100) * 10_000_000 + amounts * 7;
  };
  const keptSoFar = (): number => made.filter(({ kept }) => kept > 0).length;

  const waves: Planned[][] = Array.from({ length: WAVES }, () => []);
  const plan = (wave: number, provider: ProviderName, accountNumber: string, toPay: number): void => {
    for (let left = 1 + below(6); left > 0; left--) {
      const amount = pick([toPay, toPay + 1 + below(500_000), toPay - 1 - below(500_000)]);
      // Soon, or long after the account has expired.
      const later = draw() < 0.2 ? 7 + below(4) : below(2);
      waves[Math.min(WAVES - 1, wave + later)]?.push({ provider, accountNumber, amount });
    }
  };
  const openCheckouts = async (wave: number): Promise<void> => {
    const [from = 0, to = 0] = [wave, wave + 1].map((one) => Math.floor((one * checkouts) / OPENING_WAVES));
    const wanted = Array.from({ length: Math.max(0, Math.min(to, checkouts) - from) }, (_, i) =>
      checkoutOpening(shop(from + i), from + i, pick(providerName.options), newAmount()),
    );
    for (const answer of await openAll(world, lives, wanted, leaves)) {
      if (!answer) continue;
      const { provider, account_number, amount_to_pay } = answer.json.data;
      plan(wave, provider, account_number, Math.round(amount_to_pay * 100));
    }
  };
  const payAll = async (transfers: readonly Planned[]): Promise<void> => {
    for (let i = 0; i < transfers.length; i += ABREAST) {
      clock.advance(below(4) * SECOND);
      await Promise.all(transfers.slice(i, i + ABREAST).map(pay));
      // The next ones come while the last of these are still on their way.
      await receiver.fewerThan(ABREAST / 2);
    }
    await twin.settled();
  };

  let judged = 0;
  /** Korapay sends back some of what came beyond an amount and counted, and ends what it began before. */
  const sendExcessBack = async (): Promise<void> => {
    const toPay = new Map(twin.books.accounts().map((account) => [account.reference, account.toPay]));
    for (const one of made.filter(({ fell }) => fell)) await chaos.returnExcess(one, 'success');
    const isTooMuch = ({ provider, reference, amount, kept }: Made): boolean =>
      provider === 'korapay' && kept === amount && amount > (toPay.get(reference) ?? amount);
    for (const one of made.slice(judged).filter(isTooMuch)) {
      if (draw() < 0.5) await chaos.returnExcess(one, pick(['processing', 'success']));
    }
    judged = made.length;
  };

  try {
    lives.setOdds(REQUEST);
    setTwinFaults(twin, ROUGH, draw, lives.struck);
    const opened = Array.from({ length: customers }, (_, i) => accountsOpening(shop(i), i));
    await openAll(world, lives, opened, leaves);
    for (let i = 0; i < 4; i++) {
      clock.advance(2 * MINUTE);
      await sweep(SWEEP);
    }
    const standing = await standingAccounts(chaos);
    const toStanding = (count: number): Planned[] =>
      Array.from({ length: Math.max(0, count) }, () => ({ ...pick(standing), amount: newAmount() }));

    for (let wave = 0; wave < WAVES; wave++) {
      twin.prefer('monnify', pick(['reject', 'accept']));
      twin.prefer('korapay', {
        over: pick(['return_excess', 'return_all', 'accept_all']),
        under: pick(['return_all', 'accept_all']),
      });
      await openCheckouts(wave);
      const planned = waves[wave] ?? [];
      const goal = Math.floor((landings * (wave + 1)) / WAVES);
      const mixed = [...planned, ...toStanding(goal - keptSoFar() - Math.floor(planned.length / 2))]
        .map((transfer) => ({ transfer, at: draw() }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ transfer }) => transfer);
      const half = Math.floor(mixed.length / 2);
      await payAll(mixed.slice(0, half));
      clock.advance(3 * MINUTE);
      await sendExcessBack();
      // Sweepers race with what arrives, and every other time with each other.
      const sweepers = Array.from({ length: 1 + (wave % 2) }, () => sweep(SWEEP));
      await Promise.all([payAll(mixed.slice(half)), ...sweepers]);
      clock.advance(3 * MINUTE);
    }
    await payAll(toStanding(landings - keptSoFar()));
    const { isDone } = await chaos.mend();
    const { books, problems } = await chaos.audit();
    return {
      problems,
      isDone,
      figures: {
        landings: keptSoFar(),
        transfers: made.length,
        checkouts: books.checkouts.length,
        accounts: books.accounts.length,
        payments: books.payments.length,
        events: books.events.length,
        sentBackLater: made.filter(({ fell }) => fell).length,
        movedKobo: twin.books.moved(),
        keptKobo: twin.books.kept(),
        creditedKobo: books.payments.reduce((sum, one) => sum + (one.outcome === 'accepted' ? one.amount : 0), 0),
      },
      answers: receiver.answers,
      struck: lives.struck,
    };
  } finally {
    await chaos.stop();
  }
};
