import type { Transfer } from '#infra/local/simulator/simulator.ts';
import { MINUTE } from '#shared/platform/kernel/time.ts';
import { type ProviderName, providerName } from '#shared/providers/domain/provider.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { CALM, type Deps, type LifeOdds } from './lives.ts';
import { createAskers } from './money-askers.ts';
import { ROUGH, setSimulatorFaults } from './money-faults.ts';
import { makeAccountsOpening, makeCheckoutOpening, openAll } from './money-openings.ts';
import type { Target } from './money-operators.ts';
import { createPayers, type IntendedTransfer } from './money-payers.ts';
import { ROUGH_QUEUE } from './money-queue.ts';
import { createReturns } from './money-returns.ts';
import { countRoutingCases, failAtOpening, listHiddenAccounts, readShown } from './money-routes.ts';
import { type Chaos, listActiveAccounts, startChaos } from './money-stage.ts';
import { createStrangers } from './money-strangers.ts';
import { createRandom } from './random.ts';

/** The size of a run. `landings`: how many transfers providers keep, including those that they return later. */
export interface Size {
  readonly seed: number;
  readonly landings: number;
  readonly checkouts: number;
  /** How many customers have an account at each of the three providers. */
  readonly customers: number;
  readonly businesses: number;
}

/** The outcome of a run, with its problems. `faultCounts` counts each fault. */
export interface Outcome {
  readonly problems: readonly string[];
  readonly isDone: boolean;
  readonly figures: Readonly<Record<string, number>>;
  readonly answers: Readonly<Record<string, number>>;
  readonly faultCounts: Readonly<Record<string, number>>;
}

/** The number of waves, each some minutes long. Checkouts are opened in all waves but the last three. */
const WAVES = 16;
const OPENING_WAVES = WAVES - 3;
/** The number of waves after which reconciliation does not look at money again soon. */
const LONG_AGO = 10;

/** The share of checkouts that name no provider. */
const ROUTED = 0.75;
/** The share of routed checkouts without a hidden account for which another account is requested at once. */
const ANOTHER = 0.6;
/** The maximum of transfers to a hidden account. */
const MOST_TO_HIDDEN = 2;
/** The cases of which accounts are paid, if a checkout has a hidden account. The cases take turns. */
const CASES = ['hidden', 'both', 'shown'] as const;

/** The number of the first checkout that is opened at the end. It is above the numbers of the checkouts in the waves. */
const LAST = 10_000;

/** The number of rounds in which operators assign what is left. */
const ROUNDS = 5;

/** The odds of a request, a sweep, and an operator's command. */
const REQUEST: LifeOdds = { kill: 0.12, steps: 20, fails: 0.002, answerLost: 0.004 };
const SWEEP: LifeOdds = { kill: 0.7, steps: 600, fails: 0.002, answerLost: 0.004 };
const OPERATOR: LifeOdds = { kill: 0.4, steps: 30, fails: 0.01, answerLost: 0.02 };

/** Opens checkouts in test mode. Somebody may pay under their references at a real provider. */
const openTestCheckouts = async ({ world, businesses: [shop] }: Chaos): Promise<readonly string[]> => {
  if (!shop) return [];
  const api = createApiClient(world, shop.keys.secret_test);
  const order = { amount: 8_500, payer_email: 'chidi.eze@example.com' };
  const answers = await Promise.all(providerName.options.map((provider) => api.initialize({ ...order, provider })));
  return answers.map(({ json }) => json.data.reference);
};

/** Starts the world of a run, with all its actors. */
const startRun = async ({ seed, businesses }: Size) => {
  const draw = createRandom(seed);
  const chaos = await startChaos(draw, businesses, true);
  let cases = 0;
  const pick = <T>(from: readonly T[]): T => from[Math.floor(draw() * from.length)] as T;
  return {
    chaos,
    draw,
    pick,
    payers: createPayers(chaos, WAVES, draw),
    strangers: createStrangers(chaos.world, await openTestCheckouts(chaos)),
    askers: createAskers(chaos, draw),
    sentBack: createReturns(chaos.world.simulator, draw),
    nextCase: () => CASES[cases++ % CASES.length],
    /** Decides whether a client gives up after a dead connection. */
    givesUp: (): boolean => draw() < 0.2,
    shop: (i: number) => chaos.businesses[i % businesses] as Chaos['businesses'][number],
    /** The owners to whom operators may assign money. */
    targets: [] as Target[],
  };
};
type Run = Awaited<ReturnType<typeof startRun>>;

const countLandings = ({ chaos }: Run): number =>
  chaos.world.simulator.books.transfers().filter(({ accepted }) => accepted > 0).length;

