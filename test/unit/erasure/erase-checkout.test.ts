import { eraseOnCheckout } from '#shared/erasure/domain/erase-checkout.ts';
import { erasedAddress } from '#shared/erasure/domain/personal-fields.ts';
import { id, pendingCheckout, SHOP } from '#test/unit/api/examples.ts';

const checkout = pendingCheckout();
const payer = {
  businessId: SHOP,
  addresses: [checkout.payerEmail],
  replacement: erasedAddress(id('pay')),
  also: [],
};

test('a checkout is erased once, as its next version and revision', () => {
  const erased = eraseOnCheckout(checkout, payer);
  expect(erased).toMatchObject({
    payerEmail: payer.replacement,
    amount: checkout.amount,
    version: checkout.version + 1,
    revision: checkout.revision + 1,
  });
  expect(erased && eraseOnCheckout(erased, payer)).toBeUndefined();
});
