import fc from 'fast-check';
import { formatCsv } from '#shared/platform/kernel/csv.ts';
import { readCsv, removeFormulaGuard } from '#test/support/read-csv.ts';

describe('a CSV file', () => {
  test('has a header row, and every text in quotes', () => {
    expect(formatCsv(['who', 'what'], [['ada@example.com', 'said "no", twice']])).toBe(
      'who,what\r\n"ada@example.com","said ""no"", twice"\r\n',
    );
    expect(formatCsv(['a', 'b', 'c', 'd', 'e'], [['', null, -8_500.75, false, '1e5']])).toBe(
      'a,b,c,d,e\r\n"",,-8500.75,false,"1e5"\r\n',
    );
    expect(formatCsv(['who'], [])).toBe('who\r\n');
  });

  test.each([
    '=1+1',
    '+234',
    '-1',
    '@SUM(A1)',
    '＝1+1',
    '＋234',
    '－1',
    '＠SUM(A1)',
    '\t=1',
    '\r=1',
    '\t',
    '\r',
    "'=1",
    "''＝1",
  ])('gets an apostrophe before a formula: %j', (text) => {
    expect(formatCsv(['what'], [[text]])).toBe(`what\r\n"'${text}"\r\n`);
  });

  test.each(['a=b', 'x@y', '1-2', ' =1', "'Tunde'", "'", '', '\n=1', '−1', '₦1', 'Adé'])(
    'keeps %j as it is',
    (text) => {
      expect(formatCsv(['what'], [[text]])).toBe(`what\r\n"${text}"\r\n`);
    },
  );

  test('gives a strict reader every text back, quoted, and has no text that a spreadsheet runs', () => {
    const text = fc.string({ unit: fc.constantFrom(...'=+-@＝＋－＠\t\r\n\'",; aé₦1'), maxLength: 8 });
    const row = fc.record({
      first: text,
      second: fc.oneof(text, fc.constant(null)),
      third: fc.double({ noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 5 }), (rows) => {
        const { header, rows: readRows } = readCsv(
          formatCsv(
            ['first', 'second', 'third'],
            rows.map((cells) => Object.values(cells)),
          ),
        );
        expect(header).toEqual(['first', 'second', 'third']);
        expect(readRows).toEqual(
          rows.map(({ second, third }) => ({
            first: { text: expect.any(String), isQuoted: true },
            second: { text: expect.any(String), isQuoted: second !== null },
            third: { text: String(third), isQuoted: false },
          })),
        );
        for (const [i, { first, second }] of rows.entries()) {
          for (const [cell, original] of [
            [readRows[i]?.first, first],
            [readRows[i]?.second, second ?? ''],
          ] as const) {
            expect(cell?.text).not.toMatch(/^[=+\-@＝＋－＠\t\r]/);
            expect(removeFormulaGuard(cell?.text ?? '')).toBe(original);
          }
        }
      }),
    );
  });
});
