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

/** The amount that is paid in a sandbox: ₦1,000, which every provider takes. */
const AMOUNT: Kobo = kobo.parse(100_000);
/** Lists cover this time before and after the try, because clocks differ and lists may lag. */
const LIST_MARGIN: Millis = 10 * MINUTE;
/** The most list pages that one step reads. */
const MAX_PAGES = 20;
const LOOK_UP_INTERVAL: Millis = 3 * SECOND;

type Clock = Pick<Runtime, 'now' | 'wait' | 'newId' | 'randomBytes'>;

/** State that the steps of a try share. `account` and `checkout` are set by the steps that open them. */
export interface Scene {
  readonly adapter: ProviderAdapter;
  readonly customer: Customer;
  readonly accountReference: string;
  readonly checkoutRequest: PaymentAccountRequest;
  readonly newUnusedReference: () => string;
  account?: ReceivingAccount;
  checkout?: IssuedPaymentAccount;
  /** The provider's own reference of the payment into the virtual account. */
  creditReference?: string;
  /** The provider's own reference of the checkout's payment. */
  paymentReference?: string;
  /** Milliseconds to wait for a payment; undefined: the step is skipped. */
  readonly payWithin: Millis | undefined;
  /** Prints a line for the person at the terminal. */
  readonly say: (line: string) => void;
  readonly exchanges: Exchanges;
  readonly list: () => Promise<ReportPage['payments']>;
  /** Pays `AMOUNT` into an account in the sandbox. False if the sandbox rejects the payment or cannot make one. */
  readonly credit: (accountNumber: string) => Promise<boolean>;
  /** Repeats `look` until it finds something. Undefined if `within` is over before that. `before` runs before each `look` except the first. */
  readonly find: <T>(within: Millis, look: () => Promise<T | undefined>, before?: () => void) => Promise<T | undefined>;
  /** References that tell which rows of a list belong to a step. */
  readonly references: (step: StepName) => readonly string[];
}

/** Sums the money that a report says is kept, in kobo. */
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

/** Prepares a try at a provider's sandbox: a customer, and new references for a checkout and an account. */
export const newScene = (
  name: ProviderName,
  trial: ProviderTrial,
  { settings, credentials }: SandboxAccess,
  exchanges: Exchanges,
  customer: Customer,
  { payWithin, say, now, wait, newId, randomBytes }: Clock & Pick<Scene, 'payWithin' | 'say'>,
): Scene => {
  const { http } = exchanges;
  const registered: RegisteredProvider = REGISTRY[name];
  // A try receives no notifications.
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
    newUnusedReference: () => newCheckoutReference(randomBytes),
    payWithin,
    say,
    exchanges,
    list: () => listAll(adapter, startedAt - LIST_MARGIN, now() + LIST_MARGIN + (registered.listedAhead ?? 0)),
    credit: async (accountNumber) => {
      const request = trial.credit?.(credentials, accountNumber, nairaFromKobo(AMOUNT));
      return request !== undefined && isSuccess((await http(request)).status);
    },
    find: async (within, look, before) => {
      const until = now() + within;
      for (;;) {
        const result = await look();
        if (result !== undefined || now() >= until) return result;
        await wait(LOOK_UP_INTERVAL);
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
