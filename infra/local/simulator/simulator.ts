import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isFromOtherSite, namesThisMachine } from '#infra/local/gateway/browser-requests.ts';
import { type Account, type Ledger, newLedger, type Transfer } from '#shared/providers/common/simulator/ledger.ts';
import { type Kobo, sumAmounts } from '#shared/providers/common/simulator/money.ts';
import type { ReturnStatus, SimulatedProvider } from '#shared/providers/common/simulator/provider.ts';
import { sendAnswer } from '#shared/providers/common/simulator/wire.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { forEachSimulator, SIMULATORS } from '#shared/providers/simulators.ts';
import { newBank, type Payment, type PaymentResult } from './bank.ts';
import { type Fault, newFaults } from './faults.ts';
import { type Gate, newGate } from './gate.ts';
import { type CallLimits, newLimits } from './limits.ts';
import { newManualTransfers } from './manual-transfers.ts';
import { newNotifier } from './notifier.ts';
import { newRefunds, type RefundOrder } from './refunds.ts';

export type { Account, Transfer } from '#shared/providers/common/simulator/ledger.ts';
export type { Payment } from './bank.ts';
export type { Fault } from './faults.ts';
export type { CallLimits } from './limits.ts';

type Simulators = typeof SIMULATORS;

/** How each provider treats wrong amounts, where its merchant can choose, and how it does what its sources leave open. */
export type Preferences = { readonly [P in keyof Simulators]: Partial<Simulators[P]['preference']> };

/** The simulator of every provider: it does what providers.md says of them, on one port. All amounts are kobo. */
export interface Simulator {
  /** Where it listens, without a path. */
  readonly origin: string;
  /** The address of each API, with the path that the real one has. */
  readonly baseUrls: Record<ProviderName, string>;
  readonly credentials: { readonly [P in keyof Simulators]: Simulators[P]['credentials'] };
  /** Where a provider's signed notifications go, unless a payment names an address of its own; null cuts the line for all of them. */
  notifyAt(provider: ProviderName, url: string | null): void;
  /** Takes all of a provider's notifications to another address, whatever address they were for; null ends that. */
  divert(provider: ProviderName, url: string | null): void;
  /** Transfers money to an account. Throws, and no money moves, when the number is unknown or closed. */
  pay(payment: Payment): Promise<PaymentResult>;
  /**
   * The provider returns later all that it kept of a transfer. It notifies only if `isNotified`, and only where a notification is
   * documented. Throws when it keeps nothing of the transfer.
   */
  reverse(provider: ProviderName, transferId: string, isNotified?: boolean): Promise<void>;
  /** The merchant refunds a transfer, in part or in full; the provider notifies. Throws when the provider keeps less of it, or plays no refunds. */
  refund(transferId: string, order?: RefundOrder): void;
  /** Reinstates a returned transfer, as when a refund fails: the provider keeps all of it again. */
  reinstate(provider: ProviderName, transferId: string): void;
  /** A provider returns the excess of a transfer that it had kept whole; `status` says how far the return is. */
  returnExcess(transferId: string, status: ReturnStatus): Promise<void>;
  /** The provider that validates customers ends the validation of that of a reference. Without `isNotified` its events are lost. Throws when none is under way. */
  validate(reference: string, outcome: 'success' | 'failed', isNotified?: boolean): void;
  /** Adds a fault; null removes all of the provider's faults. The first that matches a call or a notification applies. */
  fault(provider: ProviderName, fault: Fault | null): void;
  /** Limits the provider's calls from now on, each kind apart; a kind that is left out has no limit. */
  limit(provider: ProviderName, limits: CallLimits): void;
  /** How the provider treats wrong amounts and what its sources leave open from now on. Preferences that are left out get their defaults. */
  prefer<P extends keyof Preferences>(provider: P, preference: Preferences[P]): void;
  /** What really happened, for tests. */
  readonly books: {
    /** All that was transferred to accounts, returned or not. */
    totalMoved(): Kobo;
    /** All that the providers keep now. */
    totalKept(): Kobo;
    /** What is kept now of transfers to the accounts of a reference. The reference is the provider's; letter case does not matter. */
    keptFor(reference: string): Kobo;
    /** Every transfer to an account, the oldest first. */
    transfers(): readonly Readonly<Transfer>[];
    accounts(): readonly Readonly<Account>[];
    /** How many calls a provider has received. */
    requests(provider: ProviderName): number;
    /** How many of them it answered with 429 because of its limits. */
    limited(provider: ProviderName): number;
    /** The most calls to a provider that were under way at once. */
    maxConcurrent(provider: ProviderName): number;
  };
  /** Sends a transfer's notification again without faults, as a provider's dashboard can. Throws when there never was one. */
  resend(transferId: string): Promise<void>;
  /** Resolves when every notification has been sent. */
  settled(): Promise<void>;
  /** Stops the server and cuts the connections that are open. */
  stop(): Promise<void>;
}

