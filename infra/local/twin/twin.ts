import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newBank, type Paid, type Payment } from './bank.ts';
import { newDesk } from './desk.ts';
import { type Fault, newFaults } from './faults.ts';
import { newGate } from './gate.ts';
import { KORAPAY_DEFAULT, type KorapayPreference, playKorapay } from './korapay.ts';
import { type Account, newLedger, type Transfer, type TwinProvider } from './ledger.ts';
import type { Kobo } from './money.ts';
import { type MonnifyPreference, playMonnify } from './monnify.ts';
import { newNotifier } from './notifier.ts';
import { playPaystack } from './paystack.ts';
import type { ReturnStatus } from './provider.ts';

export type { Payment } from './bank.ts';
export type { Fault } from './faults.ts';
export type { Account, Transfer, TwinProvider } from './ledger.ts';

/** What each provider's merchant can set about wrong amounts. Paystack leaves no choice. */
export interface Preferences {
  readonly monnify: MonnifyPreference;
  readonly korapay: Partial<KorapayPreference>;
}

/** The twin of Paystack, Monnify and Korapay: what `reference/providers.md` says they do, on one port. All amounts are kobo. */
export interface Twin {
  /** The address of each API, with the path that the real one has. */
  readonly baseUrls: Record<TwinProvider, string>;
  readonly credentials: {
    readonly paystack: { readonly secretKey: string };
    readonly monnify: { readonly apiKey: string; readonly secretKey: string };
    readonly korapay: { readonly secretKey: string };
  };
  /** Monnify's. */
  readonly contractCode: string;
  /** Where a provider's signed notifications go; null for nowhere. */
  notifyAt(provider: TwinProvider, url: string | null): void;
  /** Somebody transfers money to an account. Throws, and no money moves, when the number is unknown or closed. */
  pay(payment: Payment): Promise<Paid>;
  /**
   * The provider sends back later all that it kept of a transfer, and says so only where `isTold` and where a notification of it is
   * documented (Paystack's). Throws when it keeps nothing of it.
   */
  reverse(provider: TwinProvider, transferId: string, isTold?: boolean): Promise<void>;
  /** What the provider sent back of a transfer came back to it, as when a refund fails: it keeps all of it again. */
  keepAgain(provider: TwinProvider, transferId: string): void;
  /** Korapay sends back later what came beyond the amount of a checkout, having kept all of it: how far it is with that. */
  returnExcess(transferId: string, status: ReturnStatus): Promise<void>;
  /** Adds a fault; null takes all of the provider's faults away. Of several, the first that fits a call or notification applies. */
  fault(provider: TwinProvider, fault: Fault | null): void;
  /** What the provider does with wrong amounts from now on. What Korapay is not told goes back to its default. */
  prefer<P extends keyof Preferences>(provider: P, preference: Preferences[P]): void;
  /** The truth, for tests. */
  readonly books: {
    /** All that was transferred to accounts, sent back or not. */
    moved(): Kobo;
    /** All that the providers keep now. */
    kept(): Kobo;
    /** What is kept now of transfers to the accounts of a reference. It is the one that the provider was given, in any case of letters. */
    keptFor(reference: string): Kobo;
    /** Every transfer to an account, the oldest first. */
    transfers(): readonly Readonly<Transfer>[];
    accounts(): readonly Readonly<Account>[];
    /** How many calls a provider has had. */
    requests(provider: TwinProvider): number;
    /** The most calls that a provider ever had at once. */
    maxAbreast(provider: TwinProvider): number;
  };
  /** The dashboard's resend button: sends a transfer's notification again, free of faults. Throws where there never was one. */
  resend(transferId: string): Promise<void>;
  /** Resolves when every notification that is to be sent has been sent. */
  settled(): Promise<void>;
  /** Ends the server and cuts what is under way. */
  stop(): Promise<void>;
}

