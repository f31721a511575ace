import type { Ledger, TwinProvider } from './ledger.ts';
import type { Kobo } from './money.ts';
import type { Notifier } from './notifier.ts';
import type { PlayedProvider, RefundStage } from './provider.ts';

/** A refund that its merchant makes: kobo, all that is kept by default, and how far it gets, all the way by default. */
export interface RefundOrder {
  readonly amount?: Kobo;
  readonly stage?: RefundStage;
  /** False where the event about it is lost. */
  readonly isNotified?: boolean;
}

/** Refunds at the providers that play them. */
export const newRefunds = (ledger: Ledger, played: Record<TwinProvider, PlayedProvider>, notifier: Notifier) => ({
  /** Makes a refund, or begins one. Throws when the provider keeps less of the transfer, or plays no refunds. */
  refund: (transferId: string, { amount, stage = 'processed', isNotified = true }: RefundOrder = {}): void => {
    const transfer = ledger.find(transferId);
    if (!transfer) throw new Error('There is no transfer with this id.');
    const { provider } = transfer.account;
    const wanted = amount ?? transfer.kept;
    if (wanted <= 0 || wanted > transfer.kept) throw new Error(`${provider} does not keep so much of this transfer.`);
    const { refund } = played[provider];
    if (!refund) throw new Error(`${provider} plays no refunds.`);
    const notification = refund(transferId, wanted, stage);
    if (stage === 'processed') transfer.kept -= wanted;
    if (isNotified && notification) void notifier.send(provider, notification);
  },
});
