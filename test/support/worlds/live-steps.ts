import { createHmac } from 'node:crypto';
import type { Simulator } from '#infra/local/simulator/simulator.ts';
import { planLists } from '#shared/payments/domain/reconciliation.ts';
import { assignPayment } from '#shared/payments/use-cases/assign-payment.ts';
import { lookUpPayment } from '#shared/payments/use-cases/look-up-payment.ts';
import { MINUTE } from '#shared/platform/kernel/time.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { PaymentQuery } from '#shared/providers/domain/report.ts';
import type { LiveProvider } from '#shared/providers/ports.ts';
import { inNoRole } from '#test/support/permissions/roles.ts';
import { reconcilePage } from './functions.ts';
import { LIST, LOOK_UP } from './provider-calls.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import type { World } from './world.ts';

/** A notification as the provider sent it. */
export interface Sent {
  readonly headers: Record<string, string>;
  readonly body: string;
}

const digest = (algorithm: string, secret: string, text: string): string =>
  createHmac(algorithm, secret).update(text).digest('hex');

type Payer = Partial<Omit<Parameters<Simulator['pay']>[0], 'provider' | 'accountNumber' | 'amount'>>;
const CHIDI: Payer = { senderName: 'Chidi Eze', senderBank: 'GTBank' };

/** Returns steps that tests of live money share. Amounts are kobo. `changes` replace some of the world's dependencies. */
export const liveSteps = (
  world: World & { readonly simulator: Simulator; readonly notificationUrl: (provider: ProviderName) => string },
) => {
  const { simulator, deps } = world;
  type Changes = Partial<typeof deps>;
  const receivers: Receiver[] = [];
  /** Finds the live provider, which must be enabled. */
  const provider = (name: ProviderName, { liveProviders = deps.liveProviders }: Changes = {}): LiveProvider => {
    const found = liveProviders(name);
    if (!found) throw new Error(`${name} is not enabled.`);
    return found;
  };
  /** Counts the calls to a path from now on. The count is a fault that never happens, so `fault(provider, null)` ends it. */
  const countCalls = (name: ProviderName, path: RegExp): (() => number) => {
    let calls = 0;
    const random = (): number => {
      calls += 1;
      return 1;
    };
    simulator.fault(name, { kind: 'slow', ms: 0, path, probability: 0, random });
    return () => calls;
  };
  /** Sends a notification to us, as the provider would. */
  const notify = async (name: ProviderName | 'flutterwave', { headers, body }: Sent) => {
    const answer = await fetch(world.notificationUrl(name as ProviderName), { method: 'POST', headers, body });
    return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
  };

  return {
    provider,
    countCalls,
    countLookUps: (name: ProviderName) => countCalls(name, LOOK_UP[name]),
    countLists: (name: ProviderName) => countCalls(name, LIST[name]),
    notify,
    /** Pays into an account at a provider. Resolves when the provider's notifications have arrived. */
    pay: async (name: ProviderName, accountNumber: string, amount: number, payer: Payer = {}) => {
      const paid = await simulator.pay({ ...CHIDI, provider: name, accountNumber, amount, ...payer });
      await simulator.settled();
      return paid;
    },
    /** Lets `minutes` pass. After every `each` minutes the scheduled functions run once, and the notifications sent meanwhile arrive. */
    minutesPass: async (minutes: number, each = 1, changes: Changes = {}): Promise<void> => {
      for (let passed = 0; passed < minutes; passed += each) {
        await world.sweepAfter(each * MINUTE, changes);
        await simulator.settled();
      }
    },
    /** Looks a payment up and lands the provider's report. `payment` is a query, or our reference. */
    lookUp: (name: ProviderName, payment: PaymentQuery | string, changes: Changes = {}) => {
      const query = typeof payment === 'string' ? ({ by: 'our_reference', value: payment } as const) : payment;
      return lookUpPayment({ ...deps, ...changes }, name, provider(name, changes), query);
    },
    /** Assigns unmatched money to a checkout or an account, as an operator does. */
    assign: (paymentId: string, to: string, changes: Changes = {}) =>
      assignPayment({ ...deps, ...changes }, { paymentId, to, operator: 'bisi' }),
    /** Returns the live providers, of which the provider `name` has some methods replaced. `script` gets the real provider. */
    scripted: (name: ProviderName, script: (real: LiveProvider) => Partial<LiveProvider>) => {
      const { liveProviders } = deps;
      return {
        liveProviders: (provider: ProviderName): LiveProvider | undefined => {
          const real = liveProviders(provider);
          return real && provider === name ? { ...real, ...script(real) } : real;
        },
      };
    },
    /** Makes dependencies in which no reconciliation is due. */
    withoutReconciliation: (): Pick<typeof deps, 'reconciled' | 'dueIndex'> => ({
      reconciled: [],
      dueIndex: {
        ...deps.dueIndex,
        due: async (...query) => {
          const page = await deps.dueIndex.due(...query);
          return { ...page, works: page.works.filter(({ kind }) => kind !== 'reconciliation') };
        },
      },
    }),
    /** Makes the recent pass of a provider's reconciliation, list page by list page, if it is due. Then does the queued work. */
    reconcile: async (name: ProviderName, changes: Changes = {}): Promise<void> => {
      const { reconciliations, now } = deps;
      const pass = { provider: name, pass: 'recent', lists: 1 } as const;
      const [first] = planLists(pass, [], now()).missing;
      if (first) await inNoRole(() => reconciliations.save(undefined, first));
      await reconcilePage({ ...deps, ...changes }, { ...pass, list: 0 });
      await world.consumeMoney([name], changes);
    },
    /** Holds back a provider's notifications from now on. */
    holdNotifications: async (name: ProviderName) => {
      const receiver = await startReceiver();
      receivers.push(receiver);
      simulator.divert(name, receiver.url);
      /** The notifications held back so far, oldest first. */
      const list = async (): Promise<readonly Sent[]> => {
        await simulator.settled();
        return receiver.received.map(({ headers, body }) => ({
          headers: Object.fromEntries(
            Object.entries(headers).filter(([header]) => header.includes('signature') || header === 'content-type'),
          ) as Record<string, string>,
          body,
        }));
      };
      return {
        held: list,
        /** Delivers the held notifications. */
        deliver: async (): Promise<void> => {
          for (const sent of await list()) expect((await notify(name, sent)).status).toBe(200);
        },
      };
    },
    stopReceivers: async (): Promise<void> => {
      await Promise.all(receivers.map((receiver) => receiver.stop()));
    },
    /** Makes a notification with any content, and signs it as the provider does (providers.md sections 1.5, 2.5, 3.5). */
    signed: (
      name: ProviderName,
      content: Record<string, unknown>,
      secret: string = simulator.credentials[name].secretKey,
    ): Sent => {
      const body = JSON.stringify(content);
      const [header, signature] = {
        paystack: ['x-paystack-signature', digest('sha512', secret, body)] as const,
        monnify: ['monnify-signature', digest('sha512', secret, body)] as const,
        korapay: ['x-korapay-signature', digest('sha256', secret, JSON.stringify(content.data ?? null))] as const,
      }[name];
      return { body, headers: { 'content-type': 'application/json', [header]: signature } };
    },
  };
};
