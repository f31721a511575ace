import { RUN_SECONDS } from '#infra/costs/tables.ts';

/** A figure that no count and no page says. */
interface Assumption {
  readonly value: number;
  readonly unit: string;
  readonly says: string;
}

export const ASSUMED = {
  lookUp: { value: 0.5, unit: 's', says: '**L**: a provider answers a look-up, an opening or a page of its list' },
  webhook: { value: 0.3, unit: 's', says: '**P**: an endpoint answers a webhook' },
  notification: { value: 0.03, unit: 's', says: 'a notification is stored and queued' },
  request: { value: RUN_SECONDS, unit: 's', says: 'any other request, without its wait for a provider' },
  batchRead: { value: 0.05, unit: 's', says: 'a page of a list is compared with our books' },
  queued: { value: 0.1, unit: 's', says: 'a message is in its queue, where there is no backlog' },
  entry: { value: 0.002, unit: 's', says: 'a sweep sends an entry on its way: processor time at its memory' },
  mail: { value: 0.2, unit: 's', says: 'SES takes a mail' },
  unpaid: { value: 1, unit: '', says: 'checkouts that nobody pays, for each payment' },
  verifies: { value: 1, unit: '', says: 'verifies by the merchant, for each payment' },
  looking: { value: 60, unit: 's', says: 'a payer looks at our page, of every checkout' },
  asking: { value: 5, unit: 's', says: 'between two questions of that page' },
} as const satisfies Readonly<Record<string, Assumption>>;

/** The rows of the printed table. */
export const listAssumptions = (): readonly (readonly string[])[] =>
  Object.values<Assumption>(ASSUMED).map(({ value, unit, says }) => [
    says,
    unit === 's' && value < 0.1 ? `${value * 1_000} ms` : `${value} ${unit}`.trim(),
  ]);

/** The values alone, in seconds or times. */
export const assume = (name: keyof typeof ASSUMED): number => ASSUMED[name].value;
