import { attemptReferences, hasUsed, referenceOfAttempt } from '#shared/providers/domain/attempt-reference.ts';

const REFERENCE = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';

describe('the references under which a provider knows a checkout', () => {
  test('are three: ours, and ours with the number of the attempt', () => {
    expect(attemptReferences(REFERENCE)).toEqual([REFERENCE, `${REFERENCE}-2`, `${REFERENCE}-3`]);
  });

  test('all lead back to the checkout', () => {
    expect(attemptReferences(REFERENCE).map(referenceOfAttempt)).toEqual([REFERENCE, REFERENCE, REFERENCE]);
  });

  const [FIRST, SECOND, THIRD] = [REFERENCE, `${REFERENCE}-2`, `${REFERENCE}-3`];
  test.each([
    ['the first', FIRST, [FIRST]],
    ['the second', SECOND, [FIRST, SECOND]],
    ['the third', THIRD, [FIRST, SECOND, THIRD]],
    ['none that we try', `${REFERENCE}-4`, []],
  ])('have been used up to the one in use: %s', (_, providerReference, used) => {
    const others = [
      `${REFERENCE}-0`,
      `${REFERENCE}-1`,
      `${REFERENCE}-4`,
      `${REFERENCE}-9`,
      'PAY-AAAAAAAAAAAAAAAAAAAA',
      '',
    ];
    const all = [FIRST, SECOND, THIRD, ...others];
    expect(all.filter((one) => hasUsed({ reference: REFERENCE, providerReference }, one))).toEqual(used);
  });

  test.each([
    ['of a virtual account', 'va_01KA0000000000000000000001'],
    ['with a longer number', `${REFERENCE}-22`],
    ['with a letter for a number', `${REFERENCE}-a`],
    ['with something before it', `x${REFERENCE}-2`],
    ['with something behind it', `${REFERENCE}-2x`],
    ['that is shorter', `${REFERENCE.slice(0, -1)}-2`],
    ['in small letters', `${REFERENCE.toLowerCase()}-2`],
    ['with small letters', `PAY-${REFERENCE.slice(4).toLowerCase()}-2`],
  ])('do not include one %s, which stays as it is: %s', (_, other) => {
    expect(referenceOfAttempt(other)).toBe(other);
  });
});
