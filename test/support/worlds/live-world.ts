import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type SimulatorOptions, startSimulator } from '#infra/local/simulator/simulator.ts';
import { planLists } from '#shared/payments/domain/reconciliation.ts';
import { HOUR } from '#shared/platform/kernel/time.ts';
import { credentialsVariable } from '#shared/providers/credentials.ts';
import { type ProviderName, providerName } from '#shared/providers/domain/provider.ts';
import { liveProviders } from '#shared/providers/live-providers.ts';
import { providerSettings } from '#shared/providers/settings.ts';
import { SIMULATORS } from '#shared/providers/simulators.ts';
import { inNoRole } from '#test/support/permissions/roles.ts';
import { createApiClient } from './api-client.ts';
import { apiEvent, lambdaContext } from './api-event.ts';
import { createExpectations } from './balances.ts';
import { receiveNotification } from './handlers.ts';
import { liveSteps } from './live-steps.ts';
import { makeWorld, movableClock, NOON, type ProvidersAround, type World } from './world.ts';

/** Milliseconds: long, so that a busy machine does not look like a provider that is down. Tests of a silent provider set less. */
export const LONG_TIMEOUTS = { connectMs: 20_000, answerMs: 20_000 };

/** Starts an HTTP server for providers' notifications. It passes each request to the function that `serve` sets, as API Gateway would. */
const startNotificationServer = async () => {
  let handler: ReturnType<typeof receiveNotification>;
  let consume: World['consumeMoney'] | undefined;
  let isHeld = false;
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const provider = /^\/providers\/([^/]+)\/notifications$/.exec(incoming.url ?? '')?.[1] ?? '';
    const event = apiEvent({
      method: 'POST',
      path: incoming.url ?? '',
      params: { provider },
      headers: incoming.headers as Record<string, string>,
      body: Buffer.concat(chunks).toString(),
    });
    const { statusCode, body } = await handler(event, lambdaContext());
    // Do the queued work before the answer, as a fast consumer may. So whoever sent the notification finds the work done.
    const known = providerName.safeParse(provider);
    if (known.success && !isHeld) await consume?.([known.data]);
    response.writeHead(statusCode ?? 500).end(body);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    baseUrl,
    serve: (world: World): void => {
      handler = receiveNotification(world.deps);
      consume = world.consumeMoney;
    },
    hold: (held: boolean): void => {
      isHeld = held;
    },
    urlOf: (provider: ProviderName) => `${baseUrl}/providers/${provider}/notifications`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

/**
 * Lets the first reconciliation of the last week begin one hour ago. The simulator has no older payments, and 34 requests per provider
 * for empty spans would be most of the cost of a new world's first sweep.
 */
const skipFirstWeek = async ({ deps, clock }: World): Promise<void> => {
  await Promise.all(
    deps.reconciled.map(({ provider }) => {
      const from = clock.now() - HOUR;
      const [first] = planLists({ provider, pass: 'week', lists: 1 }, [], clock.now()).missing;
      return first && inNoRole(() => deps.reconciliations.save(undefined, { ...first, from, until: from }));
    }),
  );
};

/**
 * Makes a world with all three live providers, played by the simulator. Their notifications reach the function that receives them.
 * With `isNew`, the first sweep reconciles a whole week, as on a new stage.
 */
export const makeLiveWorld = async (
  options: Parameters<typeof makeWorld>[0] &
    Pick<SimulatorOptions, 'recycleNumbers'> & {
      timeouts?: typeof LONG_TIMEOUTS;
      isNew?: boolean;
      /** Whether Paystack's customers must be validated. */
      validatesCustomers?: boolean;
    } = {},
) => {
  const clock = options.clock ?? movableClock(NOON);
  const simulator = await startSimulator({ now: clock.now, recycleNumbers: options.recycleNumbers ?? false });
  for (const name of providerName.options) {
    process.env[credentialsVariable(name)] = JSON.stringify(simulator.credentials[name]);
  }
  const settings = providerSettings.parse({
    paystack: {
      baseUrl: simulator.baseUrls.paystack,
      customerEmailDomain: 'accounts.example.com',
      validatesCustomers: options.validatesCustomers,
    },
    monnify: { baseUrl: simulator.baseUrls.monnify, contractCode: SIMULATORS.monnify.settings.contractCode },
    korapay: { baseUrl: simulator.baseUrls.korapay },
  });
  const notifications = await startNotificationServer();
  const stageUrl = notifications.baseUrl;
  const enabled = (around: ProvidersAround) =>
    liveProviders(settings, { ...around, stageUrl, timeouts: options.timeouts ?? LONG_TIMEOUTS });
  const world = await makeWorld({ ...options, clock, liveProviders: enabled, providerSettings: settings });
  if (!options.isNew) await skipFirstWeek(world);
  notifications.serve(world);
  for (const name of providerName.options) simulator.notifyAt(name, notifications.urlOf(name));
  const withSimulator = { ...world, simulator, settings, stageUrl, notificationUrl: notifications.urlOf };
  const steps = liveSteps(withSimulator);
  return {
    ...withSimulator,
    ...steps,
    ...createExpectations(withSimulator),
    /** Decides whether the work that notifications queue stays in the queue from now on. */
    holdMoneyWork: notifications.hold,
    /** Returns the API for a business's secret live key. */
    live: (business: Awaited<ReturnType<World['addBusiness']>>) => createApiClient(world, business.keys.secret_live),
    stop: async () => {
      for (const name of providerName.options) delete process.env[credentialsVariable(name)];
      notifications.stop();
      await steps.stopReceivers();
      await simulator.stop();
    },
  };
};
export type LiveWorld = Awaited<ReturnType<typeof makeLiveWorld>>;
