import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { Kobo } from './money.ts';

/** An account that a provider issued: a permanent one (`static`), or one for a single payment (`payment`). */
export interface Account {
  readonly provider: ProviderName;
  readonly kind: 'static' | 'payment';
  readonly number: string;
  readonly name: string;
  readonly bankName: string;
  readonly bankCode: string;
  /** The merchant's reference, or a substitute if the provider takes no reference for a static account. */
  readonly reference: string;
  /** The amount that a payment account expects; null for a static one. */
  readonly toPay: Kobo | null;
  /** Milliseconds since the epoch; null for a static account. */
  expiresAt: number | null;
  /** False if the account was closed. Only a static account can be closed. */
  open: boolean;
}

/** A transfer that arrives. The banking network's session id is its `transferId`. */
export interface Incoming {
  readonly transferId: string;
  readonly amount: Kobo;
  readonly senderName: string | null;
  readonly senderBank: string | null;
  /** Milliseconds since the epoch. */
  readonly paidAt: number;
}

/** A transfer that reached one of our accounts, and how much of it the provider kept. */
export interface Transfer extends Incoming {
  readonly account: Account;
  /** The provider's id of the payment; null when it returned the transfer on arrival. */
  readonly id: string | null;
  /** Kobo that the provider kept on arrival. */
  readonly accepted: Kobo;
  /** Kobo that the provider keeps now. */
  keptAmount: Kobo;
}

/** Whether a payment account has expired at this time (milliseconds since the epoch). */
export const hasExpired = (account: Account, at: number): boolean =>
  account.expiresAt !== null && at >= account.expiresAt;

/**
 * Stores the accounts and transfers of all simulated providers. If `recycle` is true, a new payment account gets the number of an expired one if
 * there is one, as at real providers. `findPrefix` returns the first digits of a provider's numbers.
 */
export const newLedger = (
  now: () => number,
  recycle: boolean,
  firstNumber: number,
  findPrefix: (provider: ProviderName) => string,
) => {
  const accounts: Account[] = [];
  const transfers = new Map<string, Transfer>();
  /** The current account of each number. Providers have separate ranges of numbers. */
  const accountByNumber = new Map<string, Account>();
  let lastNumber = firstNumber;

  const findFreeNumber = (provider: ProviderName): string | undefined =>
    accounts.find(
      (account) =>
        account.provider === provider && hasExpired(account, now()) && accountByNumber.get(account.number) === account,
    )?.number;
  const createNumber = (provider: ProviderName): string => {
    lastNumber += 1;
    return `${findPrefix(provider)}${String(lastNumber).padStart(8, '0')}`;
  };

  return {
    /** Opens an account with a new number or a recycled one. */
    open(request: Omit<Account, 'number' | 'open'>): Account {
      const recycled = recycle && request.kind === 'payment' ? findFreeNumber(request.provider) : undefined;
      const account: Account = { ...request, number: recycled ?? createNumber(request.provider), open: true };
      accounts.push(account);
      accountByNumber.set(account.number, account);
      return account;
    },
    /** Finds the account that has this number now. */
    findByNumber: (number: string): Account | undefined => accountByNumber.get(number),
    accounts: (): readonly Account[] => accounts,
    add: (transfer: Transfer): void => {
      transfers.set(transfer.transferId, transfer);
    },
    find: (transferId: string): Transfer | undefined => transfers.get(transferId),
    transfers: (): readonly Transfer[] => [...transfers.values()],
  };
};

/** The accounts and transfers of a simulator. */
export type Ledger = ReturnType<typeof newLedger>;
