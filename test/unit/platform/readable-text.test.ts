import { isBusinessName } from '#shared/businesses/domain/profile.ts';
import { readableTextProblem, textProblem } from '#shared/platform/kernel/readable-text.ts';

const BLANK = 'must not be blank and must not hold control characters.';
const NO_CHARACTER = 'must not hold code points that are no characters.';
const INVISIBLE = 'must hold at least one visible character.';
const MISLEADING = 'must not hold line separators or characters that change the direction of text.';

const INVISIBLES: [string, string][] = [
  ['a zero width space', '\u200b'],
  ['a zero width joiner', '\u200d'],
  ['a word joiner', '\u2060'],
  ['a soft hyphen', '\u00ad'],
  ['a left-to-right mark', '\u200e'],
  ['an Arabic letter mark', '\u061c'],
  ['a combining grapheme joiner', '\u034f'],
  ['a combining accent', '\u0301'],
  ['a Hangul filler', '\u3164'],
  ['the other Hangul fillers', '\u115f\u1160\uffa0'],
  ['an empty Braille cell', '\u2800'],
  ['Khmer inherent vowels', '\u17b4\u17b5'],
  ['a Mongolian vowel separator', '\u180e'],
  ['variation selectors', '\ufe0f\u{e0100}'],
  ['tags', '\u{e0041}\u{e007f}'],
  ['a musical null note head', '\u{1d159}'],
  ['a character of private use', '\ue000'],
  ['several of them, with spaces', '\u200b \u3164 \u2800'],
];

describe('a text that people read', () => {
  test.each(INVISIBLES)('may not be %s alone', (_, text) => {
    expect([textProblem(text), readableTextProblem(text)]).toEqual([INVISIBLE, INVISIBLE]);
    expect(readableTextProblem(`Ada${text}Obi`)).toBeUndefined();
  });

  test.each(['\ufeff', ' ', '\u00a0', '\u3000', ''])('may not be the blank %j alone', (text) => {
    expect(textProblem(text)).toBe(BLANK);
  });

  test.each(['\ufffe', '\uffff', '\ufdd0', '\ufdef', '\u{1fffe}', '\u{10ffff}'])(
    'may not have the code point %j, which is no character',
    (point) => {
      expect([textProblem(`Ada${point}`), readableTextProblem(point)]).toEqual([NO_CHARACTER, NO_CHARACTER]);
    },
  );

  test.each(['\0', '\n', '\x7f', '\x85', '\ud83d', '\udc00'])('may not have %j', (sign) => {
    expect(textProblem(`Ada${sign}Obi`)).toBe(BLANK);
  });

  test.each(['\u2028', '\u2029', '\u202e', '\u2066', '\u2069'])('may not have %j if a merchant writes it', (sign) => {
    expect([textProblem(`Ada${sign}Obi`), readableTextProblem(`Ada${sign}Obi`)]).toEqual([undefined, MISLEADING]);
  });

  test.each([
    ...[
      'A',
      '愛',
      'Ọlábísí Adéwálé',
      'محمد بيلو',
      'O’Brien & Söhne',
      'नमस्ते',
      '한국',
      'க்ஷ',
      '💸',
      '👩‍👩‍👧',
      '❤️',
      '№ 7',
      '⠓⠑⠇',
    ],
    'می‌خواهم',
  ])('may be %s', (text) => {
    expect(readableTextProblem(text)).toBeUndefined();
  });

  test('can be the name of a business with at most 100 characters', () => {
    expect(['Ada Stores', '💸'.repeat(100)].map(isBusinessName)).toEqual([true, true]);
    expect(['', '\u3164', 'a\nb', 'a\u202eb', '\ufffe', '💸'.repeat(101)].map(isBusinessName)).toEqual(
      Array(6).fill(false),
    );
  });
});
