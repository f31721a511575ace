import { shownAttempt } from '#shared/checkouts/domain/attempt.ts';
import { checkout } from '#shared/checkouts/domain/checkout.ts';
import { EXAMPLE_CHECKOUT } from '#shared/checkouts/domain/example-checkout.ts';
import { MINUTE } from '#shared/platform/kernel/time.ts';

test('the example checkout has a valid stored form, no empty text, and an expiry after half an hour', () => {
  const { createdAt } = EXAMPLE_CHECKOUT;
  const { expiresAt } = shownAttempt(EXAMPLE_CHECKOUT);
  expect(checkout.parse(EXAMPLE_CHECKOUT)).toEqual(EXAMPLE_CHECKOUT);
  expect(JSON.stringify(EXAMPLE_CHECKOUT)).not.toContain('""');
  expect(expiresAt - createdAt).toBe(30 * MINUTE);
});
