import { writeHint } from '#shared/api/http/hints.ts';
import { type Checkout, expireByHand } from '#shared/checkouts/domain/checkout.ts';
import {
  isMadeByServer,
  normalizeReference,
  takeOverFrom,
  usedByOpeningCheckout,
} from '#shared/checkouts/domain/merchant-reference.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import { NOON, naira, pendingCheckout } from '#test/unit/api/examples.ts';

const pending = pendingCheckout({ revision: 7 });
const { reference } = pending;
const withStatus = (status: 'expired' | 'failed' | 'underpaid', paid = 0): Checkout => ({
  ...pending,
  status,
  paidAmount: naira(paid),
});
const paid: Checkout = {
  ...pending,
  status: 'paid',
  paidAmount: naira(5_000),
  paidAt: NOON,
  senderName: null,
  senderBank: null,
};

const readSentence = (error: ApiError): string | undefined => {
  const hint = writeHint(error);
  return hint === undefined ? error.details.message : `${error.details.message} ${hint}`;
};
const readError = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    if (error instanceof ApiError) return { code: error.code, message: readSentence(error) };
    throw error;
  }
  return 'no error';
};

test('a checkout made with a public key is the only kind not made by a server', () => {
  expect(isMadeByServer({ createdWith: 'secret' })).toBe(true);
  expect(isMadeByServer({ createdWith: 'dashboard' })).toBe(true);
  expect(isMadeByServer({ createdWith: 'public' })).toBe(false);
});

describe('a merchant reference', () => {
  test('has a normal form: composed letters, and no spaces around it', () => {
    expect(normalizeReference(' o\u0308rder-1\t')).toBe('\u00f6rder-1');
  });

  test.each([
    ['expired', withStatus('expired')],
    ['failed', withStatus('failed')],
  ])('can be taken over from a checkout that is %s without money, in the revision that was read', (_, owner) => {
    expect(takeOverFrom(owner)).toEqual({ reference, revision: 7 });
  });

  const NEEDS_ANOTHER = 'Another payment needs a merchant_reference of its own.';
  const HAS_MONEY = `which has received money. ${NEEDS_ANOTHER}`;
  test.each([
    [
      'pending',
      pending,
      `which waits for money. POST /api/v1/checkouts/${reference}/expire ends it, and merchant_reference is free again.`,
    ],
    ['underpaid', withStatus('underpaid', 2_000), HAS_MONEY],
    ['paid', paid, `which is paid. ${NEEDS_ANOTHER}`],
    ['failed after money', withStatus('failed', 2_000), HAS_MONEY],
    ['expired with money', withStatus('expired', 0.01), HAS_MONEY],
  ])('stays with a checkout that is %s, and the error names the checkout and the next step', (_, owner, rest) => {
    expect(readError(() => takeOverFrom(owner))).toEqual({
      code: 'duplicate_merchant_reference',
      message: `merchant_reference was used before, by checkout ${reference}, ${rest}`,
    });
  });

  test('stays with a checkout that is being opened, and the error offers no way to end that checkout', () => {
    expect(usedByOpeningCheckout(reference)).toMatchObject({
      code: 'duplicate_merchant_reference',
      message: `merchant_reference was used before, by checkout ${reference}, which is still being opened at its provider. Try again in a minute.`,
    });
    expect(usedByOpeningCheckout(reference).details).not.toHaveProperty('endable');
  });

  test('stays with a paid checkout, and the error offers no way to end that checkout', () => {
    expect(readError(() => takeOverFrom({ ...paid, paidAmount: naira(0) }))).toHaveProperty(
      'message',
      `merchant_reference was used before, by checkout ${reference}, which is paid. ${NEEDS_ANOTHER}`,
    );
  });
});

describe('expireByHand', () => {
  test('expires a pending checkout, announces the expiry, and keeps the expiry time at its provider', () => {
    expect(expireByHand(pending)).toEqual({
      checkout: { ...pending, status: 'expired', version: pending.version + 1 },
      announce: 'checkout.expired',
    });
  });

  test.each([
    ['expired', withStatus('expired')],
    ['failed', withStatus('failed')],
  ])('leaves a checkout that is %s without money unchanged', (_, before) => {
    expect(expireByHand(before)).toBeUndefined();
  });

  test.each([
    ['paid', paid, 'Checkout is already paid.'],
    ['underpaid', withStatus('underpaid', 2_000), 'Checkout has accepted money.'],
    ['failed after money', withStatus('failed', 2_000), 'Checkout has accepted money.'],
    ['expired with money', withStatus('expired', 0.01), 'Checkout has accepted money.'],
  ])('throws an error for a checkout that is %s', (_, before, message) => {
    expect(readError(() => expireByHand(before))).toEqual({ code: 'checkout_not_payable', message });
  });
});
