import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isFromOtherSite, namesThisMachine } from '#infra/local/gateway/browser-requests.ts';
import { type Account, type Ledger, newLedger, type Transfer } from '#shared/providers/common/simulator/ledger.ts';
import { type Kobo, sumAmounts } from '#shared/providers/common/simulator/money.ts';
import type { ReturnStatus, SimulatedProvider } from '#shared/providers/common/simulator/provider.ts';
import { sendAnswer } from '#shared/providers/common/simulator/wire.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { mapSimulators, SIMULATORS } from '#shared/providers/simulators.ts';
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

/** For each provider: what the merchant chose for payments of a wrong amount, and the behaviour that the provider's documents leave open. */
export type Preferences = { readonly [P in keyof Simulators]: Partial<Simulators[P]['preference']> };

/** Simulates every provider on one port, as providers.md describes them. All amounts are in kobo. */
export interface Simulator {
  /** The address, without a path. */
  readonly origin: string;
  /** The address of each provider's API, with the path of the real API. */
  readonly baseUrls: Record<ProviderName, string>;
  readonly credentials: { readonly [P in keyof Simulators]: Simulators[P]['credentials'] };
  /** Sets the address for a provider's notifications, unless a payment has its own address; null: all notifications are lost. */
  notifyAt(provider: ProviderName, url: string | null): void;
  /** Sends all of a provider's notifications to another address, even notifications that have their own address; null ends the diversion. */
  divert(provider: ProviderName, url: string | null): void;
  /** Transfers money to an account. @throws Error, without moving money, if the account is unknown or closed. */
  pay(payment: Payment): Promise<PaymentResult>;
  /**
   * Lets the provider return all that it kept of a transfer. It notifies only if `isNotified` and if the notification is documented.
   * @throws Error if the provider keeps nothing of the transfer.
   */
  reverse(provider: ProviderName, transferId: string, isNotified?: boolean): Promise<void>;
  /**
   * Lets the merchant refund a transfer, in part or in full.
   * @throws Error if the provider keeps less of the transfer than the refund, or if it has no simulated refunds.
   */
  refund(transferId: string, order?: RefundOrder): void;
  /** Reinstates a returned transfer, such as after a failed refund: the provider keeps all of it again. */
  reinstate(provider: ProviderName, transferId: string): void;
  /** Lets the provider return the excess of a transfer that it kept completely. `status`: the state of the return. */
  returnExcess(transferId: string, status: ReturnStatus): Promise<void>;
  /**
   * Ends the validation of the customer with this reference, at a provider that validates customers. Without `isNotified` the notifications of the
   * validation are lost.
   * @throws Error if no validation is under way.
   */
  validate(reference: string, outcome: 'success' | 'failed', isNotified?: boolean): void;
  /** Adds a fault; null removes all faults of the provider. The first that matches a call or notification applies. */
  fault(provider: ProviderName, fault: Fault | null): void;
  /** Sets the limits of a provider's calls. A kind that is left out has no limit. */
  limit(provider: ProviderName, limits: CallLimits): void;
  /** Sets a provider's preferences. Preferences that are left out get their defaults. */
  prefer<P extends keyof Preferences>(provider: P, preference: Preferences[P]): void;
  /** Records of what really happened, for tests. */
  readonly books: {
    /** Sums all transfers to accounts, returned or not. */
    totalMoved(): Kobo;
    /** Sums all that the providers keep now. */
    totalKept(): Kobo;
    /** Sums the money that a provider keeps of transfers to the accounts under a reference. Letter case does not matter. */
    keptFor(reference: string): Kobo;
    /** Lists every transfer to an account, oldest first. */
    transfers(): readonly Readonly<Transfer>[];
    accounts(): readonly Readonly<Account>[];
    /** Counts the calls that a provider has received. */
    requests(provider: ProviderName): number;
    /** Counts the calls that a provider answered with 429 because of its limits. */
    limited(provider: ProviderName): number;
    /** Returns the most calls to a provider that were under way at once. */
    maxConcurrent(provider: ProviderName): number;
  };
  /** Sends a transfer's notification again without faults, as a provider's dashboard can. @throws Error if there was no notification. */
  resend(transferId: string): Promise<void>;
  /** Resolves when every notification has been sent. */
  settled(): Promise<void>;
  /** Stops the server and closes its open connections. */
  stop(): Promise<void>;
}

