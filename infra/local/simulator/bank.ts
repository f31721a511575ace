import type { Account, Ledger, Transfer } from '#shared/providers/common/simulator/ledger.ts';
import type { Kobo } from '#shared/providers/common/simulator/money.ts';
import type { Notification, ReturnStatus, SimulatedProvider } from '#shared/providers/common/simulator/provider.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { Faults } from './faults.ts';
import type { Notifier } from './notifier.ts';

/** A transfer to an account. Amount in kobo; `paidAt` in milliseconds since the epoch, now by default. */
export interface Payment {
  readonly provider: ProviderName;
  readonly accountNumber: string;
  readonly amount: Kobo;
  readonly senderName?: string | undefined;
  /** A bank's name or code. A provider may show only codes, of the few banks that it knows. */
  readonly senderBank?: string | undefined;
  readonly paidAt?: number | undefined;
}

/** The outcome: the network's id of the transfer, the reference of the account, and what the provider keeps: 0 when it returns everything. */
export interface PaymentResult {
  readonly transferId: string;
  readonly reference: string;
  readonly kept: Kobo;
}

/** Paid to a static account before the call that opens it is answered. */
const EARLY_PAYMENT: Kobo = 500_000;

/** Gives each transfer its session id: bank, date and time, number. */
const newSessionIds = () => {
  let sessions = 0;
  return (at: number): string => {
    sessions += 1;
    return `090405${new Date(at).toISOString().replace(/\D/g, '').slice(2, 14)}${String(sessions).padStart(12, '0')}`;
  };
};

/** The account that a payment goes to. Throws when the transfer bounces. */
const findReceiver = (ledger: Ledger, { provider, accountNumber, amount }: Payment): Account => {
  const account = ledger.findByNumber(accountNumber);
  if (account?.provider !== provider) throw new Error(`The transfer bounced: ${provider} has no such account.`);
  if (!account.open) throw new Error(`The transfer bounced: the account at ${provider} is closed.`);
  if (!Number.isSafeInteger(amount) || amount <= 0)
    throw new Error('The amount must be a positive number of whole kobo.');
  return account;
};

const transferIn = (ledger: Ledger, transferId: string): Transfer => {
  const transfer = ledger.find(transferId);
  if (!transfer) throw new Error('There is no transfer with this id.');
  return transfer;
};

/** What providers do later with transfers that they kept. */
const newReturns = (ledger: Ledger, played: Record<ProviderName, SimulatedProvider>, notifier: Notifier) => ({
  /** Returns later what a provider had kept; notifies if `isNotified` and the provider documents a notification. Throws for a transfer of which nothing is kept. */
  reverse: async (provider: ProviderName, transferId: string, isNotified: boolean): Promise<void> => {
    const transfer = transferIn(ledger, transferId);
    if (transfer.account.provider !== provider || transfer.keptAmount === 0) {
      throw new Error(`${provider} keeps nothing of this transfer that it could return.`);
    }
    const notification = played[provider].reverse(transferId);
    transfer.keptAmount = 0;
    // Sent like every other notification, without waiting for it.
    if (isNotified && notification) void notifier.send(provider, notification);
  },
  /** Reinstates a returned transfer, as when a refund fails: the provider keeps all of it again. */
  reinstate: (provider: ProviderName, transferId: string): void => {
    const transfer = transferIn(ledger, transferId);
    played[provider].reinstate(transferId);
    transfer.keptAmount = transfer.amount;
  },
  /** Returns the excess of a transfer that was kept whole. Throws when there is none. */
  returnExcess: async (transferId: string, status: ReturnStatus): Promise<void> => {
    const transfer = transferIn(ledger, transferId);
    const { returnExcess } = played[transfer.account.provider];
    if (transfer.keptAmount === 0) throw new Error('All of this transfer was returned already.');
    if (!returnExcess) throw new Error(`${transfer.account.provider} never returns a part of a transfer.`);
    transfer.keptAmount = returnExcess(transferId, status);
  },
});

/** The banking network: carries transfers to the providers, and keeps the notification of each so that it can be sent again. */
export const newBank = (
  ledger: Ledger,
  played: Record<ProviderName, SimulatedProvider>,
  notifier: Notifier,
  faults: Faults,
  now: () => number,
) => {
  const notifications = new Map<string, Notification>();
  const nextSession = newSessionIds();

  const carry = (payment: Payment) => {
    const account = findReceiver(ledger, payment);
    const paidAt = payment.paidAt ?? now();
    const incoming = {
      transferId: nextSession(paidAt),
      amount: payment.amount,
      senderName: payment.senderName ?? null,
      senderBank: payment.senderBank ?? null,
      paidAt,
    };
    const { id, keptAmount: kept, notification } = played[payment.provider].receive(account, incoming);
    ledger.add({ ...incoming, account, id, accepted: kept, keptAmount: kept });
    if (notification) notifications.set(incoming.transferId, notification);
    return {
      transferId: incoming.transferId,
      reference: account.reference,
      kept,
      sent: notification ? notifier.send(payment.provider, notification) : Promise.resolve(),
    };
  };

  return {
    /** Carries a transfer; `kept` is what the provider keeps of it. Throws when it bounces. */
    pay: async (payment: Payment): Promise<PaymentResult> => {
      const { sent: _, ...paid } = carry(payment);
      return paid;
    },
    /** Pays accounts that were just opened, where a fault asks for it, and waits until the notifications are sent. */
    payEarly: async (opened: readonly Account[]): Promise<void> => {
      for (const { provider, number, toPay } of opened) {
        if (faults.paysBeforeAnswer(provider)) {
          await carry({ provider, accountNumber: number, amount: toPay ?? EARLY_PAYMENT }).sent;
        }
      }
    },
    /** Sends a transfer's notification once more. Throws where the provider never sent one. */
    resend: async (transferId: string): Promise<void> => {
      const notification = notifications.get(transferId);
      if (!notification) throw new Error('The provider sent no notification about this transfer.');
      await notifier.resend(transferIn(ledger, transferId).account.provider, notification);
    },
    ...newReturns(ledger, played, notifier),
  };
};

/** The banking network of a simulator. */
export type Bank = ReturnType<typeof newBank>;