/** Opens virtual accounts of customers, under every fault at once. */
const openAccounts = async ({ chaos, shop, givesUp, targets }: Run, customers: number) => {
  const openings = Array.from({ length: customers }, (_, i) => makeAccountsOpening(shop(i), i));
  await openAll(chaos.world, chaos.lives, openings, givesUp, () => chaos.sweep(SWEEP));
  for (let i = 0; i < 4; i++) {
    chaos.world.clock.advance(2 * MINUTE);
    await chaos.sweep(SWEEP);
  }
  const ours = await listActiveAccounts(chaos);
  targets.push(...ours.map(({ id, provider }) => ({ kind: 'virtual_account', provider, id }) as const));
  return ours;
};

/** Opens a wave's share of the checkouts, and plans the transfers to those whose answer arrived. */
const openCheckouts = async (run: Run, wave: number, checkouts: number): Promise<void> => {
  const { chaos, draw, payers: people, askers, shop, pick, givesUp, targets } = run;
  const { world, lives } = chaos;
  const [from = 0, to = 0] = [wave, wave + 1].map((n) => Math.floor((n * checkouts) / OPENING_WAVES));
  const fail = (deps: Deps): Deps => failAtOpening(deps, draw, lives.faultCounts);
  const openings = Array.from({ length: Math.max(0, Math.min(to, checkouts) - from) }, (_, i) =>
    draw() < ROUTED
      ? makeCheckoutOpening(shop(from + i), from + i, null, people.newAmount(), fail)
      : makeCheckoutOpening(shop(from + i), from + i, pick(providerName.options), people.newAmount()),
  );
  const answers = await openAll(world, lives, openings, givesUp, () => chaos.sweep(SWEEP));
  // Wait for accounts that are opened after their time-out.
  await lives.idle();
  for (const [i, answer] of answers.entries()) {
    if (!answer) continue;
    const shown = readShown(answer);
    const { reference, provider, account_number: accountNumber } = answer.json.data;
    targets.push({ kind: 'checkout', provider, id: reference });
    askers.addCheckout(reference, shop(from + i));
    const hidden = listHiddenAccounts(world.simulator, reference, accountNumber);
    if (hidden.length === 0) {
      const isRequested = openings[i]?.fail && draw() < ANOTHER;
      const other = isRequested && (await askers.askForAnother({ reference, business: shop(from + i) }));
      if (!other) people.plan(wave, shown);
      else for (const account of [shown, other]) people.planRight(wave, account);
      continue;
    }
    const paidAccounts = run.nextCase();
    if (paidAccounts !== 'hidden') people.planRight(wave, shown);
    if (paidAccounts === 'shown') continue;
    const others = hidden.map((account) => ({ ...shown, provider: account.provider, accountNumber: account.number }));
    for (const other of others) people.planRight(wave, other);
    people.plan(wave, pick(others), MOST_TO_HIDDEN);
  }
};

/** Sets how each provider treats wrong amounts in this wave, and how Korapay reports a reversal. */
const setPreferences = ({ chaos, pick }: Run): void => {
  const { simulator } = chaos.world;
  simulator.prefer('monnify', { wrongAmounts: pick(['reject', 'accept'] as const) });
  simulator.prefer('korapay', {
    over: pick(['return_excess', 'return_all', 'accept_all', 'accept_all']),
    under: pick(['return_all', 'accept_all']),
    reversalBy: pick(['status', 'amounts']),
  });
};

/** Returns a share of the recent transfers, and a smaller share of old ones. */
const sendSomeBack = async ({ chaos, sentBack }: Run, since: readonly number[]) => {
  const transfers = chaos.world.simulator.books.transfers();
  const lately = transfers.slice(since.at(-2) ?? 0);
  const longAgo = transfers.slice(0, since.at(-LONG_AGO) ?? 0);
  await sentBack.reverseSome(lately, 0.02);
  await sentBack.reverseSome(longAgo, 0.004);
};

