import { readStageSettings, STAGE_NAMES } from '#infra/config.ts';
import {
  type AlarmState,
  type Decision,
  evaluateState,
  type Point,
  parsePoints,
} from '#test/support/alarms/alarm-state.ts';
import { evaluate, type Value } from '#test/support/alarms/metric-math.ts';
import {
  type AlarmProperties,
  DOMAIN,
  listAlarms,
  listStats,
  openTemplateFolder,
} from '#test/support/alarms/watch-template.ts';
import { describeRows } from '#test/support/jest/long.ts';

const folder = openTemplateFolder();
afterAll(folder.remove);

/** The treatments of missing data, in the order of AWS's columns. */
type States = readonly [missing: AlarmState, ignored: AlarmState, breaching: AlarmState, notBreaching: AlarmState];

/**
 * The two tables of the CloudWatch user guide, "Configuring how CloudWatch alarms treat missing data", with the states in its columns:
 * missing data is missing, ignored, breaching, not breaching. The newest period is last.
 */
const TABLES: readonly (readonly [times: number, row: string, ...states: States])[] = [
  [3, '0 - X - X', 'OK', 'OK', 'OK', 'OK'],
  [3, '0 - - - -', 'OK', 'OK', 'OK', 'OK'],
  [3, '- - - - -', 'INSUFFICIENT_DATA', 'RETAIN', 'ALARM', 'OK'],
  [3, '0 X X - X', 'ALARM', 'ALARM', 'ALARM', 'ALARM'],
  [3, '- - X - -', 'ALARM', 'RETAIN', 'ALARM', 'OK'],
  [2, '0 - X - X', 'ALARM', 'ALARM', 'ALARM', 'ALARM'],
  [2, '0 0 X 0 X', 'ALARM', 'ALARM', 'ALARM', 'ALARM'],
  [2, '0 - X - -', 'OK', 'OK', 'ALARM', 'OK'],
  [2, '- - - - 0', 'OK', 'OK', 'ALARM', 'OK'],
  [2, '- - - X -', 'ALARM', 'RETAIN', 'ALARM', 'OK'],
];
const TREATMENTS = ['missing', 'ignore', 'breaching', 'notBreaching'] as const;
/** Periods in each row, for alarms over three periods: CloudWatch reads more than an alarm needs. */
const RANGE_BEYOND = 2;

const stateIn = (states: readonly AlarmState[], missing: Decision['missing']): AlarmState =>
  states[TREATMENTS.indexOf(missing)] as AlarmState;

describe('AWS’s table of missing data', () => {
  test.each(TABLES)('%i of 3 over %s', (times, marks, ...states) => {
    for (const missing of TREATMENTS) {
      expect([missing, evaluateState(parsePoints(marks), { times, periods: 3, missing })]).toEqual([
        missing,
        stateIn(states, missing),
      ]);
    }
  });
});

const decisionOf = (alarm: AlarmProperties): Decision => ({
  times: alarm.DatapointsToAlarm,
  periods: alarm.EvaluationPeriods,
  missing: alarm.TreatMissingData as Decision['missing'],
});

/** The names of an alarm's metrics, or of its Contributor Insights rule. */
const leavesOf = ({ Metrics }: AlarmProperties): string[] =>
  Metrics === undefined
    ? ['']
    : Metrics.flatMap(({ Id, Expression, MetricStat }) => {
        if (MetricStat) return [Id];
        return Expression?.startsWith('INSIGHT_RULE_METRIC') ? [Expression] : [];
      });

/** The value of an alarm in a period, from the values of its metrics. */
const valueIn = (alarm: AlarmProperties, measured: (leaf: string) => Value): Value => {
  const { Metrics } = alarm;
  if (Metrics === undefined) return measured('');
  const named = (name: string): Value => {
    const entry = Metrics.find(({ Id }) => Id === name);
    return entry?.Expression === undefined ? measured(name) : evaluate(entry.Expression, named);
  };
  const shown = Metrics.find(({ ReturnData }) => ReturnData !== false);
  if (shown?.Expression === undefined) throw new Error(`${alarm.AlarmName} shows nothing.`);
  return evaluate(shown.Expression, named);
};

const isBeyond = ({ ComparisonOperator, Threshold }: AlarmProperties, value: Value): Point => {
  if (value === undefined) return undefined;
  return ComparisonOperator === 'GreaterThanThreshold' ? value > Threshold : value < Threshold;
};

const looksForLittle = ({ ComparisonOperator }: AlarmProperties): boolean => ComparisonOperator === 'LessThanThreshold';
/** The value of every metric of an alarm in a period with a fault, and in a quiet period. */
const valuesOf = (alarm: AlarmProperties) =>
  looksForLittle(alarm)
    ? { X: alarm.Threshold - 1, 0: alarm.Threshold, '-': undefined }
    : { X: 1e7, 0: 0, '-': undefined };