export interface TwinOptions {
  /** 0, the default, takes any free one. */
  readonly port?: number;
  /** Milliseconds since the epoch: all expiries, token lifetimes and times of payment go by it. */
  readonly now?: () => number;
  /** Whether the number of an expired payment account goes to the next payment, with whatever arrives for it later. */
  readonly recycleNumbers?: boolean;
  /** Account numbers are counted from here: a twin that starts again must not give away numbers that the service knows. */
  readonly firstNumber?: number;
}

const PREFIXES: Record<TwinProvider, string> = {
  paystack: '/paystack',
  monnify: '/monnify',
  korapay: '/korapay/merchant/api/v1',
};

const PROVIDERS = ['paystack', 'monnify', 'korapay'] as const;
const CREDENTIALS = {
  paystack: { secretKey: 'sk_live_twin_of_paystack' },
  monnify: { apiKey: 'MK_PROD_TWIN', secretKey: 'TWINOFMONNIFYSECRET' },
  korapay: { secretKey: 'sk_live_twin_of_korapay' },
};

const CONTRACT_CODE = '4934121686';

const sum = (amounts: readonly Kobo[]): Kobo => amounts.reduce((total, one) => total + one, 0);

/** Starts a twin on 127.0.0.1. */
export const startTwin = async ({
  port = 0,
  now = Date.now,
  recycleNumbers = false,
  firstNumber = 0,
}: TwinOptions = {}): Promise<Twin> => {
  const preferences: { -readonly [P in keyof Preferences]: Preferences[P] } = { monnify: 'reject', korapay: {} };
  const ledger = newLedger(now, recycleNumbers, firstNumber);
  const faults = newFaults();
  const notifier = newNotifier(faults);
  const played = {
    paystack: playPaystack(ledger, CREDENTIALS.paystack.secretKey, now),
    monnify: playMonnify(
      ledger,
      { ...CREDENTIALS.monnify, contractCode: CONTRACT_CODE },
      () => preferences.monnify,
      now,
    ),
    korapay: playKorapay(
      ledger,
      CREDENTIALS.korapay.secretKey,
      () => ({ ...KORAPAY_DEFAULT, ...preferences.korapay }),
      now,
    ),
  };
  const bank = newBank(ledger, played, notifier, faults, now);
  const gate = newGate(played, ledger, faults, bank);
  const desk = newDesk(bank, ledger);

  const server = createServer((incoming, response) => {
    const provider = PROVIDERS.find((one) => incoming.url?.startsWith(`${PREFIXES[one]}/`));
    if (provider) gate.serve(provider, PREFIXES[provider], incoming, response);
    else desk(incoming, response).catch(() => incoming.socket.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const urlOf = (provider: TwinProvider): string => `${origin}${PREFIXES[provider]}`;
  const keptWhere = (fits: (account: Account) => boolean): Kobo =>
    sum(ledger.transfers().map(({ account, kept }) => (fits(account) ? kept : 0)));

  return {
    baseUrls: { paystack: urlOf('paystack'), monnify: urlOf('monnify'), korapay: urlOf('korapay') },
    credentials: CREDENTIALS,
    contractCode: CONTRACT_CODE,
    notifyAt: notifier.target,
    pay: bank.pay,
    reverse: (provider, transferId, isTold = false) => bank.reverse(provider, transferId, isTold),
    keepAgain: bank.keepAgain,
    returnExcess: bank.returnExcess,
    fault: faults.set,
    prefer: (provider, preference) => {
      preferences[provider] = preference;
    },
    books: {
      moved: () => sum(ledger.transfers().map(({ amount }) => amount)),
      kept: () => keptWhere(() => true),
      keptFor: (reference) => keptWhere((account) => account.reference.toLowerCase() === reference.toLowerCase()),
      transfers: ledger.transfers,
      accounts: ledger.accounts,
      requests: (provider) => gate.traffic[provider].requests,
      maxAbreast: (provider) => gate.traffic[provider].maxAbreast,
    },
    resend: bank.resend,
    settled: notifier.settled,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