/** How a simulator starts. */
export interface SimulatorOptions {
  /** 0, the default, takes any free one. */
  readonly port?: number;
  /** Milliseconds since the epoch: the clock of all expiries, token lifetimes and times of payment. */
  readonly now?: () => number;
  /** Whether the number of an expired payment account is given to the next payment, which then receives late transfers to it. */
  readonly recycleNumbers?: boolean;
  /** Account numbers are counted from here: a simulator that starts again must not give away numbers that the service knows. */
  readonly firstNumber?: number;
  /** The limits of each provider's calls; none by default. */
  readonly limits?: CallLimits;
}

const PATHS = forEachSimulator((name, { path }) => `/${name}${path}`);
const PROVIDERS = Object.keys(PATHS) as ProviderName[];

/** Its credentials stand in the code, so it answers nobody who only uses somebody else's browser. */
const refuse = (response: ServerResponse): void =>
  sendAnswer(response, {
    status: 403,
    json: { error: 'The simulator answers this machine by its own name, and no page of another site.' },
  });

const openBooks = (ledger: Ledger, { traffic }: Gate): Simulator['books'] => {
  const keptWhere = (fits: (account: Account) => boolean): Kobo =>
    sumAmounts(ledger.transfers().map(({ account, keptAmount: kept }) => (fits(account) ? kept : 0)));
  return {
    totalMoved: () => sumAmounts(ledger.transfers().map(({ amount }) => amount)),
    totalKept: () => keptWhere(() => true),
    keptFor: (reference) => keptWhere((account) => account.reference.toLowerCase() === reference.toLowerCase()),
    transfers: ledger.transfers,
    accounts: ledger.accounts,
    requests: (provider) => traffic[provider].requests,
    limited: (provider) => traffic[provider].limited,
    maxConcurrent: (provider) => traffic[provider].maxConcurrent,
  };
};

/** Serves the providers' APIs on one port of 127.0.0.1, and everything else by hand. */
const listen = async (port: number, gate: Gate, manualTransfers: ReturnType<typeof newManualTransfers>) => {
  // Longer than clients keep an idle connection: a busy one may send its next request before it notices that we closed.
  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, response) => {
    const { method = '', headers } = incoming;
    if (!namesThisMachine(incoming) || isFromOtherSite({ method, headers })) return refuse(response);
    const provider = PROVIDERS.find((name) => incoming.url?.startsWith(`${PATHS[name]}/`));
    if (provider) gate.serve(provider, PATHS[provider], incoming, response);
    else manualTransfers(incoming, response).catch(() => incoming.socket.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: (): Promise<void> =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

/** Starts a simulator on 127.0.0.1. */
export const startSimulator = async ({
  port = 0,
  now = Date.now,
  recycleNumbers = false,
  firstNumber = 0,
  limits: limited = {},
}: SimulatorOptions = {}): Promise<Simulator> => {
  const preferences: Record<ProviderName, object> = forEachSimulator(() => ({}));
  const ledger = newLedger(now, recycleNumbers, firstNumber, (provider) => SIMULATORS[provider].numberPrefix);
  const faults = newFaults();
  const limits = newLimits(now);
  for (const provider of PROVIDERS) limits.set(provider, limited);
  const notifier = newNotifier(faults);
  const played: Record<ProviderName, SimulatedProvider> = forEachSimulator((provider, simulator) =>
    simulator.play({
      ledger,
      // The cast: each simulator's preferences are of a type of their own.
      preference: () => ({ ...simulator.preference, ...preferences[provider] }) as never,
      notify: (notification) => void notifier.send(provider, notification),
      now,
    }),
  );
  const bank = newBank(ledger, played, notifier, faults, now);
  const gate = newGate(played, ledger, { faults, limits }, bank);
  const { origin, stop } = await listen(port, gate, newManualTransfers(bank, ledger, now));

  return {
    origin,
    baseUrls: forEachSimulator((provider) => `${origin}${PATHS[provider]}`),
    credentials: forEachSimulator((_, { credentials }) => credentials) as Simulator['credentials'],
    notifyAt: notifier.target,
    divert: notifier.divert,
    pay: bank.pay,
    reverse: (provider, transferId, isNotified = false) => bank.reverse(provider, transferId, isNotified),
    ...newRefunds(ledger, played, notifier),
    reinstate: bank.reinstate,
    returnExcess: bank.returnExcess,
    validate: (reference, outcome, isNotified = true) => {
      for (const { validate } of Object.values(played)) validate?.(reference, outcome, isNotified);
    },
    fault: faults.set,
    limit: limits.set,
    prefer: (provider, preference) => {
      preferences[provider] = preference;
    },
    books: openBooks(ledger, gate),
    resend: bank.resend,
    settled: notifier.settled,
    stop,
  };
};
