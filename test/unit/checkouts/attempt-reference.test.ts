import {
  buildAttemptReference,
  hasUsed,
  listAttemptReferences,
  toCheckoutReference,
  toFirstReference,
} from '#shared/providers/domain/attempt-reference.ts';

const REFERENCE = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';

describe('the provider references of an attempt', () => {
  test('consist of its own reference, and of this reference with the number of a further try', () => {
    expect(listAttemptReferences(REFERENCE)).toEqual([REFERENCE, `${REFERENCE}-2`, `${REFERENCE}-3`]);
  });

  test('lead back to the checkout', () => {
    expect(listAttemptReferences(REFERENCE).map(toCheckoutReference)).toEqual([REFERENCE, REFERENCE, REFERENCE]);
  });

  test('contain a letter for the second and third attempt, and no two attempts share a reference', () => {
    const attempts = [0, 1, 2].map((before) => buildAttemptReference(REFERENCE, before));
    expect(() => buildAttemptReference(REFERENCE, 3)).toThrow('at most 3 attempts');
    expect(attempts).toEqual([REFERENCE, `${REFERENCE}-B`, `${REFERENCE}-C`]);
    const tried = attempts.flatMap(listAttemptReferences);
    expect(new Set(tried).size).toBe(9);
    expect(tried.map(toCheckoutReference)).toEqual(tried.map(() => REFERENCE));
    expect(tried.map(toFirstReference)).toEqual(attempts.flatMap((attempt) => [attempt, attempt, attempt]));
    for (const attempt of attempts) {
      const used = listAttemptReferences(attempt).slice(0, 2);
      expect(tried.filter((reference) => hasUsed(`${attempt}-2`, reference))).toEqual(used);
    }
  });

  const [FIRST, SECOND, THIRD] = [REFERENCE, `${REFERENCE}-2`, `${REFERENCE}-3`];
  test.each([
    ['the first', FIRST, [FIRST]],
    ['the second', SECOND, [FIRST, SECOND]],
    ['the third', THIRD, [FIRST, SECOND, THIRD]],
    ['none that we try', `${REFERENCE}-4`, []],
  ])('count as used up to the one under which the account was opened: %s', (_, providerReference, used) => {
    const others = [
      `${REFERENCE}-0`,
      `${REFERENCE}-1`,
      `${REFERENCE}-4`,
      `${REFERENCE}-9`,
      'PAY-AAAAAAAAAAAAAAAAAAAA',
      '',
    ];
    const all = [FIRST, SECOND, THIRD, ...others];
    expect(all.filter((reference) => hasUsed(providerReference, reference))).toEqual(used);
  });

  test.each([
    ['of a virtual account', 'va_01KA0000000000000000000001'],
    ['with a longer number', `${REFERENCE}-22`],
    ['with a letter that names no attempt', `${REFERENCE}-D`],
    ['with the letter of the first attempt', `${REFERENCE}-A`],
    ['with a small letter', `${REFERENCE}-b`],
    ['with a letter behind its number', `${REFERENCE}-2-B`],
    ['with something before it', `x${REFERENCE}-2`],
    ['with something behind it', `${REFERENCE}-2x`],
    ['that is shorter', `${REFERENCE.slice(0, -1)}-2`],
    ['in small letters', `${REFERENCE.toLowerCase()}-2`],
    ['with small letters', `PAY-${REFERENCE.slice(4).toLowerCase()}-2`],
  ])('do not include a reference %s: %s', (_, other) => {
    expect(toCheckoutReference(other)).toBe(other);
  });
});