/** The options of a simulator. */
export interface SimulatorOptions {
  /** The port; 0, the default, takes any free one. */
  readonly port?: number;
  /** The clock of all expiries, token lifetimes and payment times, in milliseconds since the epoch. */
  readonly now?: () => number;
  /** Whether the next payment account gets the number of an expired one. Then late transfers to the number reach the new account. */
  readonly recycleNumbers?: boolean;
  /** Account numbers begin right above this one. A simulator that starts again must not use numbers that the service already knows. */
  readonly firstNumber?: number;
  /** The limits of each provider's calls. Default: none. */
  readonly limits?: CallLimits;
}

const PATHS = mapSimulators((name, { path }) => `/${name}${path}`);
const PROVIDERS = Object.keys(PATHS) as ProviderName[];

/** Refuses requests of web pages: the simulator's credentials are public, so a page in somebody's browser could use them. */
const refuse = (response: ServerResponse): void =>
  sendAnswer(response, {
    status: 403,
    json: {
      error:
        'The provider simulator only answers requests of this machine under its own name, and no pages of other sites.',
    },
  });

const openBooks = (ledger: Ledger, { traffic }: Gate): Simulator['books'] => {
  const sumKept = (matches: (account: Account) => boolean): Kobo =>
    sumAmounts(ledger.transfers().map(({ account, keptAmount }) => (matches(account) ? keptAmount : 0)));
  return {
    totalMoved: () => sumAmounts(ledger.transfers().map(({ amount }) => amount)),
    totalKept: () => sumKept(() => true),
    keptFor: (reference) => sumKept((account) => account.reference.toLowerCase() === reference.toLowerCase()),
    transfers: ledger.transfers,
    accounts: ledger.accounts,
    requests: (provider) => traffic[provider].requests,
    limited: (provider) => traffic[provider].limited,
    maxConcurrent: (provider) => traffic[provider].maxConcurrent,
  };
};

/** Serves the providers' APIs and transfers by hand on one port of 127.0.0.1. */
const listen = async (port: number, gate: Gate, manualTransfers: ReturnType<typeof newManualTransfers>) => {
  // Clients close an idle connection earlier themselves, so none sends a request on a connection that we are closing.
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
  limits: callLimits = {},
}: SimulatorOptions = {}): Promise<Simulator> => {
  const preferences: Record<ProviderName, object> = mapSimulators(() => ({}));
  const ledger = newLedger(now, recycleNumbers, firstNumber, (provider) => SIMULATORS[provider].numberPrefix);
  const faults = newFaults();
  const limits = newLimits(now);
  for (const provider of PROVIDERS) limits.set(provider, callLimits);
  const notifier = newNotifier(faults);
  const providers: Record<ProviderName, SimulatedProvider> = mapSimulators((provider, simulator) =>
    simulator.play({
      ledger,
      // The cast is needed, because each simulator has its own type of preferences.
      preference: () => ({ ...simulator.preference, ...preferences[provider] }) as never,
      notify: (notification) => void notifier.send(provider, notification),
      now,
    }),
  );
  const bank = newBank(ledger, providers, notifier, faults, now);
  const gate = newGate(providers, ledger, { faults, limits }, bank);
  const { origin, stop } = await listen(port, gate, newManualTransfers(bank, ledger, now));

  return {
    origin,
    baseUrls: mapSimulators((provider) => `${origin}${PATHS[provider]}`),
    credentials: mapSimulators((_, { credentials }) => credentials) as Simulator['credentials'],
    notifyAt: notifier.target,
    divert: notifier.divert,
    pay: bank.pay,
    reverse: (provider, transferId, isNotified = false) => bank.reverse(provider, transferId, isNotified),
    ...newRefunds(ledger, providers, notifier),
    reinstate: bank.reinstate,
    returnExcess: bank.returnExcess,
    validate: (reference, outcome, isNotified = true) => {
      for (const { validate } of Object.values(providers)) validate?.(reference, outcome, isNotified);
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
