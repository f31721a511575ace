import type { Ledger } from '#shared/providers/common/simulator/ledger.ts';
import type { Kobo } from '#shared/providers/common/simulator/money.ts';
import type { RefundStage, SimulatedProvider } from '#shared/providers/common/simulator/provider.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { Notifier } from './notifier.ts';

/** A merchant's refund: the amount in kobo (default: all that is kept), and the stage that it reaches (default: processed). */
export interface RefundOrder {
  readonly amount?: Kobo;
  readonly stage?: RefundStage;
  /** Whether the notification is sent (default). If not, it is lost. */
  readonly isNotified?: boolean;
}

/** Makes the refunds of the providers that simulate them. */
export const newRefunds = (ledger: Ledger, providers: Record<ProviderName, SimulatedProvider>, notifier: Notifier) => ({
  /** Makes a refund, or begins one. @throws Error if the provider keeps less of the transfer than the refund, or if it has no simulated refunds. */
  refund: (transferId: string, { amount, stage = 'processed', isNotified = true }: RefundOrder = {}): void => {
    const transfer = ledger.find(transferId);
    if (!transfer) throw new Error('There is no transfer with this id.');
    const { provider } = transfer.account;
    const refundAmount = amount ?? transfer.keptAmount;
    if (refundAmount <= 0 || refundAmount > transfer.keptAmount)
      throw new Error(`${provider} keeps less of this transfer than the refund.`);
    const { refund } = providers[provider];
    if (!refund) throw new Error(`The simulator of ${provider} has no refunds.`);
    const notification = refund(transferId, refundAmount, stage);
    if (stage === 'processed') transfer.keptAmount -= refundAmount;
    if (isNotified && notification) void notifier.send(provider, notification);
  },
});
