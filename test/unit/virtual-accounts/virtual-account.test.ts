import { HOUR, MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { virtualAccountView } from '#shared/virtual-accounts/contract/virtual-account-view.ts';
import {
  activate,
  beginClosing,
  closingVirtualAccount,
  deactivate,
  endClosing,
  ensureActive,
  firstSettleAt,
  markFailed,
  nextSettleAt,
  type VirtualAccount,
  virtualAccount,
} from '#shared/virtual-accounts/domain/virtual-account.ts';
import { id, NOON, SHOP } from '#test/unit/api/examples.ts';

const base = {
  id: id('va'),
  businessId: SHOP,
  mode: 'live',
  provider: 'monnify',
  customerName: 'Ngozi Adeyemi',
  customerPhone: '+2348031234567',
  customerEmail: 'ngozi.adeyemi@example.com',
  metadata: '{"customer":"C-1042"}',
  createdAt: NOON,
  version: 1,
} as const;
const account = {
  accountNumber: '7824561093',
  accountName: 'Ngozi Adeyemi',
  bankName: 'Moniepoint Microfinance Bank',
  bankCode: '50515',
  providerId: null,
};

const pending = { ...base, status: 'pending', settleAt: NOON + 10 * SECOND } as const;
const STATES = {
  active: { ...base, status: 'active', account },
  pending,
  failed: { ...base, status: 'failed' },
  inactive: { ...base, status: 'inactive', account, deactivatedAt: NOON + HOUR, version: 2 },
} satisfies Record<string, VirtualAccount>;

const FIELDS = [
  'id',
  'provider',
  'account_number',
  'account_name',
  'bank_name',
  'bank_code',
  'customer_name',
  'customer_phone',
  'customer_email',
  'metadata',
  'mode',
  'status',
  'created_at',
  'deactivated_at',
];

describe('a virtual account', () => {
  test('becomes active after a timeout if the provider has issued it', () => {
    const after = activate(pending, account);
    expect(after).toEqual({ ...base, status: 'active', account, version: 2 });
    expect(virtualAccount.parse(after)).toEqual(after);
  });

  test('becomes failed after a timeout if the provider has not issued it', () => {
    const after = markFailed(pending);
    expect(after).toEqual({ ...base, status: 'failed', version: 2 });
    expect(virtualAccount.parse(after)).toEqual(after);
  });

  test.each([
    ['active', { account }],
    // The provider may have issued the account, so the look-up stays due at the same time.
    ['pending', { account: null, settleAt: pending.settleAt }],
    ['failed', { account: null }],
  ] as const)('becomes inactive from status %s and keeps its number: %p', (status, fields) => {
    const before = STATES[status];
    const untouched = structuredClone(before);
    const after = deactivate(before, NOON + HOUR);
    expect(after).toEqual({ ...base, status: 'inactive', ...fields, deactivatedAt: NOON + HOUR, version: 2 });
    expect(virtualAccount.parse(after)).toEqual(after);
    expect(before).toEqual(untouched);
  });

  test('keeps a late account of the provider after its deactivation until that account is closed there', () => {
    const closing = closingVirtualAccount.parse(deactivate(pending, NOON + SECOND));
    const withAccount = beginClosing(closing, account, NOON + MINUTE);
    expect(withAccount).toEqual({ ...closing, account, settleAt: NOON + 2 * MINUTE, version: 3 });
    const { settleAt: _, ...closed } = withAccount;
    expect(endClosing(withAccount)).toEqual({ ...closed, version: 4 });
    expect(closingVirtualAccount.safeParse(endClosing(withAccount)).success).toBe(false);
  });

  test('stays unchanged if it is already inactive', () => {
    expect(deactivate(STATES.inactive, NOON + 2 * HOUR)).toEqual(STATES.inactive);
  });

  test.each([
    ['pending', 'Virtual account is pending.'],
    ['failed', 'Virtual account is failed.'],
    ['inactive', 'Virtual account is inactive.'],
  ] as const)('accepts no simulated payment in status %s: %s', (status, message) => {
    expect(() => ensureActive(STATES[status])).toThrow(
      expect.objectContaining({ code: 'virtual_account_inactive', message }),
    );
  });

  test('accepts simulated payments if it is active', () => {
    expect(ensureActive(STATES.active)).toBe(STATES.active);
  });

  test.each([
    ['at once', 0, 10 * SECOND],
    ['after 5 seconds', 5 * SECOND, 10 * SECOND],
    ['after 10 seconds', 10 * SECOND, 10 * SECOND],
    ['after a minute', MINUTE, MINUTE],
    ['after 20 minutes', 20 * MINUTE, 20 * MINUTE],
    ['after 30 minutes', 30 * MINUTE, 30 * MINUTE],
    ['after a day', 24 * HOUR, 30 * MINUTE],
  ])('gets its next look-up while pending after as long as it has waited, within bounds: %s', (_, waited, gap) => {
    expect(nextSettleAt(pending, NOON + waited)).toBe(NOON + waited + gap);
  });

  test('gets its first look-up ten seconds after a timeout', () => {
    expect(firstSettleAt(NOON)).toBe(NOON + 10 * SECOND);
  });

  test.each(Object.values(STATES))('shows all its fields in the documented order when $status', (state) => {
    expect(Object.keys(virtualAccountView(state))).toEqual(FIELDS);
    expect(virtualAccountView(state).status).toBe(state.status);
  });

  test('shows every value when active', () => {
    expect(virtualAccountView(STATES.active)).toEqual({
      id: id('va'),
      provider: 'monnify',
      account_number: '7824561093',
      account_name: 'Ngozi Adeyemi',
      bank_name: 'Moniepoint Microfinance Bank',
      bank_code: '50515',
      customer_name: 'Ngozi Adeyemi',
      customer_phone: '+2348031234567',
      customer_email: 'ngozi.adeyemi@example.com',
      metadata: { customer: 'C-1042' },
      mode: 'live',
      status: 'active',
      created_at: '2026-11-20T12:00:00.000000Z',
      deactivated_at: null,
    });
  });

  test.each(['pending', 'failed'] as const)('shows no number while it is %s', (status) => {
    expect(virtualAccountView(STATES[status])).toMatchObject({
      account_number: null,
      account_name: null,
      bank_name: null,
      bank_code: null,
      deactivated_at: null,
    });
  });

  test('shows its number and the time of its end when inactive', () => {
    expect(virtualAccountView(STATES.inactive)).toMatchObject({
      account_number: '7824561093',
      deactivated_at: '2026-11-20T13:00:00.000000Z',
    });
  });
});
