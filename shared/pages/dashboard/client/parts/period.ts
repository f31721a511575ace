const DAY_MS = 86_400_000;

/** When a day of Lagos begins. */
const startOfDay = (day: string): number => Date.parse(`${day}T00:00:00+01:00`);

/** A moment as the API takes it; undefined for a day that is none. */
const formatMoment = (at: number): string | undefined => (Number.isNaN(at) ? undefined : new Date(at).toISOString());

/** A period as the API takes it: from a moment on, and before another. */
export interface Period {
  readonly from?: string;
  readonly to?: string;
}

/** What the filters `from` and `to` in the URL ask for. Their days are those of Lagos, both included. */
export const readPeriod = ({ query }: { readonly query: URLSearchParams }): Period => {
  const from = formatMoment(startOfDay(query.get('from') ?? ''));
  const to = formatMoment(startOfDay(query.get('to') ?? '') + DAY_MS);
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
};
