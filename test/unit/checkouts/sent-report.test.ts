import { ulid } from 'ulid';
import { makeSentReport, takeSample } from '#shared/checkouts/domain/sent-report.ts';
import type { PaymentSummary } from '#shared/payments/domain/payment.ts';
import { MINUTE } from '#shared/platform/kernel/time.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';

import { NOON, pendingCheckout } from '#test/unit/api/examples.ts';

const report = makeSentReport(pendingCheckout({ mode: 'live' }, { provider: 'monnify' }), NOON);
const landed = (provider: ProviderName, after: number) =>
  ({ id: `pay_${ulid(NOON + after)}`, provider }) as PaymentSummary;

test.each<[string, readonly PaymentSummary[], number, boolean | undefined]>([
  ['nothing came', [], 5 * MINUTE, false],
  ['money came in time', [landed('monnify', 5 * MINUTE)], 5 * MINUTE, true],
  ['money came too late', [landed('monnify', 5 * MINUTE + 1)], 6 * MINUTE, false],
  ['money came to another account', [landed('korapay', MINUTE)], 5 * MINUTE, undefined],
  ['money came to both', [landed('korapay', MINUTE), landed('monnify', MINUTE)], 5 * MINUTE, true],
  ['the check comes too late', [], 30 * MINUTE + 1, undefined],
])(
  'a payer’s report tells whether money lands at its provider, or tells nothing, if %s',
  (_, payments, after, hasLanded) => {
    const sample = takeSample(report, { payments: [...payments] }, NOON + after);
    expect(sample?.hasLanded).toBe(hasLanded);
  },
);
