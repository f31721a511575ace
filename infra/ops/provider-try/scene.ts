import { newCheckoutReference } from '#shared/platform/kernel/ids.ts';
import { type Kobo, kobo, nairaFromKobo } from '#shared/platform/kernel/money.ts';
import { MINUTE, type Millis, SECOND } from '#shared/platform/kernel/time.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { isSuccess } from '#shared/providers/common/http.ts';
import type { ProviderTrial, StepName } from '#shared/providers/common/simulator/tried-provider.ts';
import type { Customer, ProviderName, ReceivingAccount } from '#shared/providers/domain/provider.ts';
import type { PaymentReport } from '#shared/providers/domain/report.ts';
import type {
  IssuedPaymentAccount,
  PaymentAccountRequest,
  ProviderAdapter,
  ReportPage,
} from '#shared/providers/ports.ts';
import { REGISTRY, type RegisteredProvider } from '#shared/providers/registry.ts';
import type { SandboxAccess } from './access.ts';
import type { Exchanges } from './exchanges.ts';

/** What is paid in a sandbox: ₦1,000, which every provider takes. */
const AMOUNT: Kobo = kobo.parse(100_000);
/** Clocks differ, and a list may show a payment late: so much is listed before and after. */
const AROUND: Millis = 10 * MINUTE;
const MAX_PAGES = 20;
const BETWEEN_LOOKS: Millis = 3 * SECOND;

type Clock = Pick<Runtime, 'now' | 'wait' | 'newId' | 'randomBytes'>;

/** What the steps of a try share. `account` and `checkout` are there once their steps have opened them. */
export interface Scene {
  readonly adapter: ProviderAdapter;
  readonly customer: Customer;
  readonly accountReference: string;
  readonly checkoutRequest: PaymentAccountRequest;
  readonly unusedReference: () => string;
  account?: ReceivingAccount;
  checkout?: IssuedPaymentAccount;
  /** The provider's own references of the payment of the account, and of that of the checkout. */
  creditReference?: string;
  paymentReference?: string;
  /** How long a payment is waited for; undefined for not at all. */
  readonly payWithin: Millis | undefined;
  /** Tells the person at the terminal. */
  readonly say: (line: string) => void;
  readonly exchanges: Exchanges;
  readonly list: () => Promise<ReportPage['payments']>;
  /** Pays the account in the sandbox; false where the provider refuses. */
  readonly credit: (accountNumber: string) => Promise<boolean>;
  /** Looks until something is found or the time is over. Undefined: not found. `before` is called before each look but the first. */
  readonly find: <T>(within: Millis, look: () => Promise<T | undefined>, before?: () => void) => Promise<T | undefined>;
  /** The references by which a row of a list is what a step is about. */
  readonly references: (step: StepName) => readonly string[];
}

/** The money that a report says is kept, in kobo. */
export const sumKept = (report: PaymentReport | 'unknown'): number =>
  report === 'unknown'
    ? 0
    : report.money.reduce((sum, money) => {
        if (money.kind === 'cumulative_report') return sum + money.kept;
        return money.kind === 'transfer' && money.outcome === 'accepted' ? sum + money.amount : sum;
      }, 0);

const listAll = async (adapter: ProviderAdapter, from: Millis, to: Millis): Promise<ReportPage['payments']> => {
  const payments: ReportPage['payments'][number][] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const listed: ReportPage = await adapter.listPayments({ from, to, cursor });
    payments.push(...listed.payments);
    cursor = listed.next;
    if (cursor === null) break;
  }
  return payments;
};

/** Makes the scene of a try: a customer, a checkout and an account under new references, at the provider's sandbox. */
export const newScene = (
  name: ProviderName,
  tried: ProviderTrial,
  { settings, credentials }: SandboxAccess,
  exchanges: Exchanges,
  customer: Customer,
  { payWithin, say, now, wait, newId, randomBytes }: Clock & Pick<Scene, 'payWithin' | 'say'>,
): Scene => {
  const { http } = exchanges;
  const registered: RegisteredProvider = REGISTRY[name];
  // No stage takes the notifications of what is tried.
  const adapter = registered.connect({
    settings,
    credentials: async () => credentials,
    http,
    now,
    notificationUrl: null,
  });
  const startedAt = now();
  const reference = newCheckoutReference(randomBytes);
  const accountReference = newId('va');
  const scene: Scene = {
    adapter,
    customer,
    accountReference,
    checkoutRequest: {
      reference,
      amount: AMOUNT,
      accountName: customer.name,
      payerName: customer.name,
      payerEmail: customer.email ?? '',
      expiresAt: startedAt + 30 * MINUTE,
    },
    unusedReference: () => newCheckoutReference(randomBytes),
    payWithin,
    say,
    exchanges,
    list: () => listAll(adapter, startedAt - AROUND, now() + AROUND + (registered.listedAhead ?? 0)),
    credit: async (accountNumber) => {
      const request = tried.credit?.(credentials, accountNumber, nairaFromKobo(AMOUNT));
      return request !== undefined && isSuccess((await http(request)).status);
    },
    find: async (within, look, before) => {
      const until = now() + within;
      for (;;) {
        const result = await look();
        if (result !== undefined || now() >= until) return result;
        await wait(BETWEEN_LOOKS);
        before?.();
      }
    },
    references: (step) => {
      const { checkout, creditReference, paymentReference } = scene;
      const ours = /^(account|credit)/.test(step)
        ? [accountReference, creditReference]
        : [checkout?.providerReference ?? reference, paymentReference];
      return ours.filter((value) => value !== undefined);
    },
  };
  return scene;
};
