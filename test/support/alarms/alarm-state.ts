/** A period of an alarm's series: whether its value is beyond the limit; undefined where no value came. */
export type Point = boolean | undefined;

/** The state that an alarm takes; RETAIN: the one that it had. */
export type AlarmState = 'OK' | 'ALARM' | 'INSUFFICIENT_DATA' | 'RETAIN';

/** How an alarm decides: `times` of `of` periods, and what it makes of a period without a value. */
export interface Decision {
  readonly times: number;
  readonly of: number;
  readonly missing: 'missing' | 'ignore' | 'breaching' | 'notBreaching';
}

/** Whether too few values are all beyond the limit, and the first of them is as old as `times` periods: CloudWatch does not wait for more. */
const goesOnUnseen = (points: readonly Point[], times: number): boolean => {
  const first = points.findIndex((point) => point !== undefined);
  return first >= 0 && points.length - first >= times && points.every((point) => point !== false);
};

/**
 * The state of an alarm whose evaluation range holds `points`, the newest last, by the CloudWatch user guide, "Configuring how CloudWatch
 * alarms treat missing data". Values that came are taken first, the newest `of` of them; a missing one counts only where there are fewer.
 */
export const stateOf = (points: readonly Point[], { times, of, missing }: Decision): AlarmState => {
  const came = points.filter((point) => point !== undefined);
  const taken = came.slice(-of);
  const filled = of - taken.length;
  const beyond = taken.filter(Boolean).length + (missing === 'breaching' ? filled : 0);
  if (filled === 0 || missing === 'breaching' || missing === 'notBreaching') return beyond >= times ? 'ALARM' : 'OK';
  if (came.length === 0) return missing === 'missing' ? 'INSUFFICIENT_DATA' : 'RETAIN';
  if (!goesOnUnseen(points, times)) return 'OK';
  return missing === 'missing' ? 'ALARM' : 'RETAIN';
};

/** Rows of AWS's own tables are written so: `X` beyond the limit, `0` within it, `-` missing. */
export const pointsOf = (row: string): Point[] =>
  row.split(' ').map((mark) => (mark === '-' ? undefined : mark === 'X'));
