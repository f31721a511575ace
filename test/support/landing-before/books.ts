import type { Business } from '#shared/businesses/domain/business.ts';
import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import { nameOfOwner, type Payment, type PaymentOwner } from '#shared/payments/domain/payment.ts';
import type { UnmatchedPayment } from '#shared/payments/domain/unmatched-payment.ts';
import type { Located } from '#shared/payments/ports.ts';
import { paymentKey } from '#shared/payments/store/keys.ts';
import { hasUsed, referenceOfAttempt } from '#shared/providers/domain/attempt-reference.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { type ReportedMoney, sourceOf } from '#shared/providers/domain/report.ts';
import type { PaymentOrigin, SourceId } from '#shared/providers/domain/source.ts';
import type { VirtualAccount } from '#shared/virtual-accounts/domain/virtual-account.ts';

/* The table as landing sees it, in memory: two of them take the same reports, and must be the same afterwards. */

/** What one transaction of either landing writes, without what it announces. */
interface Entry {
  readonly payment?: Payment;
  readonly reversed?: readonly Payment[];
  readonly noted?: { readonly before: Payment; readonly after: Payment } | undefined;
  readonly checkout?: { readonly before: Checkout; readonly after: Checkout };
  readonly unmatched?: {
    readonly before?: UnmatchedPayment | undefined;
    readonly after?: UnmatchedPayment | undefined;
  };
}

export interface Objects {
  readonly business: Business;
  readonly checkouts: readonly Checkout[];
  readonly account: VirtualAccount;
  /** Whether the owners can be seen already. */
  readonly isOpen: boolean;
}

const keyOf = (origin: PaymentOrigin | SourceId): string => JSON.stringify(paymentKey('live', 'paystack', origin));

export const memoryBooks = ({ business, checkouts, account, isOpen }: Objects) => {
  const payments = new Map<string, Payment>();
  const unmatched = new Map<string, UnmatchedPayment>();
  const owners = new Map(checkouts.map((checkout) => [checkout.reference, checkout]));
  /** The checkouts that operators gave the total of a reference to. */
  const assigned = new Map<string, string>();
  const writes: unknown[] = [];
  const events: unknown[] = [];
  let open = isOpen;

  const ownerOf = (provider: ProviderName, { payee, kind }: ReportedMoney): Omit<Located, 'known' | 'unmatched'> => {
    const none = { owner: undefined, tenant: undefined, isForeign: false };
    if (payee.by === 'account_number') {
      const isIts = open && account.provider === provider && payee.accountNumber === '2200000001';
      return isIts ? { owner: { kind: 'virtual_account', id: account.id }, tenant: account, isForeign: false } : none;
    }
    const to = kind === 'transfer' ? undefined : assigned.get(payee.reference);
    const found = owners.get(to ?? referenceOfAttempt(payee.reference));
    if (!found || !(open || to)) return none;
    if (found.provider !== provider || found.mode !== 'live') return { ...none, isForeign: true };
    return to !== undefined || hasUsed(found, payee.reference)
      ? { owner: { kind: 'checkout', reference: found.reference }, tenant: found, isForeign: false }
      : none;
  };
  const mayPut = (payment: Payment): boolean => {
    const key = keyOf(payment.origin);
    if (payments.has(key)) return false;
    const stored = unmatched.get(key);
    if (!stored || payment.outcome !== 'accepted' || payment.origin.kind !== 'transfer') return true;
    return stored.money.kind === 'transfer' && stored.money.outcome === 'accepted';
  };
  const isAsRead = (read: UnmatchedPayment, stored: UnmatchedPayment | undefined): boolean =>
    stored?.askedAt === read.askedAt && stored.id === read.id && stored.tries === read.tries;
  const maySave = ({ before, after }: NonNullable<Entry['unmatched']>): boolean => {
    const key = keyOf((after ?? before)?.source as SourceId);
    const stored = unmatched.get(key);
    return before ? isAsRead(before, stored) : stored === undefined && !payments.has(key);
  };
  const write = (what: string, value: unknown): void => void writes.push([what, structuredClone(value)]);

  const record = (entry: Entry): 'recorded' | 'conflict' => {
    const { payment, reversed = [], noted, checkout, unmatched: change } = entry;
    const isCurrent =
      (!payment || mayPut(payment)) &&
      reversed.every(({ origin }) => payments.get(keyOf(origin))?.outcome === 'accepted') &&
      (!noted || payments.get(keyOf(noted.before.origin))?.outcome === noted.before.outcome) &&
      (!checkout || owners.get(checkout.before.reference)?.revision === checkout.before.revision) &&
      (!change || maySave(change));
    if (!isCurrent) return 'conflict';
    for (const one of reversed) payments.set(keyOf(one.origin), one);
    if (noted) payments.set(keyOf(noted.after.origin), noted.after);
    if (payment) {
      payments.set(keyOf(payment.origin), payment);
      unmatched.delete(keyOf(payment.origin));
    }
    if (checkout) owners.set(checkout.after.reference, checkout.after);
    if (payment || reversed.length > 0 || noted || checkout) {
      write('entry', { payment, reversed, noted, checkout: checkout?.after });
    }
    if (change?.after) {
      unmatched.set(keyOf(change.after.source), change.after);
      write('saved', change.after);
    } else if (change?.before) {
      unmatched.delete(keyOf(change.before.source));
      write('forgotten', change.before);
    }
    return 'recorded';
  };

  const locate = async (provider: ProviderName, money: ReportedMoney): Promise<Located> => {
    const key = keyOf(sourceOf(money));
    return { ...ownerOf(provider, money), known: payments.get(key), unmatched: unmatched.get(key) };
  };
  const ledger = {
    readCheckout: async (_: unknown, reference: string) => {
      const checkout = owners.get(reference);
      return checkout && { business, checkout };
    },
    readVirtualAccount: async (_: unknown, id: string) =>
      id === account.id ? { business, virtualAccount: account } : undefined,
    locate,
    readPayments: async (_: unknown, origins: readonly PaymentOrigin[]) =>
      origins.map((origin) => {
        const found = payments.get(keyOf(origin));
        if (!found) throw new Error('A payment that counts is not recorded.');
        return found;
      }),
  };
  return {
    ledger,
    record,
    events,
    writes,
    owners,
    payments,
    unmatched,
    /** The checkout that has the total of a reference, after an operator gave it to one. */
    assign: (reference: string, to: string): string => {
      if (!assigned.has(reference)) assigned.set(reference, to);
      return assigned.get(reference) ?? to;
    },
    openOwners: (): void => {
      open = true;
    },
    state: () => ({
      payments: [...payments].sort(),
      unmatched: [...unmatched].sort(),
      owners: [...owners].sort(),
    }),
    nameOf: (owner: PaymentOwner) => nameOfOwner(owner),
  };
};
export type MemoryBooks = ReturnType<typeof memoryBooks>;
