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

/** The states of an alarm, one for each treatment of missing data, in the order of AWS's columns. */
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
/** Periods that CloudWatch reads in addition to the periods of an alarm. AWS's rows have five periods for alarms over three. */
const EXTRA_PERIODS = 2;

const findState = (states: readonly AlarmState[], missing: Decision['missing']): AlarmState =>
  states[TREATMENTS.indexOf(missing)] as AlarmState;

describe('the evaluation of an alarm with missing data', () => {
  test.each(TABLES)('gives the states of AWS’s table for %i of 3 periods: %s', (times, marks, ...states) => {
    for (const missing of TREATMENTS) {
      expect([missing, evaluateState(parsePoints(marks), { times, periods: 3, missing })]).toEqual([
        missing,
        findState(states, missing),
      ]);
    }
  });
});

const readDecision = (alarm: AlarmProperties): Decision => ({
  times: alarm.DatapointsToAlarm,
  periods: alarm.EvaluationPeriods,
  missing: alarm.TreatMissingData as Decision['missing'],
});

/** Lists the names of an alarm's metrics; for a Contributor Insights rule, its expression. An alarm on a single metric has the name ''. */
const listLeaves = ({ Metrics }: AlarmProperties): string[] =>
  Metrics === undefined
    ? ['']
    : Metrics.flatMap(({ Id, Expression, MetricStat }) => {
        if (MetricStat) return [Id];
        return Expression?.startsWith('INSIGHT_RULE_METRIC') ? [Expression] : [];
      });

/** Computes the value of an alarm in a period from the values of its metrics. */
const computeValue = (alarm: AlarmProperties, measured: (leaf: string) => Value): Value => {
  const { Metrics } = alarm;
  if (Metrics === undefined) return measured('');
  const readValue = (name: string): Value => {
    const entry = Metrics.find(({ Id }) => Id === name);
    return entry?.Expression === undefined ? measured(name) : evaluate(entry.Expression, readValue);
  };
  const returned = Metrics.find(({ ReturnData }) => ReturnData !== false);
  if (returned?.Expression === undefined) throw new Error(`${alarm.AlarmName} shows nothing.`);
  return evaluate(returned.Expression, readValue);
};

const isBeyond = ({ ComparisonOperator, Threshold }: AlarmProperties, value: Value): Point => {
  if (value === undefined) return undefined;
  return ComparisonOperator === 'GreaterThanThreshold' ? value > Threshold : value < Threshold;
};

const looksForLittle = ({ ComparisonOperator }: AlarmProperties): boolean => ComparisonOperator === 'LessThanThreshold';
/** Returns the value of every metric of an alarm in a period with a fault (X), in a good period (0), and in a period without data (-). */
const chooseValues = (alarm: AlarmProperties) =>
  looksForLittle(alarm)
    ? { X: alarm.Threshold - 1, 0: alarm.Threshold, '-': undefined }
    : { X: 1e7, 0: 0, '-': undefined };

/** Evaluates an alarm over a row of marks. The metrics in `late` have no value yet in the newest period. */
const evaluateRow = (alarm: AlarmProperties, row: string, late: readonly string[]): AlarmState => {
  const marks = row.split(' ') as ('X' | '0' | '-')[];
  const values = chooseValues(alarm);
  const points = marks.map((mark, at) => {
    const isNewest = at === marks.length - 1;
    return isBeyond(
      alarm,
      computeValue(alarm, (leaf) => (isNewest && late.includes(leaf) ? undefined : values[mark])),
    );
  });
  return evaluateState(points, readDecision(alarm));
};

const makeRow = (mark: string, periods: number): string => Array(periods).fill(mark).join(' ');
/** Lists the groups of metrics that may be late in the newest period: all metrics together, and each metric alone. */
const listLateGroups = (alarm: AlarmProperties): string[][] => {
  const leaves = listLeaves(alarm);
  return [leaves, ...leaves.map((leaf) => [leaf])];
};
const fillsMissingData = ({ Metrics = [] }: AlarmProperties): boolean =>
  Metrics.some(({ Expression }) => Expression?.includes('FILL('));

