import { isDeepStrictEqual } from 'node:util';
import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import { type LandDeps, landMoney } from '#shared/payments/use-cases/land-money.ts';
import { type Kobo, kobo } from '#shared/platform/kernel/money.ts';
import { MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import type { ReportedMoney } from '#shared/providers/domain/report.ts';
import { BUSINESS, id, NOON, naira, pendingCheckout } from '#test/unit/api/examples.ts';
import { type MemoryBooks, memoryBooks } from './books.ts';
import { landMoney as landBefore } from './land-money.ts';

/* The landing before issue 39 beside the one after it: random reports, one after the other, on two equal tables. */

const REFERENCE = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';
const OTHER = 'PAY-8J3MR0YX5N2ZC9V6SD4P';
const FOREIGN = 'PAY-9K4NS1ZY6P3AD0W7TE5Q';

type Random = () => number;
export const randomFrom = (seed: number): Random => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};
const pick = <T>(random: Random, values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;

const AMOUNTS = [0, 1, 100, 2_500, 4_900, 5_000, 5_100, 8_000].map((amount) => naira(amount));

const payees = [
  { by: 'our_reference', reference: REFERENCE },
  { by: 'our_reference', reference: REFERENCE },
  { by: 'our_reference', reference: `${REFERENCE}-2` },
  { by: 'our_reference', reference: OTHER },
  { by: 'our_reference', reference: FOREIGN },
  { by: 'our_reference', reference: 'order-1' },
  { by: 'account_number', accountNumber: '2200000001' },
  { by: 'account_number', accountNumber: '2200000001' },
  { by: 'account_number', accountNumber: '9900000001' },
] as const;

const moneyFrom = (random: Random): ReportedMoney => {
  const payee = pick(random, payees);
  const amount = pick(random, AMOUNTS);
  const asked = pick(random, [undefined, naira(5_000), naira(4_000)]);
  const leftOut = random() < 0.1 ? naira(100) : undefined;
  const common = {
    providerReference: pick(random, ['txn-1', 'txn-2']),
    ...(asked !== undefined && { asked }),
    ...(leftOut !== undefined && { leftOut }),
    fee: pick(random, [naira(0), naira(10), naira(50)]),
    paidAt: pick(random, [null, NOON + MINUTE, NOON + 40 * MINUTE]),
    senderName: pick(random, [null, 'EZE CHIDI']),
    senderBank: pick(random, [null, 'GTBank']),
  };
  const kind = pick(random, ['transfer', 'transfer', 'rejection', 'running_total', 'running_total'] as const);
  if (kind === 'running_total' && payee.by === 'our_reference') {
    return { ...common, kind, payee, kept: amount, returned: pick(random, AMOUNTS) };
  }
  if (kind === 'rejection') {
    return { ...common, kind, payee, amount, rejectionId: pick(random, ['session-1', 'session-2']) };
  }
  return {
    ...common,
    kind: 'transfer',
    payee,
    amount,
    transferId: pick(random, ['trf-1', 'trf-2', 'trf-3']),
    outcome: pick(random, ['accepted', 'accepted', 'reversed'] as const),
  };
};

const account = (provider: 'paystack' | 'korapay') =>
  ({
    id: id('va'),
    businessId: BUSINESS.id,
    mode: 'live',
    provider,
    customerName: 'Adaeze Okafor',
    customerPhone: '+2348031234567',
    customerEmail: 'adaeze.okafor@example.com',
    metadata: null,
    createdAt: NOON,
    version: 2,
    status: 'active',
    account: {
      accountNumber: '2200000001',
      accountName: 'Adaeze Okafor',
      bankName: 'Wema Bank',
      bankCode: '035',
      providerId: null,
    },
  }) as const;

const objectsFrom = (random: Random) => {
  const used = random() < 0.5 ? `${REFERENCE}-2` : REFERENCE;
  const checkouts: Checkout[] = [
    pendingCheckout({ mode: 'live', providerReference: used }),
    pendingCheckout({ mode: 'live', reference: OTHER, providerReference: OTHER, amount: naira(8_000) }),
    pendingCheckout({
      mode: pick(random, ['test', 'live'] as const),
      provider: 'korapay',
      reference: FOREIGN,
      providerReference: FOREIGN,
    }),
  ];
  return {
    business: BUSINESS,
    checkouts,
    account: account(random() < 0.9 ? 'paystack' : 'korapay'),
    isOpen: random() < 0.6,
  };
};

const event = { kind: 'event', id: id('evt') };
/** What both landings are given, with what they announced. */
const sideOf = (books: MemoryBooks, now: () => number, isReviewed: boolean) => {
  let made = 0;
  const deps = {
    now,
    newId: (kind: 'pay' | 'evt' | 'dlv') => (kind === 'pay' ? id('pay', made) : id(kind as 'evt')),
    pause: async () => {},
    log: (...entry: readonly unknown[]) => void books.events.push(['log', entry[0], entry[1]]),
    metrics: (...entry: readonly unknown[]) => void books.events.push(['metric', ...entry]),
    queue: { send: async () => {} },
    liveProviders: () => ({ returnsSilently: isReviewed }),
    ledger: {
      ...books.ledger,
      record: async (entry: Record<string, unknown>) => {
        const recorded = books.record(entry);
        if (recorded !== 'recorded') return recorded;
        const announced = (entry.announced ?? [entry, entry.also]) as readonly (
          | { event?: { type: string; body: string } }
          | undefined
        )[];
        for (const one of announced) if (one?.event) books.events.push([one.event.type, one.event.body]);
        if (entry.payment) made += 1;
        return recorded;
      },
    },
    unmatched: {
      save: async (after: never, before: never) => books.record({ unmatched: { before, after } }) === 'recorded',
      forget: async (before: never) => void books.record({ unmatched: { before } }),
    },
  };
  return {
    deps: deps as unknown as LandDeps,
    setMade: (value: number) => {
      made = value;
    },
  };
};

const outcomeOf = async (landing: Promise<unknown>): Promise<unknown> => {
  try {
    return await landing;
  } catch (error) {
    return `throws ${(error as Error).constructor.name}`;
  }
};

export interface Difference {
  readonly report: unknown;
  readonly before: unknown;
  readonly after: unknown;
}

/** Plays a history of `steps` reports on both; returns how many were compared by their outcome, and the first difference. */
export const compareHistory = async (
  seed: number,
  steps: number,
): Promise<{ outcomes: Record<string, number>; difference?: Difference }> => {
  const random = randomFrom(seed);
  const objects = objectsFrom(random);
  const isReviewed = random() < 0.5;
  const [before, after] = [memoryBooks(objects), memoryBooks(objects)];
  let clock = NOON + MINUTE;
  const [one, other] = [sideOf(before, () => clock, isReviewed), sideOf(after, () => clock, isReviewed)];
  const outcomes: Record<string, number> = {};
  for (let step = 1; step <= steps; step += 1) {
    clock += pick(random, [0, 1, SECOND, 31 * SECOND, MINUTE]);
    if (random() < 0.1) for (const books of [before, after]) books.openOwners();
    const money = moneyFrom(random);
    const refund =
      random() < 0.2
        ? { id: pick(random, ['rfd-1', 'rfd-2', 'rfd-3']), amount: pick(random, AMOUNTS.slice(1)) as Kobo }
        : undefined;
    const answer = {
      state: pick(random, ['open', 'open', 'complete', 'failed'] as const),
      askedAt: pick(random, [0, clock - 2 * MINUTE, clock - 31 * SECOND, clock - SECOND, clock]),
      ...(refund && { refund }),
    };
    const assigned = random() < 0.08;
    const asReinstated = money.kind === 'transfer' && random() < 0.1;
    const reported = asReinstated ? { ...money, reinstatements: pick(random, [1, 2]) } : money;
    // Only an operator lands reinstated money, and only the checkouts and the account of its provider are named.
    const isAssigned = assigned || asReinstated;
    const named = pick(random, [REFERENCE, OTHER]);
    const owner =
      random() < 0.5 || reported.kind === 'running_total'
        ? ({ kind: 'checkout', reference: named } as const)
        : ({ kind: 'virtual_account', id: id('va') } as const);
    const isTotal = isAssigned && reported.kind === 'running_total' && owner.kind === 'checkout';
    if (isTotal) for (const books of [before, after]) books.assign(reported.payee.reference, owner.reference);
    const to = isAssigned ? { owner, tenant: { businessId: BUSINESS.id, mode: 'live' as const } } : undefined;
    for (const books of [before, after]) {
      books.writes.length = 0;
      books.events.length = 0;
    }
    one.setMade(step * 100);
    other.setMade(step * 100);
    const was = await outcomeOf(landBefore(one.deps as never, 'paystack', reported, answer, to as never));
    const is = await outcomeOf(landMoney(other.deps, 'paystack', reported, answer, to as never));
    if (process.env.SHOW_REFUSAL && String(was).includes('Refusal'))
      process.stdout.write(JSON.stringify({ seed, step, reported, answer, to, state: before.state() }, null, 1));
    outcomes[`${reported.kind} ${was}`] = (outcomes[`${reported.kind} ${was}`] ?? 0) + 1;
    const old = { outcome: was, writes: before.writes, events: before.events };
    const now = { outcome: is, writes: after.writes, events: after.events };
    // The rest of a refunded transfer counts too when its provider calls the charge complete: the landing before asked its first payment alone.
    const isCompletedByRest =
      before.writes.length === 0 &&
      reported.kind === 'transfer' &&
      answer.state === 'complete' &&
      JSON.stringify(after.events).includes('checkout.paid') &&
      after.events.length === 1;
    if (isCompletedByRest) {
      outcomes['named difference'] = (outcomes['named difference'] ?? 0) + 1;
      return { outcomes };
    }
    if (!isDeepStrictEqual(JSON.parse(JSON.stringify(old)), JSON.parse(JSON.stringify(now)))) {
      return {
        outcomes,
        difference: {
          report: { seed, step, clock, reported, answer, to, state: after.state() },
          before: old,
          after: now,
        },
      };
    }
  }
  const same = isDeepStrictEqual(before.state(), after.state());
  return same
    ? { outcomes }
    : { outcomes, difference: { report: { seed }, before: before.state(), after: after.state() } };
};
export { event, kobo };
