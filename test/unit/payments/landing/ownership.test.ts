import fc from 'fast-check';
import { applyReport } from '#shared/payments/domain/landing/apply-report.ts';
import type { LandingOwner } from '#shared/payments/domain/landing/landing.ts';
import { mode } from '#shared/platform/kernel/mode.ts';
import { MINUTE } from '#shared/platform/kernel/time.ts';
import { ForeignReport } from '#shared/providers/domain/errors.ts';
import { type ProviderName, providerName } from '#shared/providers/domain/provider.ts';
import type { ReportedMoney } from '#shared/providers/domain/report.ts';
import { setRuns } from '#test/support/jest/long.ts';
import { activeAccount, BUSINESS, id, NOON, naira, pendingCheckout } from '#test/unit/api/examples.ts';
import { rejectionOf, totalOf, transferOf } from '#test/unit/payments/reported.ts';

/* Provider, mode and reference are drawn independently: none of them proves who owns the money. */

const provider = fc.constantFrom(...providerName.options);
const references = fc.constantFrom(
  'PAY-7H2KQ9XW4M1ZB8T5RC3N',
  'PAY-7H2KQ9XW4M1ZB8T5RC3N-2',
  'PAY-000000000000000000AA',
);
const money: fc.Arbitrary<ReportedMoney> = fc
  .tuple(references, fc.constantFrom(totalOf, transferOf, rejectionOf), fc.integer({ min: 1, max: 20_000 }))
  .map(([reference, report, amount]) => {
    const payee = { by: 'our_reference', reference } as const;
    return report === totalOf
      ? totalOf({ payee, kept: naira(amount) })
      : report({ payee, amount: naira(amount) } as never);
  });
const owners = fc.record({ provider, mode: fc.constantFrom(...mode.options) });

const CONTEXT = { id: id('pay', 7), recordedAt: NOON + 5 * MINUTE };
const NOTHING = { known: undefined, unmatched: undefined, assigned: undefined, isForeign: false, affected: [] };
/** Applies a report to an owner without recorded money. */
const landOn = (owner: LandingOwner, reporter: ProviderName, reported: ReportedMoney) => {
  const report = { provider: reporter, money: reported, state: 'open', askedAt: NOON + 5 * MINUTE } as const;
  return applyReport({ ...NOTHING, owner }, report, CONTEXT);
};

test('a report lands only on a live checkout of its own provider, under that provider', () => {
  fc.assert(
    fc.property(owners, provider, money, (owner, reporter, reported) => {
      const landingOwner = {
        kind: 'checkout',
        business: BUSINESS,
        checkout: pendingCheckout({ mode: owner.mode }, { provider: owner.provider }),
      } as const;
      const land = () => landOn(landingOwner, reporter, reported);
      if (owner.provider !== reporter || owner.mode !== 'live') return void expect(land).toThrow(ForeignReport);
      expect(land()).toMatchObject({ entries: { payment: { provider: reporter, mode: 'live' } } });
    }),
    setRuns(400),
  );
});

test('a report lands only on a live virtual account of its own provider, under that provider', () => {
  fc.assert(
    fc.property(owners, provider, money, (owner, reporter, reported) => {
      if (reported.kind === 'cumulative_report') return;
      const virtualAccount = activeAccount(owner);
      const land = () => landOn({ kind: 'virtual_account', business: BUSINESS, virtualAccount }, reporter, reported);
      if (owner.provider !== reporter || owner.mode !== 'live') return void expect(land).toThrow(ForeignReport);
      expect(land()).toMatchObject({ entries: { payment: { provider: reporter, mode: 'live' } } });
    }),
    setRuns(400),
  );
});