const isQuick = (stage: string): boolean => stage === 'prod';

describeRows('the alarms of stage %s, while the newest values are late', STAGE_NAMES, isQuick, (stage) => {
  const mail = { from: 'payments@example.com' };
  const settings = { ...readStageSettings(stage), mail, domain: DOMAIN, alarms: undefined };
  const alarms = [
    ...listAlarms(folder.synthesize(settings)),
    ...listAlarms(folder.synthesizeOutside(settings).template),
  ];
  const evaluateAll = (rowFor: (alarm: AlarmProperties) => string) =>
    alarms.flatMap((alarm) =>
      listLateGroups(alarm).map((late) => ({
        alarm: alarm.AlarmName,
        late,
        state: evaluateRow(alarm, rowFor(alarm), late),
      })),
    );
  const countPeriods = ({ EvaluationPeriods }: AlarmProperties): number => EvaluationPeriods + EXTRA_PERIODS;

  test('all go off while a fault lasts', () => {
    const states = evaluateAll((alarm) => makeRow('X', countPeriods(alarm)));
    expect(states.filter(({ state }) => state !== 'ALARM')).toEqual([]);
  });

  test('do not go off while everything is well', () => {
    const states = evaluateAll((alarm) => makeRow('0', countPeriods(alarm)));
    expect(states.filter(({ state }) => state !== 'OK')).toEqual([]);
  });

  test('do not go off while nothing happens, unless something must happen', () => {
    const quiet = alarms.map((alarm) => [alarm, evaluateRow(alarm, makeRow('-', countPeriods(alarm)), [])] as const);
    for (const [alarm, state] of quiet)
      expect([alarm.AlarmName, state]).toEqual([
        alarm.AlarmName,
        alarm.TreatMissingData === 'breaching' ? 'ALARM' : 'OK',
      ]);
  });

  test('do not go off for one period less than their limit', () => {
    const states = evaluateAll((alarm) =>
      `${makeRow('0', countPeriods(alarm) - alarm.DatapointsToAlarm)} ${makeRow('X', alarm.DatapointsToAlarm - 1)} 0`.replace(
        '  ',
        ' ',
      ),
    );
    expect(states.filter(({ state }) => state !== 'OK')).toEqual([]);
  });

  test.each(TABLES)('decide as in AWS’s table, for %i of 3 periods: %s', (times, marks, ...states) => {
    const matching = alarms.filter((alarm) => {
      const { times: wanted, periods: of } = readDecision(alarm);
      return wanted === times && of === 3 && !fillsMissingData(alarm);
    });
    expect(matching.length).toBeGreaterThan(0);
    for (const alarm of matching) {
      const state = findState(states, readDecision(alarm).missing);
      expect([alarm.AlarmName, evaluateRow(alarm, marks, [])]).toEqual([alarm.AlarmName, state]);
    }
  });

  test('have a value even if DynamoDB sends none, because an alarm without a value keeps its state', () => {
    const tableAlarms = alarms.filter((alarm) =>
      listStats(alarm).some(({ Namespace }) => Namespace === 'AWS/DynamoDB'),
    );
    expect(tableAlarms.length).toBeGreaterThan(0);
    for (const alarm of tableAlarms)
      expect([alarm.AlarmName, computeValue(alarm, () => undefined)]).toEqual([alarm.AlarmName, 0]);
  });

  test('fill missing data only in expressions with several metrics, and then allow a period without a fault', () => {
    const wrapped = alarms.filter((alarm) => fillsMissingData(alarm) && listLeaves(alarm).length === 1);
    expect(wrapped.map(({ AlarmName }) => AlarmName)).toEqual([]);
    const filling = alarms.filter(fillsMissingData);
    expect(filling.length).toBeGreaterThan(0);
    const strict = filling.filter((alarm) => alarm.DatapointsToAlarm === alarm.EvaluationPeriods);
    expect(strict.map(({ AlarmName }) => AlarmName)).toEqual([]);
  });
});
