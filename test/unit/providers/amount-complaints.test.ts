import { AMOUNT_COMPLAINT } from '#shared/providers/common/error-texts.ts';

test.each([
  'Invalid Amount Sent',
  'amount must be greater than or equal to 100',
  '{"amount":{"message":"Amount is below the minimum"}}',
])('%p is a complaint about the amount that the caller sent', (text) => expect(text).toMatch(AMOUNT_COMPLAINT));

test.each([
  'Merchant daily amount limit exceeded',
  'Daily amount limit reached for this merchant',
  'Your account has exceeded its monthly collection amount',
  'This business is suspended: amount held',
  'total_amount_expected is missing',
])('%p is no complaint about the amount', (text) => expect(text).not.toMatch(AMOUNT_COMPLAINT));
