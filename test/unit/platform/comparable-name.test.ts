import { comparableName } from '#shared/platform/kernel/comparable-name.ts';

test.each([
  ['several spaces', 'José  Núñez'],
  ['spaces around it', '  José Núñez '],
  ['a space that does not break', 'José\u00a0Núñez'],
  ['a narrow space that does not break', 'José\u202fNúñez'],
  ['an ideographic space', 'José\u3000Núñez'],
  ['a tab and a line break', 'José\t\nNúñez'],
  ['a line separator', 'José\u2028Núñez'],
  ['no accents', 'Jose Nunez'],
  ['accents as separate characters', 'Jose\u0301 Nu\u0301n\u0303ez'],
  ['upper case', 'JOSÉ NÚÑEZ'],
  ['full-width letters', 'Ｊｏｓé　Ｎúñｅｚ'],
  ['characters without a width', 'Jo\u200bsé\u200d Nú\u00adñez\ufeff'],
])('a name with %s compares as the same name', (_, name) => {
  expect(comparableName(name)).toBe('JOSE NUNEZ');
});

test.each([
  ['Adébáyọ̀ Ọlá', 'ADEBAYO OLA'],
  ['Straße', 'STRASSE'],
  ['ΟΔΥΣΣΕΥΣ', comparableName('Οδυσσεύς')],
  ['ﬁ Ⅳ ①', 'FI IV 1'],
  ['O’Neil-Eze', 'O’NEIL-EZE'],
])('%s is compared as %s', (name, comparable) => {
  expect(comparableName(name)).toBe(comparable);
});

test.each(['', '  ', '\u0301', '\u200b\u00a0\ufe0f'])('%j has nothing to compare', (name) => {
  expect(comparableName(name)).toBe('');
});

test('names with other letters differ', () => {
  expect(comparableName('Eze Obi')).not.toBe(comparableName('EzeObi'));
  expect(comparableName('Chidi')).not.toBe(comparableName('Chido'));
});
