/** A period of an alarm's series: true if its value is beyond the limit; undefined if there was no value. */
export type Point = boolean | undefined;

/** The state that an alarm takes. RETAIN keeps the previous state. */
export type AlarmState = 'OK' | 'ALARM' | 'INSUFFICIENT_DATA' | 'RETAIN';

/** The rule of an alarm: at least `times` of `periods` values are beyond the limit. `missing`: how a period without a value is treated. */
export interface Decision {
  readonly times: number;
  readonly periods: number;
  readonly missing: 'missing' | 'ignore' | 'breaching' | 'notBreaching';
}

/** Tells whether the few existing values are all beyond the limit, and the oldest is `times` periods old: CloudWatch then waits no longer. */
const isPrematureAlarm = (points: readonly Point[], times: number): boolean => {
  const first = points.findIndex((point) => point !== undefined);
  return first >= 0 && points.length - first >= times && points.every((point) => point !== false);
};

/**
 * Evaluates the state of an alarm. `points` is its evaluation range, the newest last. Source: CloudWatch user guide, "Configuring how
 * CloudWatch alarms treat missing data". The newest `periods` existing values are used. Missing values count only if
 * there are fewer than that.
 */
export const evaluateState = (points: readonly Point[], { times, periods, missing }: Decision): AlarmState => {
  const existing = points.filter((point) => point !== undefined);
  const recent = existing.slice(-periods);
  const missingCount = periods - recent.length;
  const beyond = recent.filter(Boolean).length + (missing === 'breaching' ? missingCount : 0);
  if (missingCount === 0 || missing === 'breaching' || missing === 'notBreaching')
    return beyond >= times ? 'ALARM' : 'OK';
  if (existing.length === 0) return missing === 'missing' ? 'INSUFFICIENT_DATA' : 'RETAIN';
  if (!isPrematureAlarm(points, times)) return 'OK';
  return missing === 'missing' ? 'ALARM' : 'RETAIN';
};

/** Parses a row of AWS's own tables: `X` beyond the limit, `0` within it, `-` missing. */
export const parsePoints = (row: string): Point[] =>
  row.split(' ').map((mark) => (mark === '-' ? undefined : mark === 'X'));
