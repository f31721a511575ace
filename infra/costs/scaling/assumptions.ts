import { RUN_SECONDS } from '#infra/costs/tables.ts';

/** A value that we assume, because no test counts it and nobody publishes it. `unit`: seconds, or empty for a count. */
interface Assumption {
  readonly value: number;
  readonly unit: string;
  readonly description: string;
}

export const ASSUMPTIONS = {
  lookUp: {
    value: 0.5,
    unit: 's',
    description: '**L**: time that a provider takes to answer a look-up, an opening or a request for a list page',
  },
  webhook: { value: 0.3, unit: 's', description: '**P**: time that an endpoint takes to answer a webhook' },
  notification: { value: 0.03, unit: 's', description: 'time to store and queue a notification' },
  request: { value: RUN_SECONDS, unit: 's', description: 'time of any other request, without waiting for a provider' },
  batchRead: { value: 0.05, unit: 's', description: 'time to compare a list page with our books' },
  queued: { value: 0.1, unit: 's', description: 'time that a message spends in its queue, without a backlog' },
  entry: { value: 0.002, unit: 's', description: 'processor time that a sweep needs to queue one entry' },
  mail: { value: 0.2, unit: 's', description: 'time that SES takes to accept a mail' },
  unpaid: { value: 1, unit: '', description: 'unpaid checkouts for each payment' },
  verifies: { value: 1, unit: '', description: 'verifies by the merchant for each payment' },
  pageOpen: { value: 60, unit: 's', description: 'time that the payment page is open, for every checkout' },
  newsInterval: { value: 5, unit: 's', description: 'time between two requests of the page for news' },
} as const satisfies Readonly<Record<string, Assumption>>;

/** Lists the rows of the table of assumptions in scaling.md. */
export const listAssumptions = (): readonly (readonly string[])[] =>
  Object.values<Assumption>(ASSUMPTIONS).map(({ value, unit, description }) => [
    description,
    unit === 's' && value < 0.1 ? `${value * 1_000} ms` : `${value} ${unit}`.trim(),
  ]);

/** Returns an assumed value, in seconds or as a count. */
export const assume = (name: keyof typeof ASSUMPTIONS): number => ASSUMPTIONS[name].value;
