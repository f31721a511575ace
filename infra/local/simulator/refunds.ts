import type { Ledger } from '#shared/providers/common/simulator/ledger.ts';
import type { Kobo } from '#shared/providers/common/simulator/money.ts';
import type { RefundStage, SimulatedProvider } from '#shared/providers/common/simulator/provider.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { Notifier } from './notifier.ts';

/** A refund that its merchant makes: kobo, all that is kept by default, and how far it gets, all the way by default. */
export interface RefundOrder {
  readonly amount?: Kobo;
  readonly stage?: RefundStage;
  /** False where the event about it is lost. */
  readonly isNotified?: boolean;
}

/** Refunds at the providers that play them. */
export const newRefunds = (ledger: Ledger, played: Record<ProviderName, SimulatedProvider>, notifier: Notifier) => ({
  /** Makes a refund, or begins one. Throws when the provider keeps less of the transfer, or plays no refunds. */
  refund: (transferId: string, { amount, stage = 'processed', isNotified = true }: RefundOrder = {}): void => {
    const transfer = ledger.find(transferId);
    if (!transfer) throw new Error('There is no transfer with this id.');
    const { provider } = transfer.account;
    const refundAmount = amount ?? transfer.keptAmount;
    if (refundAmount <= 0 || refundAmount > transfer.keptAmount)
      throw new Error(`${provider} does not keep so much of this transfer.`);
    const { refund } = played[provider];
    if (!refund) throw new Error(`${provider} plays no refunds.`);
    const notification = refund(transferId, refundAmount, stage);
    if (stage === 'processed') transfer.keptAmount -= refundAmount;
    if (isNotified && notification) void notifier.send(provider, notification);
  },
});
