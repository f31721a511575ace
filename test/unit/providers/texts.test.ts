import { mendName, name, toOurReference } from '#shared/providers/common/texts.ts';

describe('mendName', () => {
  test.each([
    ['half an emoji is removed', 'CHIDI \ud83d EZE', 'CHIDI EZE'],
    ['controls and ESC become one space', 'CHIDI\u0000\u001b[31m\r\nEZE', 'CHIDI [31m EZE'],
    ['a direction mark is removed', 'CHIDI \u202eEZE', 'CHIDI EZE'],
    ['a noncharacter is removed', 'CHIDI\uffff EZE', 'CHIDI EZE'],
    ['accents and emoji stay', 'Adébáyọ̀ 🙂', 'Adébáyọ̀ 🙂'],
    ['the result is trimmed', '  EZE \t', 'EZE'],
  ])('%s', (_, before, after) => expect(mendName(before)).toBe(after));

  test('cuts a name after 100 characters, and never inside a character', () => {
    expect(mendName('😀'.repeat(500))).toBe('😀'.repeat(100));
  });

  test.each(['', '   ', '\ud83d', '\u200b\u200b', '\u202e', '\u3164', '\u115f \uffa0', '\u2800', '\u{1d159}'])(
    'finds no name in %j',
    (text) => expect(mendName(text)).toBeNull(),
  );
});

test.each([[undefined], [null], [7], [{}], [['EZE']]])('a field with the value %j has no name', (value) =>
  expect(name.parse(value)).toBeNull(),
);

describe('toOurReference', () => {
  test.each([
    ['PAY-7H2KQ9XW4M1ZB8T5RC3N', 'PAY-7H2KQ9XW4M1ZB8T5RC3N'],
    [' pay-7h2kq9xw4m1zb8t5rc3n ', 'PAY-7H2KQ9XW4M1ZB8T5RC3N'],
    ['pay-7h2kq9xw4m1zb8t5rc3n-2', 'PAY-7H2KQ9XW4M1ZB8T5RC3N-2'],
    ['VA_01JD3W3H6Z4T1F9K7Q2X8M5RBC', 'va_01JD3W3H6Z4T1F9K7Q2X8M5RBC'],
    ['va_01jd3w3h6z4t1f9k7q2x8m5rbc', 'va_01JD3W3H6Z4T1F9K7Q2X8M5RBC'],
  ])('reads %j as %s', (spelling, reference) => expect(toOurReference(spelling)).toBe(reference));

  test.each(['', 'KPY-PAY-x9Qm2LwT', 'MNFY|42|20261126|000001', 'PAY-7H2K', 'PAY-7H2KQ9XW4M1ZB8T5RC3N-12'])(
    'finds no reference of ours in %j',
    (text) => expect(toOurReference(text)).toBeUndefined(),
  );
});
