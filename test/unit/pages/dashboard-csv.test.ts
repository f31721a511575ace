import { csvOf } from '#shared/pages/dashboard/client/parts/csv.ts';

describe('a CSV file of the dashboard', () => {
  test('has a header, and every cell in quotes', () => {
    expect(csvOf(['who', 'what'], [['ada@example.com', 'said "no", twice']])).toBe(
      'who,what\r\n"ada@example.com","said ""no"", twice"\r\n',
    );
  });

  test.each(['=1+1', '+234', '-1', '@SUM(A1)', '\t=1', '\r=1'])(
    'has no formula: %j begins with an apostrophe',
    (text) => {
      expect(csvOf(['what'], [[text]])).toBe(`what\r\n"'${text}"\r\n`);
    },
  );

  test('leaves alone what only contains such a sign', () => {
    expect(csvOf(['what'], [['a=b', 'x@y', '1-2']])).toBe('what\r\n"a=b","x@y","1-2"\r\n');
  });
});
