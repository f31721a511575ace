import type { Simulator } from '#infra/local/simulator/simulator.ts';
import { checkout } from '#shared/checkouts/domain/checkout.ts';
import { getOwnerId } from '#shared/payments/domain/payment.ts';
import { listAttemptReferences, toFirstReference } from '#shared/providers/domain/attempt-reference.ts';
import { virtualAccount } from '#shared/virtual-accounts/domain/virtual-account.ts';
import { announcedEvents, type Readable, recordedPayments } from './readings.ts';

/** The sources of a world's books. */
interface Books {
  readonly itemsOf: Readable['itemsOf'];
  readonly simulator: Simulator;
}

/** The money of one checkout or account, in kobo: in our books, as its business sees it, and at the provider. */
interface Balance {
  readonly id: string;
  readonly accepted: number;
  readonly shown: number;
  readonly kept: number;
  readonly version: number;
  readonly announcedVersions: readonly number[];
  /** The number of changes without an event: accounts that were shown after the first. */
  readonly unannounced: number;
}

/** Reads the balance of every checkout and every virtual account. */
const readBalances = async (world: Books): Promise<readonly Balance[]> => {
  const payments = await recordedPayments(world);
  const events = await announcedEvents(world);
  const sumAccepted = (id: string): number =>
    payments
      .filter(({ owner, outcome }) => outcome === 'accepted' && id === getOwnerId(owner))
      .reduce((sum, { amount }) => sum + amount, 0);
  const sumKept = (references: readonly string[]): number =>
    references.reduce((sum, reference) => sum + world.simulator.books.keptFor(reference), 0);
  const checkouts = (await world.itemsOf('CHK'))
    .map((item) => checkout.parse(item))
    .map(
      ({ reference, attempts, paidAmount, version }): Balance => ({
        id: reference,
        accepted: sumAccepted(reference),
        shown: paidAmount,
        kept: sumKept(attempts.flatMap((attempt) => listAttemptReferences(toFirstReference(attempt.reference)))),
        version,
        announcedVersions: events
          .filter(({ data }) => data.reference === reference)
          .flatMap(({ data }) => data.version ?? []),
        unannounced: attempts.filter(({ shownAt }) => shownAt !== undefined).length - 1,
      }),
    );
  const accounts = (await world.itemsOf('VA'))
    .filter(({ sk }) => sk === 'VA')
    .map((item) => virtualAccount.parse(item))
    .map(({ id }): Balance => {
      const changes = events.filter(({ data }) => data.virtual_account?.id === id);
      const shown = changes.reduce(
        (sum, { type, data }) =>
          sum + Math.round((data.payment?.amount ?? 0) * 100) * (type.endsWith('received') ? 1 : -1),
        0,
      );
      return {
        id,
        accepted: sumAccepted(id),
        shown,
        kept: sumKept([id]),
        version: 1,
        announcedVersions: [],
        unannounced: 0,
      };
    });
  return [...checkouts, ...accounts];
};

/** Expects that each later version of a checkout was announced once, except those of additional accounts. */
const expectAnnounced = ({ id, version, announcedVersions, unannounced }: Balance): void => {
  const later = Array.from({ length: version - 1 }, (_, i) => i + 2);
  const silent = later.filter((version) => !announcedVersions.includes(version));
  expect({ id, left: silent.length }).toEqual({ id, left: unannounced });
  expect({ id, announcedVersions }).toEqual({
    id,
    announcedVersions: later.filter((version) => !silent.includes(version)),
  });
};

/** Returns the expectations of all books of a world. */
export const createExpectations = (world: Books) => ({
  /** Expects that all books agree, and that each change of a checkout was announced once under its own version. */
  expectBooksToAgree: async (): Promise<void> => {
    for (const balance of await readBalances(world)) {
      const { id, accepted, shown, kept } = balance;
      expect({ id, accepted, shown }).toEqual({ id, accepted: kept, shown: kept });
      expectAnnounced(balance);
    }
  },
  /** Expects that a checkout, its payments and its events agree on `sum` kobo, or on any sum if `sum` is missing. */
  expectCheckoutSum: async (reference: string, sum?: number): Promise<void> => {
    const balance = (await readBalances(world)).find(({ id }) => id === reference);
    expect(balance).toMatchObject({ accepted: sum ?? balance?.shown, shown: sum ?? balance?.accepted });
    if (balance) expectAnnounced(balance);
  },
});
