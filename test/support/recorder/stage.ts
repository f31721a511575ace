import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { KEYS_VARIABLES } from '#infra/constructs/names.ts';
import { ALL_FUNCTIONS } from '#infra/dashboard-functions.ts';
import { MONEY_LANES, type QueueLane } from '#infra/lanes.ts';
import { createQueues, moneyQueuesUrl } from '#infra/local/emulators/create-queues.ts';
import { createTable } from '#infra/local/emulators/create-table.ts';
import { serveLambdas } from '#infra/local/gateway/api.ts';
import { openGateway } from '#infra/local/gateway/server.ts';
import { type Lambda, loadLambda } from '#infra/local/lambda/lambda.ts';
import { startSimulator } from '#infra/local/simulator/simulator.ts';
import { planLists } from '#shared/payments/domain/reconciliation.ts';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import { kobo, ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import { HOUR } from '#shared/platform/kernel/time.ts';
import { providerName } from '#shared/providers/domain/provider.ts';
import { findAmount, toSourceId } from '#shared/providers/domain/report.ts';
import { SIMULATORS } from '#shared/providers/simulators.ts';
import { serveSecrets } from '#test/support/emulators/secrets-manager.ts';
import { startSes } from '#test/support/emulators/ses.ts';
import { type AwsCall, startRecorder } from './recorder.ts';

/** Replaces `Date.now`, which functions read when they are imported, with a clock that can be put forward. */
const installClock = () => {
  const real = Date.now;
  let ahead = 0;
  Date.now = () => real() + ahead;
  return {
    advance: (milliseconds: number): void => {
      ahead += milliseconds;
    },
    restore: (): void => {
      Date.now = real;
    },
  };
};

/** Makes the PROVIDERS variable: all three at the simulator, with credentials in Secrets Manager. */
const makeProviders = (simulator: Awaited<ReturnType<typeof startSimulator>>): string =>
  JSON.stringify({
    paystack: {
      secretId: 'simulator/paystack',
      baseUrl: simulator.baseUrls.paystack,
      customerEmailDomain: 'accounts.example.com',
    },
    monnify: {
      secretId: 'simulator/monnify',
      baseUrl: simulator.baseUrls.monnify,
      contractCode: SIMULATORS.monnify.settings.contractCode,
    },
    korapay: { secretId: 'simulator/korapay', baseUrl: simulator.baseUrls.korapay },
  });

const JSON_WANTED = { accept: 'application/json' };

/**
 * Opens every function of the manifest as the function composes itself in AWS, with a table, queues and secrets of the stage and the provider
 * simulator. Records the AWS calls of the functions. Open only one stage in a process, before anything else imports the functions.
 */
export const openRecordedStage = async () => {
  const clock = installClock();
  const simulator = await startSimulator({ now: () => Date.now() });
  await serveSecrets((secretId) =>
    secretId.startsWith('keys/')
      ? JSON.stringify({ key: `the keys of a recorded stage, ${secretId}` })
      : JSON.stringify(simulator.credentials[providerName.parse(secretId.replace('simulator/', ''))]),
  );
  const ses = await startSes();
  const tableName = `permissions-${randomUUID()}`;
  const sqs = new SQSClient();
  await createTable(new DynamoDBClient(), tableName);
  const queueUrls = await createQueues(sqs, process.env.AWS_ENDPOINT_URL_SQS ?? '', tableName);
  const gateway = await openGateway({ host: '127.0.0.1', port: 0 });
  Object.assign(process.env, {
    TABLE_NAME: tableName,
    FIRST_QUEUE_URL: queueUrls.first,
    RETRY_QUEUE_URL: queueUrls.retry,
    SLOW_QUEUE_URL: queueUrls.slow,
    TEST_QUEUE_URL: queueUrls.test,
    MONEY_QUEUES_URL: moneyQueuesUrl(queueUrls),
    CODE_QUEUE_URL: queueUrls.codes,
    MAIL_FROM: 'payments@example.com',
    MAIL_CONFIGURATION_SET: 'payments-mail',
    AWS_ENDPOINT_URL_SESV2: ses.endpoint,
    PROVIDERS: makeProviders(simulator),
    ENABLED_PROVIDERS: JSON.stringify(providerName.options),
    ROUTING_ORDER: JSON.stringify(providerName.options),
    ...Object.fromEntries(KEYS_VARIABLES.map((variable) => [variable, `keys/${variable}`])),
    STAGE_URL: gateway.baseUrl,
    SIGN_IN_URL: `${gateway.baseUrl}/dashboard`,
    CONTACT: 'null',
    // High enough to refuse no request. With 0, requests would not be counted.
    PROVIDER_QUOTA: JSON.stringify({
      creations: 1_000,
      publicCreations: 1_000,
      addressCreations: 1_000,
      seconds: 10,
    }),
    RATE_LIMITS: JSON.stringify({ live: 1_000, test: 1_000, publicAddress: 1_000 }),
  });

  // Import these modules now, after clock and environment are set: the modules read both only once.
  const { logTo } = await import('#shared/platform/observability/log.ts');
  const { runtime } = await import('#shared/platform/runtime.ts');
  const { auditLog } = await import('#shared/businesses/store/audit-log.ts');
  const { businessStore } = await import('#shared/businesses/store/business-store.ts');
  const { ledger } = await import('#shared/payments/store/ledger.ts');
  const { virtualAccountIntents } = await import('#shared/virtual-accounts/store/virtual-account-intents.ts');
  const { connectTable } = await import('#shared/platform/table/table.ts');
  const { reconciliationStore } = await import('#shared/payments/store/reconciliation-store.ts');
  const { unmatchedStore } = await import('#shared/payments/store/unmatched-store.ts');
  const { landingDeps } = await import('#shared/payments/compose.ts');
  const { queueOfOneMode } = await import('#shared/webhooks/compose-queue.ts');
  const { landMoney } = await import('#shared/payments/use-cases/land-money.ts');
  const { createBusiness } = await import('#shared/businesses/use-cases/create-business.ts');
  const { setProfile } = await import('#shared/businesses/use-cases/set-profile.ts');
  const { confirmPasskey, inviteMember } = await import('#shared/members/use-cases/change-members.ts');
  const { deriveUserId: userIdOf } = await import('#shared/members/domain/user.ts');
  const { sessionStore } = await import('#shared/members/store/session-store.ts');
  const { userReader } = await import('#shared/members/store/user-store.ts');
  if (runtime.now !== Date.now) throw new Error('Something imported the functions before their clock could be moved.');
  logTo(() => {});

  const calls: AwsCall[] = [];
  const invoked = new Set<string>();
  const recorder = startRecorder((call) => calls.push(call));
  const loadRecorded = async (spec: (typeof ALL_FUNCTIONS)[number]): Promise<Lambda> => {
    const { invoke } = await loadLambda(spec);
    const invokeRecorded = async (event: unknown): Promise<unknown> => {
      invoked.add(spec.name);
      const answer = await recorder.during(spec.name, () => invoke(event));
      // Work like a consumer that is faster than the answer: the caller then finds the notified work done.
      if (spec.name === 'receive-notification') await doMoneyWork();
      return answer;
    };
    return { spec, invoke: invokeRecorded };
  };
  const lambdas = await Promise.all(ALL_FUNCTIONS.map(loadRecorded));
  // Pass time, so that values that were read at the import are read again in a call.
  clock.advance(2 * HOUR);
  const findLambda = (name: string): Lambda => {
    const lambda = lambdas.find(({ spec }) => spec.name === name);
    if (!lambda) throw new Error(`The manifest has no function ${name}.`);
    return lambda;
  };
  gateway.serve(serveLambdas(lambdas), () => {});
  const notificationUrl = (provider: string): string => `${gateway.baseUrl}/providers/${provider}/notifications`;
  for (const name of providerName.options) simulator.notifyAt(name, notificationUrl(name));

  const request = async (method: string, path: string, headers: Record<string, string>, body?: string) => {
    const answer = await fetch(`${gateway.baseUrl}${path}`, { method, headers, ...(body !== undefined && { body }) });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json');
    // biome-ignore lint/suspicious/noExplicitAny: a test reads any field of the answer, and fails if it is missing.
    const json: any = isJson ? JSON.parse(text) : undefined;
    return { status: answer.status, json };
  };
  const table = connectTable({ TABLE_NAME: tableName, DUE_SHARDS: Number(process.env.DUE_SHARDS) });

  /** Passes the messages of a queue to the consumer, as its event source does. Returns their number. */
  const takeLane = async (lane: QueueLane | 'codes', consumer = 'deliver-webhooks'): Promise<number> => {
    const QueueUrl = queueUrls[lane];
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
    if (Messages.length === 0) return 0;
    const eventSourceARN = `arn:aws:sqs:us-east-1:000000000000:${QueueUrl.slice(QueueUrl.lastIndexOf('/') + 1)}`;
    const Records = Messages.map(({ MessageId, Body }) => ({ messageId: MessageId, body: Body, eventSourceARN }));
    await findLambda(consumer).invoke({ Records });
    for (const { ReceiptHandle } of Messages) await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    return Messages.length;
  };

  /** Does the queued money work, and the work that it queues. */
  const doMoneyWork = async (): Promise<void> => {
    for (const lane of MONEY_LANES) while ((await takeLane(lane, 'do-money-work')) > 0);
  };

  return {
    /** All calls to AWS so far. */
    calls: calls as readonly AwsCall[],
    /** The functions that ran. */
    invoked: invoked as ReadonlySet<string>,
    /** The URLs of the queues by lane. */
    lanes: queueUrls,
    simulator,
    clock,
    /** Delivers the queued messages, one batch after the other, until the queues are empty. */
    deliver: async (): Promise<void> => {
      for (const lane of ['first', 'retry', 'slow', 'test'] as const) while ((await takeLane(lane)) > 0);
    },
    /** Signs in the owner of a new business. Returns a call with the session, by method and path under `/api/dashboard`. */
    openDashboard: async (name: string, email: string) => {
      const { business } = await createBusiness(
        { ...runtime, businesses: businessStore(table) },
        { name, actor: 'a test' },
      );
      const members = {
        ...runtime,
        businesses: businessStore(table),
        users: userReader(table),
        sessions: sessionStore(table),
      };
      await setProfile(members, { businessId: business.id, change: { isRouted: true }, actor: 'a test' });
      await inviteMember(members, { businessId: business.id, email, role: 'owner', actor: 'a test' });
      /** Leaves an audit log entry open, like a member's request whose process was killed. */
      const leaveUnclosed = async (member: string): Promise<void> => {
        const now = await businessStore(table).find(business.id);
        if (!now) throw new Error('The business is gone.');
        const request = { userId: member, email, mode: 'test', needs: 'developer', usedPasskey: false } as const;
        const origin = { address: '102.89.23.17', action: 'POST /v1/checkout/initialize', target: '' };
        const entry = {
          ...request,
          ...origin,
          id: runtime.newId('log'),
          businessId: business.id,
          what: 'asked: Start a checkout.',
        };
        await auditLog(table).open({ ...entry, at: Date.now() }, now);
      };
      /** Mails the codes that wait in their queue. */
      const mailCodes = () => takeLane('codes', 'send-mail');
      /** Mails the notices that wait in the table. */
      const mailNotices = () => findLambda('send-notices').invoke({});
      /** Opens a browser in which a member has signed in with a code, `times` times. */
      const openBrowser = async (address: string, times = 1) => {
        const cookies = new Map<string, string>();
        const call = async (method: string, path: string, body?: unknown, mode: Mode = 'test') => {
          const answer = await fetch(`${gateway.baseUrl}/api/dashboard${path}`, {
            method,
            headers: {
              origin: gateway.baseUrl,
              cookie: [...cookies.values()].join('; '),
              'x-business-id': business.id,
              'x-dashboard-mode': mode,
              ...(body !== undefined && { 'content-type': 'application/json' }),
            },
            ...(body !== undefined && { body: JSON.stringify(body) }),
          });
          for (const cookie of answer.headers.getSetCookie()) {
            cookies.set(cookie.slice(0, cookie.indexOf('=')), cookie.slice(0, cookie.indexOf(';')));
          }
          // biome-ignore lint/suspicious/noExplicitAny: a test reads any field of the answer, and fails if it is missing.
          const json: any = answer.headers.get('content-type')?.includes('json') ? await answer.json() : undefined;
          return { status: answer.status, json };
        };
        for (let n = 0; n < times; n += 1) {
          await call('POST', '/sign-in', { email: address });
          await mailCodes();
          await call('POST', '/sign-in/verify', {
            code: /code is (\d{8})/.exec(ses.sent.findLast(({ text }) => text.includes('code is'))?.text ?? '')?.[1],
          });
        }
        return call;
      };
      /** Confirms a passkey of the user, so that it may change live mode at once. */
      const confirm = async (passkeyId: string) => {
        await confirmPasskey(members, { businessId: business.id, userId: userIdOf(email), passkeyId, actor: 'a test' });
      };
      return {
        leaveUnclosed,
        browserOf: openBrowser,
        mailNotices,
        confirm,
        origin: gateway.baseUrl,
        userId: userIdOf(email),
      };
    },
    /** Runs both scheduled functions once. */
    sweep: async (): Promise<void> => {
      await findLambda('sweep-deliveries').invoke({});
      await findLambda('sweep-payments').invoke({});
      await doMoneyWork();
      await simulator.settled();
    },
    /** Plans one of two lists of Monnify's week, as a setting with two lists would. The next sweep ends that plan. */
    planOneOfTwoLists: async (): Promise<void> => {
      const [list] = planLists({ provider: 'monnify', pass: 'week', lists: 2 }, [], runtime.now()).missing;
      if (!list) throw new Error('No list is to be planned.');
      await reconciliationStore(table).save(undefined, list);
    },
    /** Lists the unmatched money. */
    unmatched: () => unmatchedStore(table).oldest(100),
    /** Saves an unmatched cumulative report of `amount` kobo by Korapay under a reference. */
    saveUnmatched: async (reference: string, amount: number): Promise<void> => {
      const [recordedAt, id] = [runtime.now(), runtime.newId('pay')];
      const payee = { by: 'our_reference', reference } as const;
      const kept = { kept: kobo.parse(amount), returned: ZERO_KOBO, fee: ZERO_KOBO };
      const sender = { providerReference: reference, paidAt: recordedAt, senderName: null, senderBank: null };
      const money = { kind: 'cumulative_report', payee, ...kept, ...sender } as const;
      const scope = { mode: 'live', provider: 'korapay', source: toSourceId(money), state: 'open' } as const;
      const entry = { id, ...scope, money, askedAt: recordedAt, recordedAt, tries: 0 };
      await ledger(table).record({ unmatched: { after: entry } });
    },
    /** Assigns the unmatched cumulative report of `amount` kobo to a checkout, without landing it. Returns the reference of the report. */
    assign: async (amount: number, to: string): Promise<string> => {
      const unmatched = (await unmatchedStore(table).oldest(100)).find(({ money }) => findAmount(money) === amount);
      if (unmatched?.money.kind !== 'cumulative_report')
        throw new Error(`No cumulative report of ${amount} kobo is unmatched.`);
      const assigned = await ledger(table).assignReference(unmatched, unmatched.money.payee.reference, to);
      if (assigned !== 'assigned') throw new Error('The cumulative report could not be assigned.');
      return unmatched.money.payee.reference;
    },
    /** Lands unmatched money of `amount` kobo on a virtual account, as an operator does. */
    assignToAccount: async (amount: number, id: string): Promise<void> => {
      const unmatched = (await unmatchedStore(table).oldest(100)).find(({ money }) => findAmount(money) === amount);
      const owner = { kind: 'virtual_account', id } as const;
      const tenant = await ledger(table).findTenant(owner);
      if (!unmatched || !tenant) throw new Error(`No money of ${amount} kobo is unmatched, or there is no account.`);
      // No provider of these payments returns them without a notification.
      const deps = {
        ...landingDeps(table, queueOfOneMode(queueUrls.first)),
        liveProviders: () => undefined,
        metrics: () => {},
      };
      await landMoney(deps, unmatched.provider, unmatched.money, { askedAt: runtime.now() }, { owner, tenant });
    },
    /** Leaves the intent of a request that was killed before it asked Monnify for a live virtual account. */
    abandonAccount: async (): Promise<void> => {
      const owner = { name: 'Emeka Motors Limited', actor: 'a test' };
      const { business } = await createBusiness({ ...runtime, businesses: businessStore(table) }, owner);
      const [createdAt, id] = [runtime.now(), runtime.newId('va')];
      const customer = { customerName: 'Emeka Obi', customerPhone: '+2348031234567', customerEmail: 'e@example.com' };
      const opening = { id, ...customer, metadata: null, createdAt, version: 0, settleAt: createdAt };
      const scope = { businessId: business.id, mode: 'live', provider: 'monnify' } as const;
      const intents = virtualAccountIntents(table, process.env.HASH_KEY ?? '');
      await intents.begin([{ ...scope, ...opening, status: 'opening' }], undefined);
    },
    /** Returns the URL of a provider's notifications. */
    notificationUrl,
    /** Creates a business. Returns its API by mode, called with its secret key. */
    openBusiness: async (name: string, isRouted = false) => {
      const deps = { ...runtime, businesses: businessStore(table) };
      const { business, keys } = await createBusiness(deps, { name, actor: 'a test' });
      if (isRouted) await setProfile(deps, { businessId: business.id, change: { isRouted }, actor: 'a test' });
      return (mode: Mode) => {
        const { key = '' } = keys.find((candidate) => candidate.mode === mode && candidate.kind === 'secret') ?? {};
        const authorization = `Bearer ${key}`;
        return (method: string, path: string, body?: unknown, more: Record<string, string> = {}) => {
          const headers = { authorization, ...more, ...(body !== undefined && { 'content-type': 'application/json' }) };
          return request(method, `/api/v1${path}`, headers, body === undefined ? undefined : JSON.stringify(body));
        };
      };
    },
    /** Sends any request to the gateway, without a key. */
    request,
    /** Reports on the payment page that the money was sent. */
    reportTransfer: (checkoutUrl: string) => request('POST', `${new URL(checkoutUrl).pathname}/sent`, JSON_WANTED),
    stop: async (): Promise<void> => {
      recorder.stop();
      clock.restore();
      await gateway.stop();
      await ses.stop();
      await simulator.stop();
    },
  };
};
export type RecordedStage = Awaited<ReturnType<typeof openRecordedStage>>;
