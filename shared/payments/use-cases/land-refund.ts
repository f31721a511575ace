import type { ReportedRefund } from '#shared/providers/domain/notification-content.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { isReturned } from '#shared/providers/domain/report.ts';
import type { LiveProvider } from '#shared/providers/ports.ts';
import { type LandDeps, landMoney } from './land-money.ts';
import { lookUpPayment } from './look-up-payment.ts';

/**
 * Records a refund that a provider reported in a notification. The money is looked up and lands first, so that a refund that the look-up shows is
 * not subtracted twice. If the look-up shows a complete payment without money, such as a payment by card, the payment is none of ours: the refund
 * counts as landed. Repeating the call is harmless.
 * @returns `landed` if nothing is left to do. In the other three cases the refund is tried again later:
 * - `unknown`: the look-up does not show exactly one sum of money, or this money is unmatched and the provider keeps it.
 * - `stale`: see lookUpPayment.
 * - `refund_without_id`: the refund has no id, and the look-up does not show it. Without the id it could be counted twice.
 * @throws the errors of lookUpPayment.
 */
export const landRefund = async (
  deps: LandDeps,
  name: ProviderName,
  provider: Pick<LiveProvider, 'lookUp'>,
  { query, refund: { id, amount } }: ReportedRefund,
): Promise<'landed' | 'unknown' | 'stale' | 'refund_without_id'> => {
  const askedAt = deps.now();
  const report = await lookUpPayment(deps, name, provider, query);
  if (report === 'unknown' || report === 'stale') return report;
  const [money, ...others] = report.money;
  if (!money && report.state === 'complete') return 'landed';
  if (!money || others.length > 0) return 'unknown';
  if (id === null) return isReturned(money) ? 'landed' : 'refund_without_id';
  const landed = await landMoney(deps, name, money, { state: report.state, askedAt, refund: { id, amount } });
  // If the look-up shows unmatched money as returned, nothing is left to take out.
  const isNothingLeft = landed === 'unmatched' && isReturned(money);
  return landed === 'landed' || isNothingLeft ? 'landed' : 'unknown';
};
