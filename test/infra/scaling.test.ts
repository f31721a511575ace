import { readFile } from 'node:fs/promises';
import { readStageSettings } from '#infra/config.ts';
import { SCALING_DOCUMENT, withTables } from '#infra/costs/page.ts';
import { sortLimits } from '#infra/costs/scaling/ends-first.ts';
import { makeSettings } from '#infra/costs/scaling/needed.ts';
import { computePayments } from '#infra/costs/scaling/needed-rows.ts';
import { DRAIN } from '#infra/costs/scaling/queues.ts';
import { GOAL, listOurLimits, scalingTables, TIMES_PUBLISHED } from '#infra/costs/scaling/tables.ts';
import { LIVE_STEPS, STEPS, WRITES } from '#infra/costs/steps.ts';
import { LAST_STEP_SIZE } from '#shared/webhooks/domain/breaker-transitions.ts';

const PROD = readStageSettings('prod');
const TEN_TIMES = computePayments(PROD, TIMES_PUBLISHED);

test('scaling.md has the tables that `npm run costs` makes from settings, counted steps, quotas and published limits', async () => {
  const page = await readFile(SCALING_DOCUMENT, 'utf8');
  expect(withTables(page, scalingTables())).toBe(page);
});

test('every limit can be raised by a setting, a quota or an agreement, without a change of code', () => {
  const raises = sortLimits({ settings: PROD, timesPublished: 1 }).map(({ raise }) => raise);
  expect(raises.filter((raise) => !/^`|^Service Quotas|agreement/.test(raise))).toEqual([]);
  expect(Object.values(scalingTables()).join('\n')).not.toMatch(/\|[^|\n]*\bcode\b[^|\n]*\|\n/);
});

test.each(Object.entries(WRITES))(
  'the write units of the table and the indexes sum up to those of the step: %s',
  (step, places) => {
    const units = { ...STEPS, ...LIVE_STEPS }[step as keyof typeof WRITES];
    expect(Object.values<number>(places).reduce((sum, writes) => sum + writes, 0)).toBe(units.at(-1));
  },
);

describe('ten times the limits that Paystack publishes', () => {
  test('allow ten times as many payments, with an unpaid checkout for each', () => {
    expect(TEN_TIMES).toBe(100);
    expect(computePayments(PROD, 1)).toBe(10);
  });

  test('need only settings that prod may have', () => {
    const tooLow = listOurLimits(makeSettings(PROD, TEN_TIMES)).filter(({ payments }) => payments < TEN_TIMES);
    expect(tooLow.map(({ label }) => label)).toEqual([]);
  });

  test('exceed the present limits of prod', () => {
    expect(listOurLimits(PROD).filter(({ payments }) => payments < TEN_TIMES).length).toBeGreaterThan(1);
  });
});

test('a stage may have the settings that a thousand payments per second need', () => {
  const settings = makeSettings(PROD, GOAL);
  const isQuota = (raise: string): boolean => raise.startsWith('Service Quotas') || raise.includes('agreement');
  const tooLow = listOurLimits(settings).filter(({ payments, raise }) => payments < GOAL && !isQuota(raise));
  expect(tooLow).toEqual([]);
});

test('scaling.md counts with the same largest step of a drain as the rules of the breaker', () => {
  expect(DRAIN.most).toBe(LAST_STEP_SIZE);
});
