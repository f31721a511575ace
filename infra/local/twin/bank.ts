import type { Faults } from './faults.ts';
import type { Account, Ledger, TwinProvider } from './ledger.ts';
import type { Kobo } from './money.ts';
import type { Notification, Notifier } from './notifier.ts';
import type { PlayedProvider, ReturnStatus } from './provider.ts';

/** Somebody's transfer. Amount in kobo; `paidAt` (milliseconds since the epoch) is now unless it is given. */
export interface Payment {
  readonly provider: TwinProvider;
  readonly accountNumber: string;
  readonly amount: Kobo;
  readonly senderName?: string | undefined;
  /** A bank's name or code; Monnify tells codes only, of the few banks that the twin knows. */
  readonly senderBank?: string | undefined;
  readonly paidAt?: number | undefined;
}

/** What became of it: the network's id of the transfer, whose the number is now, and what the provider keeps, which is 0 when it sends all of it back. */
export interface Paid {
  readonly transferId: string;
  readonly reference: string;
  readonly kept: Kobo;
}

/** What a payer pays who is faster than the answer to the call that opened a static account. */
const EAGER: Kobo = 500_000;

/** The banking network: carries transfers to the providers, and remembers what each told the merchant about them. */
export const newBank = (
  ledger: Ledger,
  played: Record<TwinProvider, PlayedProvider>,
  notifier: Notifier,
  faults: Faults,
  now: () => number,
) => {
  const told = new Map<string, Notification>();
  let sessions = 0;

  // The session id of a transfer: bank, date and time, a number.
  const nextSession = (at: number): string => {
    sessions += 1;
    return `090405${new Date(at).toISOString().replace(/\D/g, '').slice(2, 14)}${String(sessions).padStart(12, '0')}`;
  };
  const receiving = ({ provider, accountNumber, amount }: Payment): Account => {
    const account = ledger.holder(accountNumber);
    if (account?.provider !== provider) throw new Error(`The transfer bounced: ${provider} knows no such account.`);
    if (!account.open) throw new Error(`The transfer bounced: the account at ${provider} is closed.`);
    if (!Number.isSafeInteger(amount) || amount <= 0)
      throw new Error('The amount is no positive number of whole kobo.');
    return account;
  };
  const transferOf = (transferId: string) => {
    const transfer = ledger.find(transferId);
    if (!transfer) throw new Error('The twin knows no transfer of this id.');
    return transfer;
  };

  const carry = (payment: Payment) => {
    const account = receiving(payment);
    const paidAt = payment.paidAt ?? now();
    const incoming = {
      transferId: nextSession(paidAt),
      amount: payment.amount,
      senderName: payment.senderName ?? null,
      senderBank: payment.senderBank ?? null,
      paidAt,
    };
    const { id, kept, notification } = played[payment.provider].receive(account, incoming);
    ledger.add({ ...incoming, account, id, accepted: kept, kept });
    if (notification) told.set(incoming.transferId, notification);
    return {
      transferId: incoming.transferId,
      reference: account.reference,
      kept,
      sent: notification ? notifier.send(payment.provider, notification) : Promise.resolve(),
    };
  };

  return {
    /** Carries a transfer; `kept` is what the provider keeps of it. Throws when it bounces. */
    pay: async (payment: Payment): Promise<Paid> => {
      const { sent: _, ...paid } = carry(payment);
      return paid;
    },
    /** Pays accounts that were just opened, where the faults say so, and waits until the notifications are out. */
    payEagerly: async (opened: readonly Account[]): Promise<void> => {
      for (const { provider, number, toPay } of opened) {
        if (faults.paysBeforeAnswer(provider)) {
          await carry({ provider, accountNumber: number, amount: toPay ?? EAGER }).sent;
        }
      }
    },
    /** Takes back what a provider had kept, and tells it where `isTold` and a notification is documented. Throws for a transfer that it does not keep. */
    reverse: async (provider: TwinProvider, transferId: string, isTold: boolean): Promise<void> => {
      const transfer = transferOf(transferId);
      if (transfer.account.provider !== provider || transfer.kept === 0) {
        throw new Error(`There is nothing of this transfer at ${provider} to send back.`);
      }
      const notification = played[provider].reverse(transferId);
      transfer.kept = 0;
      // On its way like every other: nobody waits for it.
      if (isTold && notification) void notifier.send(provider, notification);
    },
    /** What a provider sent back came back to it: it keeps the whole transfer again. */
    keepAgain: (provider: TwinProvider, transferId: string): void => {
      const transfer = transferOf(transferId);
      played[provider].keepAgain(transferId);
      transfer.kept = transfer.amount;
    },
    /** Sends back what came beyond the amount of a transfer that was kept whole. Throws where there is nothing such. */
    returnExcess: async (transferId: string, status: ReturnStatus): Promise<void> => {
      const transfer = transferOf(transferId);
      const { returnExcess } = played[transfer.account.provider];
      if (transfer.kept === 0) throw new Error('All of it has gone back.');
      if (!returnExcess) throw new Error(`${transfer.account.provider} sends nothing back in part.`);
      transfer.kept = returnExcess(transferId, status);
    },
    /** Sends a transfer's notification once more. Throws where the provider never sent one. */
    resend: async (transferId: string): Promise<void> => {
      const notification = told.get(transferId);
      if (!notification) throw new Error('The provider sends no notification about this transfer.');
      await notifier.resend(transferOf(transferId).account.provider, notification);
    },
  };
};

export type Bank = ReturnType<typeof newBank>;
