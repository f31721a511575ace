import { stripVTControlCharacters } from 'node:util';
import { escapeHidden, hasColours, inColour } from '#infra/ops/colours.ts';
import { columns, fields, listing } from '#infra/ops/output.ts';

const GREEN = '\u001b[32m';
const RED = '\u001b[31m';

describe('the colours of the operations command', () => {
  test.each([
    ['appear at a terminal', { isTTY: true }, {}, true],
    ['do not appear in a file', {}, {}, false],
    ['do not appear with NO_COLOR', { isTTY: true }, { NO_COLOR: '1' }, false],
    ['appear with an empty NO_COLOR', { isTTY: true }, { NO_COLOR: '' }, true],
    ['do not appear at a terminal that has no colours', { isTTY: true }, { TERM: 'dumb' }, false],
  ])('%s', (_, stream, env, wanted) => {
    expect(hasColours(stream, env)).toBe(wanted);
  });

  test('mark the words of a state: green for paid, red for disabled', () => {
    expect(inColour('paid')).toBe(`${GREEN}paid\u001b[39m`);
    expect(inColour('disabled: by hand')).toContain(RED);
    expect(inColour('works until 2026-11-20')).not.toContain(GREEN);
    expect(inColour('-')).toBe('-');
  });

  test('do not change the width of a table', () => {
    const rows = [
      ['whe_1', 'enabled', 'https://a.example'],
      ['whe_22', 'disabled: by hand', 'https://b.example'],
    ];
    const table = listing(['ID', 'STATE', 'URL'], rows, 'none');
    expect(table).toContain(RED);
    expect(stripVTControlCharacters(table)).toBe(columns([['ID', 'STATE', 'URL'], ...rows]));
    const details = fields([
      ['status', 'paid'],
      ['payer', 'paid nothing'],
    ]);
    expect(details.split(GREEN)).toHaveLength(2);
    expect(stripVTControlCharacters(details)).toBe('  status  paid\n  payer   paid nothing');
  });
});

test('texts of strangers cannot control a terminal or hide anything', () => {
  const sender = 'Chidi\u001b[2J\u001b]0;title\u0007\n\u202EezE \u{1F600}';
  expect(escapeHidden(sender)).toBe('Chidi\\u{1b}[2J\\u{1b}]0;title\\u{7}\\u{a}\\u{202e}ezE \u{1F600}');
  expect(columns([[sender, 'x']])).not.toMatch(/\p{Cc}/u);
});
