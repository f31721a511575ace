import { readFile } from 'node:fs/promises';
import { PAGE, withMeasured } from '#test/bench/page.ts';
import { asMarkdown, asText } from '#test/bench/report.ts';
import { percentile } from '#test/bench/statistics.ts';
import { sequentialSteps } from '#test/bench/timeline.ts';

const span = (startedAt: number, endedAt: number) => ({ operation: 'GetItem', startedAt, endedAt });

describe('the bench', () => {
  test.each([
    ['none', [], 0],
    ['one after the other', [span(0, 2), span(2, 5), span(6, 8)], 3],
    ['side by side', [span(0, 3), span(1, 2), span(2.5, 4)], 2],
    ['a long one beside two short ones', [span(0, 10), span(0, 4), span(5, 9)], 2],
  ])('counts steps in a row: %s', (_, spans, steps) => {
    expect(sequentialSteps(spans)).toBe(steps);
  });

  test('takes percentiles by the nearest rank', () => {
    expect([50, 95, 99, 100].map((p) => percentile([4, 1, 3, 2], p))).toEqual([2, 4, 4, 4]);
  });

  test('lays a table out for terminals and for the page', () => {
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

  test('writes into its place on the page and nowhere else', async () => {
    const page = await readFile(PAGE, 'utf8');
    for (const name of ['sizes', 'imports', 'http', 'calls', 'webhooks', 'growth', 'memory', 'load']) {
      const [before = '', after = ''] = page.split(
        new RegExp(`(?<=<!-- measured: ${name} -->)[^]*(?=<!-- end: ${name} -->)`),
      );
      expect(withMeasured(page, name, 'Figures.\n')).toBe(`${before}\nFigures.\n${after}`);
    }
    expect(() => withMeasured(page, 'weather', '')).toThrow('has no place for "weather"');
  });
});
