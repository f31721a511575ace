import { attemptReferences, referenceOfAttempt } from '#shared/domain/checkouts/attempt-reference.ts';

const REFERENCE = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';

describe('the references under which a provider knows a checkout', () => {
  test('are three: ours, and ours with the number of the attempt', () => {
    expect(attemptReferences(REFERENCE)).toEqual([REFERENCE, `${REFERENCE}-2`, `${REFERENCE}-3`]);
  });

  test('all lead back to the checkout', () => {
    expect(attemptReferences(REFERENCE).map(referenceOfAttempt)).toEqual([REFERENCE, REFERENCE, REFERENCE]);
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
