import { readFile } from 'node:fs/promises';
import { countOutcomes, findMisses } from '#test/bench/open-loop/outcome-counts.ts';
import { insertMeasurements, PERFORMANCE_DOCUMENT } from '#test/bench/page.ts';
import { asMarkdown, asText } from '#test/bench/report.ts';
import { percentile } from '#test/bench/statistics.ts';
import { sequentialSteps } from '#test/bench/steps.ts';

const span = (startedAt: number, endedAt: number) => ({ operation: 'GetItem', startedAt, endedAt });

describe('the bench', () => {
  test.each([
    ['none', [], 0],
    ['one after the other', [span(0, 2), span(2, 5), span(6, 8)], 3],
    ['side by side', [span(0, 3), span(1, 2), span(2.5, 4)], 2],
    ['a long one beside two short ones', [span(0, 10), span(0, 4), span(5, 9)], 2],
  ])('counts how many calls follow one another: %s', (_, spans, steps) => {
    expect(sequentialSteps(spans)).toBe(steps);
  });

  test('takes percentiles by the nearest rank', () => {
    expect([50, 95, 99, 100].map((p) => percentile([4, 1, 3, 2], p))).toEqual([2, 4, 4, 4]);
  });

  test('formats a table for terminals and for the document', () => {
    const rows = [
      { function: 'verify-checkout', ms: 12.5 },
      { function: 'list', ms: 1_000 },
    ];
    const table = { title: 'Times', about: 'Of two.', rows };
    expect(asText(table).split('\n').slice(2)).toEqual([
      '',
      'function            ms',
      'verify-checkout   12.5',
      'list             1,000',
    ]);
    expect(asMarkdown(table)).toContain('| function | ms |\n| --- | ---: |\n| verify-checkout | 12.5 |');
  });

  test('writes measurements only into their place in the document', async () => {
    const document = await readFile(PERFORMANCE_DOCUMENT, 'utf8');
    for (const name of ['sizes', 'cold', 'pages', 'dashboard', 'calls', 'open loop']) {
      const [before = '', after = ''] = document.split(
        new RegExp(`(?<=<!-- measured: ${name} -->)[^]*(?=<!-- end: ${name} -->)`),
      );
      expect(insertMeasurements(document, name, 'Figures.\n')).toBe(`${before}\nFigures.\n${after}`);
    }
    expect(() => insertMeasurements(document, 'weather', '')).toThrow('has no place for "weather"');
  });

  test('counts the outcome of each offered payment, and names each budget that was missed', () => {
    const base = { writtenAt: 0, late: 0, answeredAt: 10, received: [30], recorded: 1 };
    const refused = { ...base, status: 503, hasRetryAfter: true, received: [], recorded: 0 };
    const good = [{ ...base, status: 200 }, refused];
    expect(findMisses('x', countOutcomes({ perSecond: 50, seconds: 2, payments: good }))).toEqual([]);
    const bad = [
      { ...base, status: 500 },
      { ...base, status: null },
      { ...refused, hasRetryAfter: false },
      { ...base, status: 200, received: [] },
      { ...base, status: 200, recorded: 0 },
      { ...base, status: 200, received: [30, 40] },
      { ...refused, recorded: 1, answeredAt: 1_200 },
    ];
    expect(findMisses('x', countOutcomes({ perSecond: 50, seconds: 2, payments: bad }))).toEqual([
      'x: 3 wrong, budget 0.',
      'x: 2 lost, budget 0.',
      'x: 1 doubled, budget 0.',
      'x: 1 refused but recorded, budget 0.',
      'x: the slowest 503 answer took 1200 ms, budget 1000 ms.',
    ]);
  });
});