/** The state of an alarm over a row of marks, with the newest value of these metrics late. */
const stateOver = (alarm: AlarmProperties, row: string, late: readonly string[]): AlarmState => {
  const marks = row.split(' ') as ('X' | '0' | '-')[];
  const values = valuesOf(alarm);
  const points = marks.map((mark, at) => {
    const isNewest = at === marks.length - 1;
    return isBeyond(
      alarm,
      valueIn(alarm, (leaf) => (isNewest && late.includes(leaf) ? undefined : values[mark])),
    );
  });
  return evaluateState(points, decisionOf(alarm));
};

const rowOf = (mark: string, periods: number): string => Array(periods).fill(mark).join(' ');
/** The metrics that are late in the newest period: all, or a single one. */
const lateness = (alarm: AlarmProperties): string[][] => {
  const leaves = leavesOf(alarm);
  return [leaves, ...leaves.map((leaf) => [leaf])];
};
const fills = ({ Metrics = [] }: AlarmProperties): boolean =>
  Metrics.some(({ Expression }) => Expression?.includes('FILL('));

const isQuick = (stage: string): boolean => stage === 'prod';

describeRows('the alarms of stage %s, while the newest values are late', STAGE_NAMES, isQuick, (stage) => {
  const mail = { from: 'payments@example.com' };
  const settings = { ...readStageSettings(stage), mail, domain: DOMAIN, alarms: undefined };
  const alarms = [
    ...listAlarms(folder.synthesize(settings)),
    ...listAlarms(folder.synthesizeOutside(settings).template),
  ];
  const statesOf = (rowFor: (alarm: AlarmProperties) => string) =>
    alarms.flatMap((alarm) =>
      lateness(alarm).map((late) => ({ alarm: alarm.AlarmName, late, state: stateOver(alarm, rowFor(alarm), late) })),
    );
  const rangeOf = ({ EvaluationPeriods }: AlarmProperties): number => EvaluationPeriods + RANGE_BEYOND;

  test('all go off while a fault lasts', () => {
    const states = statesOf((alarm) => rowOf('X', rangeOf(alarm)));
    expect(states.filter(({ state }) => state !== 'ALARM')).toEqual([]);
  });

  test('do not go off while everything is well', () => {
    const states = statesOf((alarm) => rowOf('0', rangeOf(alarm)));
    expect(states.filter(({ state }) => state !== 'OK')).toEqual([]);
  });

  test('do not go off while nothing happens, unless something must happen', () => {
    const quiet = alarms.map((alarm) => [alarm, stateOver(alarm, rowOf('-', rangeOf(alarm)), [])] as const);
    for (const [alarm, state] of quiet)
      expect([alarm.AlarmName, state]).toEqual([
        alarm.AlarmName,
        alarm.TreatMissingData === 'breaching' ? 'ALARM' : 'OK',
      ]);
  });

  test('do not go off for one period less than their limit', () => {
    const states = statesOf((alarm) =>
      `${rowOf('0', rangeOf(alarm) - alarm.DatapointsToAlarm)} ${rowOf('X', alarm.DatapointsToAlarm - 1)} 0`.replace(
        '  ',
        ' ',
      ),
    );
    expect(states.filter(({ state }) => state !== 'OK')).toEqual([]);
  });

  test.each(TABLES)('decide as in AWS’s table, for %i of 3 periods: %s', (times, marks, ...states) => {
    const like = alarms.filter((alarm) => {
      const { times: wanted, periods: of } = decisionOf(alarm);
      return wanted === times && of === 3 && !fills(alarm);
    });
    expect(like.length).toBeGreaterThan(0);
    for (const alarm of like) {
      const state = stateIn(states, decisionOf(alarm).missing);
      expect([alarm.AlarmName, stateOver(alarm, marks, [])]).toEqual([alarm.AlarmName, state]);
    }
  });

  test('always have a value for DynamoDB’s metrics, because otherwise such an alarm keeps its state', () => {
    const ofTable = alarms.filter((alarm) => listStats(alarm).some(({ Namespace }) => Namespace === 'AWS/DynamoDB'));
    expect(ofTable.length).toBeGreaterThan(0);
    for (const alarm of ofTable)
      expect([alarm.AlarmName, valueIn(alarm, () => undefined)]).toEqual([alarm.AlarmName, 0]);
  });

  test('have no expression around a single metric, and allow a period without a fault if they fill missing data', () => {
    const wrapped = alarms.filter((alarm) => fills(alarm) && leavesOf(alarm).length === 1);
    expect(wrapped.map(({ AlarmName }) => AlarmName)).toEqual([]);
    const filling = alarms.filter(fills);
    expect(filling.length).toBeGreaterThan(0);
    const strict = filling.filter((alarm) => alarm.DatapointsToAlarm === alarm.EvaluationPeriods);
    expect(strict.map(({ AlarmName }) => AlarmName)).toEqual([]);
  });
});