/** Simulates some hours of business under every fault at once. */
const doBusiness = async (run: Run, { landings, checkouts, customers }: Size): Promise<void> => {
  const { chaos, draw, pick, payers: people, askers, strangers: others, sentBack, targets } = run;
  const { world, lives, operators, sweep } = chaos;
  const { simulator, clock } = world;
  const strange = await others.openVirtualAccounts();
  lives.setOdds(REQUEST);
  chaos.setQueueOdds(ROUGH_QUEUE);
  setSimulatorFaults(simulator, ROUGH, draw, lives.faultCounts);
  const ours = await openAccounts(run, customers);
  const sendTo = (accounts: readonly Omit<IntendedTransfer, 'amount'>[], count: number): IntendedTransfer[] =>
    Array.from({ length: Math.max(0, count) }, () => ({ ...pick(accounts), amount: people.newAmount() }));
  const shuffle = (transfers: readonly IntendedTransfer[]): IntendedTransfer[] =>
    transfers
      .map((transfer) => ({ transfer, at: draw() }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ transfer }) => transfer);
  const since: number[] = [];

  for (let wave = 0; wave < WAVES; wave++) {
    since.push(simulator.books.transfers().length);
    setPreferences(run);
    await openCheckouts(run, wave, checkouts);
    const stranger = await others.openPaymentAccount(pick<ProviderName>(providerName.options), people.newAmount());
    if (stranger) people.plan(wave, stranger, 2);
    const planned = people.plannedFor(wave);
    const goal = Math.floor((landings * (wave + 1)) / WAVES);
    const toAccounts = sendTo(ours, goal - countLandings(run) - Math.floor(planned.length / 2));
    const mixed = shuffle([...planned, ...toAccounts, ...sendTo(strange, 2)]);
    const half = Math.floor(mixed.length / 2);
    const atOnce = (arrived: readonly Transfer[]) => sentBack.reverseSome(arrived, 0.02);
    await people.payAll(mixed.slice(0, half), atOnce);
    clock.advance(3 * MINUTE);
    await sentBack.returnExcess();
    // Sweepers race with arrivals, returns, people and operators, and in every second wave with each other.
    const sweepers = Array.from({ length: 1 + (wave % 2) }, () => sweep(SWEEP));
    await Promise.all([
      askers.askAbout(0.7),
      people.payAll(mixed.slice(half), atOnce),
      sendSomeBack(run, since),
      operators.assignSome(targets, 0.4, OPERATOR),
      ...sweepers,
    ]);
    clock.advance(3 * MINUTE);
  }
  await people.payAll(sendTo(ours, landings - countLandings(run)));
};

/** Opens a checkout of each provider for operators, if none is known: in a small run all answers of a provider may be lost. */
const openMissingTargets = async ({ chaos, payers: people, shop, givesUp, targets }: Run): Promise<void> => {
  const isTarget = (provider: ProviderName): boolean =>
    targets.some((target) => target.kind === 'checkout' && target.provider === provider);
  const missing = providerName.options.filter((provider) => !isTarget(provider));
  const openings = missing.map((provider, i) => makeCheckoutOpening(shop(i), LAST + i, provider, people.newAmount()));
  for (const answer of await openAll(chaos.world, chaos.lives, openings, givesUp, chaos.sweep)) {
    const { reference, provider } = answer?.json.data ?? {};
    if (reference) targets.push({ kind: 'checkout', provider, id: reference });
  }
};

/** Calms everything down: operators assign what is left, some money is returned late, and a week passes. */
const endRun = async (run: Run): Promise<boolean> => {
  const { chaos, sentBack, targets } = run;
  const { simulator, clock } = chaos.world;
  await chaos.settle();
  await openMissingTargets(run);
  await sentBack.returnExcess();
  simulator.prefer('korapay', {});
  await sentBack.reverseSome(simulator.books.transfers(), 0.01);
  for (let round = 0; round < ROUNDS && (await chaos.operators.list()).length > 0; round++) {
    await chaos.operators.assignSome(targets, 1, CALM);
    clock.advance(MINUTE);
  }
  return chaos.passWeek();
};

/** Runs some hours of business under every fault at once, lets everything settle, and compares the books. */
export const runChaos = async (size: Size): Promise<Outcome> => {
  const run = await startRun(size);
  const { chaos, payers: people, askers, sentBack } = run;
  const { simulator } = chaos.world;
  try {
    await doBusiness(run, size);
    const isDone = await endRun(run);
    const { books, problems } = await chaos.audit(run.strangers.attempted);
    const reversed = books.payments.filter(({ outcome }) => outcome === 'reversed');
    return {
      problems,
      isDone,
      figures: {
        landings: countLandings(run),
        transfers: simulator.books.transfers().length,
        checkouts: books.checkouts.length,
        accounts: books.accounts.length,
        payments: books.payments.length,
        events: books.events.length,
        sentBackInPart: simulator.books
          .transfers()
          .filter(({ accepted, keptAmount }) => keptAmount > 0 && keptAmount < accepted).length,
        sentBackWhole: sentBack.whole(),
        reversedOnAccounts: reversed.filter(({ owner }) => owner.kind === 'virtual_account').length,
        reversedOnCheckouts: reversed.filter(({ owner }) => owner.kind === 'checkout').length,
        ...people.figures(),
        ...countRoutingCases(books),
        assigned: chaos.operators.done.length,
        notAssigned: chaos.operators.refused(),
        movedKobo: simulator.books.totalMoved(),
        keptKobo: simulator.books.totalKept(),
        creditedKobo: books.payments.reduce(
          (sum, payment) => sum + (payment.outcome === 'accepted' ? payment.amount : 0),
          0,
        ),
      },
      answers: { ...chaos.receiver.answers, ...askers.answers },
      faultCounts: { ...chaos.lives.faultCounts, ...chaos.messageFaults },
    };
  } finally {
    await chaos.stop();
  }
};
