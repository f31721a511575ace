import * as z from 'zod';
import { METRIC_UNITS, type MetricName, metricsTo } from '#shared/platform/observability/metrics.ts';
import { NOON } from '#test/unit/api/examples.ts';

/** Returns the unit of a metric: durations are in milliseconds, everything else is a count. */
const unitOf = (name: string): string => (/_(lag|behind)$|^oldest_/.test(name) ? 'Milliseconds' : 'Count');
const names = (Object.keys(METRIC_UNITS) as MetricName[]).map((name) => [name, unitOf(name)] as const);

/** The part of CloudWatch's embedded metric format that one metric with one dimension needs. */
const emf = z.looseObject({
  _aws: z.strictObject({
    Timestamp: z.number().int().positive(),
    CloudWatchMetrics: z.tuple([
      z.strictObject({
        Namespace: z.string().regex(/^[\w.\-/#:]{1,256}$/),
        Dimensions: z.tuple([z.tuple([z.string()])]),
        Metrics: z.tuple([z.strictObject({ Name: z.string(), Unit: z.enum(['Milliseconds', 'Count']) })]),
      }),
    ]),
  }),
});

const linesOf = (measure: (metrics: ReturnType<typeof metricsTo>) => void): string[] => {
  const lines: string[] = [];
  measure(
    metricsTo(
      'staging',
      (line) => lines.push(line),
      () => NOON,
    ),
  );
  return lines;
};

describe('a metric', () => {
  test.each(names)('named %s is one line of valid EMF with its stage, its unit %s and its value', (name, unit) => {
    const lines = linesOf((metrics) => metrics(name, 1_250));
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toMatch(/[\r\n]/);
    const line = emf.parse(JSON.parse(lines[0] ?? ''));
    expect(line).toEqual({
      _aws: {
        Timestamp: NOON,
        CloudWatchMetrics: [{ Namespace: 'Payments', Dimensions: [['stage']], Metrics: [{ Name: name, Unit: unit }] }],
      },
      stage: 'staging',
      [name]: 1_250,
    });
  });

  test.each(names)('named %s has only dimensions and metrics that are in its line', (name) => {
    const [text] = linesOf((metrics) => metrics(name, 0));
    const line = emf.parse(JSON.parse(text ?? ''));
    const [{ Dimensions, Metrics }] = line._aws.CloudWatchMetrics;
    for (const dimension of Dimensions.flat()) expect(typeof line[dimension]).toBe('string');
    for (const { Name } of Metrics) expect(line[Name]).toBe(0);
  });

  test('gets its own line at once, in the order of measuring, with its own time', () => {
    let now = NOON;
    const lines: string[] = [];
    const metrics = metricsTo(
      'prod',
      (line) => lines.push(line),
      () => now++,
    );
    metrics('deliveries_parked', 1);
    metrics('oldest_due', 2.5);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { _aws: { Timestamp: NOON }, stage: 'prod', deliveries_parked: 1 },
      { _aws: { Timestamp: NOON + 1 }, stage: 'prod', oldest_due: 2.5 },
    ]);
  });
});
