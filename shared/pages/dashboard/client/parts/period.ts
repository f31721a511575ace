const DAY_MS = 86_400_000;

/** Returns the moment at which a day begins in Lagos. */
const startOfDay = (day: string): number => Date.parse(`${day}T00:00:00+01:00`);

/** Writes a moment for the API; undefined if it is not a valid date. */
const formatMoment = (at: number): string | undefined => (Number.isNaN(at) ? undefined : new Date(at).toISOString());

/** A period for the API. It includes `from` and excludes `to`. */
export interface Period {
  readonly from?: string;
  readonly to?: string;
}

/** Reads the period of the filters `from` and `to` in the URL. They are days of Lagos, both included. */
export const readPeriod = ({ query }: { readonly query: URLSearchParams }): Period => {
  const from = formatMoment(startOfDay(query.get('from') ?? ''));
  const to = formatMoment(startOfDay(query.get('to') ?? '') + DAY_MS);
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
};
