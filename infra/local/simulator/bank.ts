import type { Account, Ledger, Transfer } from '#shared/providers/common/simulator/ledger.ts';
import type { Kobo } from '#shared/providers/common/simulator/money.ts';
import type { Notification, ReturnStatus, SimulatedProvider } from '#shared/providers/common/simulator/provider.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { Faults } from './faults.ts';
import type { Notifier } from './notifier.ts';

/** A transfer to an account. The amount is in kobo. `paidAt` is in milliseconds since the epoch; default: now. */
export interface Payment {
  readonly provider: ProviderName;
  readonly accountNumber: string;
  readonly amount: Kobo;
  readonly senderName?: string | undefined;
  /** A bank's name or code. Some providers show only codes, and only of the banks that they know. */
  readonly senderBank?: string | undefined;
  readonly paidAt?: number | undefined;
}

/** The result of a transfer: its id, the reference of the account, and the kept amount, which is 0 if the provider returns everything. */
export interface PaymentResult {
  readonly transferId: string;
  readonly reference: string;
  readonly keptAmount: Kobo;
}

/** Kobo. With the fault `before_answer`, a new account is paid before the call that opens it gets its answer. An account for any amount gets this. */
const EARLY_PAYMENT: Kobo = 500_000;

/** Makes session ids of transfers: bank, date and time, number. */
const newSessionIds = () => {
  let sessions = 0;
  return (at: number): string => {
    sessions += 1;
    return `090405${new Date(at).toISOString().replace(/\D/g, '').slice(2, 14)}${String(sessions).padStart(12, '0')}`;
  };
};

/** Finds the account of a payment. @throws Error if the transfer bounces. */
const findReceiver = (ledger: Ledger, { provider, accountNumber, amount }: Payment): Account => {
  const account = ledger.findByNumber(accountNumber);
  if (account?.provider !== provider) throw new Error(`The transfer bounced: ${provider} has no such account.`);
  if (!account.open) throw new Error(`The transfer bounced: the account at ${provider} is closed.`);
  if (!Number.isSafeInteger(amount) || amount <= 0)
    throw new Error('The amount must be a positive number of whole kobo.');
  return account;
};

const findTransfer = (ledger: Ledger, transferId: string): Transfer => {
  const transfer = ledger.find(transferId);
  if (!transfer) throw new Error('There is no transfer with this id.');
  return transfer;
};

/** Makes the actions of a provider that sends kept money back, or that keeps returned money again. */
const newReturns = (ledger: Ledger, providers: Record<ProviderName, SimulatedProvider>, notifier: Notifier) => ({
  /** Sends the kept money of a transfer back. Notifies if `isNotified` and if the provider documents a notification. @throws Error if nothing is kept. */
  reverse: async (provider: ProviderName, transferId: string, isNotified: boolean): Promise<void> => {
    const transfer = findTransfer(ledger, transferId);
    if (transfer.account.provider !== provider || transfer.keptAmount === 0) {
      throw new Error(`${provider} keeps nothing of this transfer, so it cannot return anything.`);
    }
    const notification = providers[provider].reverse(transferId);
    transfer.keptAmount = 0;
    // As after a payment, the caller does not wait for the notification.
    if (isNotified && notification) void notifier.send(provider, notification);
  },
  /** Reinstates a returned transfer, such as after a failed refund: the provider keeps all of it again. */
  reinstate: (provider: ProviderName, transferId: string): void => {
    const transfer = findTransfer(ledger, transferId);
    providers[provider].reinstate(transferId);
    transfer.keptAmount = transfer.amount;
  },
  /** Sends the excess of a completely kept transfer back. @throws Error if all was sent back before, or if the provider never sends back a part. */
  returnExcess: async (transferId: string, status: ReturnStatus): Promise<void> => {
    const transfer = findTransfer(ledger, transferId);
    const { returnExcess } = providers[transfer.account.provider];
    if (transfer.keptAmount === 0) throw new Error('All of this transfer was returned already.');
    if (!returnExcess) throw new Error(`${transfer.account.provider} never returns a part of a transfer.`);
    transfer.keptAmount = returnExcess(transferId, status);
  },
});

/** Makes the banking network. It carries transfers to the providers, and stores their notifications so that they can be sent again. */
export const newBank = (
  ledger: Ledger,
  providers: Record<ProviderName, SimulatedProvider>,
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
    const { id, keptAmount, notification } = providers[payment.provider].receive(account, incoming);
    ledger.add({ ...incoming, account, id, accepted: keptAmount, keptAmount });
    if (notification) notifications.set(incoming.transferId, notification);
    return {
      transferId: incoming.transferId,
      reference: account.reference,
      keptAmount,
      sent: notification ? notifier.send(payment.provider, notification) : Promise.resolve(),
    };
  };

  return {
    /** Carries a transfer. `keptAmount`: the amount that the provider keeps. @throws Error if the transfer bounces. */
    pay: async (payment: Payment): Promise<PaymentResult> => {
      const { sent: _, ...paid } = carry(payment);
      return paid;
    },
    /** Pays the new accounts of providers with the fault `before_answer`, and waits until the notifications are sent. */
    payEarly: async (opened: readonly Account[]): Promise<void> => {
      for (const { provider, number, toPay } of opened) {
        if (faults.paysBeforeAnswer(provider)) {
          await carry({ provider, accountNumber: number, amount: toPay ?? EARLY_PAYMENT }).sent;
        }
      }
    },
    /** Sends a transfer's notification again. @throws Error if the provider never sent one. */
    resend: async (transferId: string): Promise<void> => {
      const notification = notifications.get(transferId);
      if (!notification) throw new Error('The provider sent no notification about this transfer.');
      await notifier.resend(findTransfer(ledger, transferId).account.provider, notification);
    },
    ...newReturns(ledger, providers, notifier),
  };
};

/** The banking network of a simulator. */
export type Bank = ReturnType<typeof newBank>;
