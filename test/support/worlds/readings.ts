import { type Payment, payment } from '#shared/payments/domain/payment.ts';
import { type UnmatchedPayment, unmatchedPayment } from '#shared/payments/domain/unmatched-payment.ts';
import type { LogFields } from '#shared/platform/observability/log.ts';
import type { Item } from '#shared/platform/table/table.ts';
import { isReturned } from '#shared/providers/domain/report.ts';
import { type Delivery, delivery } from '#shared/webhooks/domain/delivery.ts';

/** The parts of a world that are read. */
export interface Readable {
  readonly itemsOf: (skPrefix: string) => Promise<Item[]>;
  readonly logged: readonly ({ readonly event: string } & LogFields)[];
  readonly measured: readonly { readonly metric: string; readonly value: number }[];
}

/** The fields of an event's body that tests read. */
export interface AnnouncedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: {
    readonly reference?: string;
    readonly version?: number;
    readonly status?: string;
    readonly paid_amount?: number;
    readonly payment?: { readonly amount: number; readonly outcome: string };
    readonly virtual_account?: { readonly id: string };
  };
}

/** Lists every recorded event: a checkout's by version, the others oldest first. */
export const announcedEvents = async ({ itemsOf }: Pick<Readable, 'itemsOf'>): Promise<readonly AnnouncedEvent[]> => {
  const events = (await itemsOf('EVT')).map(({ body }) => JSON.parse(String(body)) as AnnouncedEvent);
  return events.sort((a, b) => (a.data.version ?? 0) - (b.data.version ?? 0) || a.id.localeCompare(b.id));
};

/** Lists the payments with an owner. */
export const recordedPayments = async ({ itemsOf }: Pick<Readable, 'itemsOf'>): Promise<readonly Payment[]> =>
  (await itemsOf('PAY')).filter((item) => item.unmatched !== true).map((item) => payment.parse(item));

/** Reads a world's table, log and metrics for tests. Amounts are kobo unless they come from the API. */
export const readings = (world: Readable) => ({
  events: () => announcedEvents(world),
  /** Lists the types of the events of one checkout or account. */
  eventsOf: async (id: string): Promise<readonly string[]> =>
    (await announcedEvents(world))
      .filter(({ data }) => data.reference === id || data.virtual_account?.id === id)
      .map(({ type }) => type),
  deliveries: async (): Promise<readonly Delivery[]> =>
    (await world.itemsOf('DLV#')).map((item) => delivery.parse(item)),
  /** Reads the only delivery. */
  delivery: async (): Promise<Delivery> => {
    const [only, ...more] = await world.itemsOf('DLV#');
    if (more.length > 0) throw new Error('There is more than one delivery.');
    return delivery.parse(only);
  },
  recorded: () => recordedPayments(world),
  /** Lists the amounts of the payments with an owner, the smallest first. */
  recordedAmounts: async (): Promise<readonly number[]> =>
    (await recordedPayments(world)).map(({ amount }) => Number(amount)).sort((a, b) => a - b),
  /** Lists unmatched money, without money that the provider has returned since. */
  unmatched: async (): Promise<readonly UnmatchedPayment[]> =>
    (await world.itemsOf('PAY'))
      .filter((item) => item.unmatched === true)
      .map((item) => unmatchedPayment.parse(item))
      .filter(({ money }) => !isReturned(money)),
  /** Lists the log lines of an event. */
  loggedLines: (event: string) => world.logged.filter((line) => line.event === event),
  loggedTimes: (event: string): number => world.logged.filter((line) => line.event === event).length,
  /** Sums up the values of a metric. */
  measuredSum: (metric: string): number =>
    world.measured.filter((measurement) => measurement.metric === metric).reduce((sum, { value }) => sum + value, 0),
});
