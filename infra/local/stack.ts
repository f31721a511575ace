import { ALL_FUNCTIONS } from '#infra/dashboard-functions.ts';
import { fileIn, openDataDir, resetDataDir } from '#infra/local/data/data-dir.ts';
import { type Demo, demoKey, prepareDemo } from '#infra/local/data/demo.ts';
import { openIdentity } from '#infra/local/data/identity.ts';
import { takeLock } from '#infra/local/data/lock.ts';
import { removeStackFile, writeStackFile } from '#infra/local/data/stack-file.ts';
import { endLeftOverEmulator } from '#infra/local/emulators/dynamodb-emulator.ts';
import { makeLostMessagesDue } from '#infra/local/emulators/lost-messages.ts';
import { startEmulators } from '#infra/local/emulators/start-emulators.ts';
import { loadBackground } from '#infra/local/lambda/background.ts';
import { isCalledByRequests, loadLambda } from '#infra/local/lambda/lambda.ts';
import { startLiveSimulator } from '#infra/local/providers/live-simulator.ts';
import { readProviders } from '#infra/local/providers/read-providers.ts';
import { newLogReader } from '#infra/local/terminal/log-reader.ts';
import { keepServiceLog } from '#infra/local/terminal/service-log.ts';
import { say } from '#infra/local/terminal/terminal.ts';
import { howToPay } from '#infra/local/welcome/tour.ts';
import type { RateLimits } from '#shared/platform/requests/rate-limit.ts';
import { connectTable } from '#shared/platform/table/table.ts';
import type { Cleanup } from './cleanup.ts';
import { setStageEnvironment } from './environment.ts';
import { type Answerer, answerOr500, newCaller } from './gateway/api.ts';
import { startGateway } from './gateway/gateway-thread.ts';
import { routedFunction } from './gateway/routes.ts';
import { INBOX_PATH, inboxRoutes } from './inbox/routes.ts';
import { openInbox } from './inbox/store.ts';
import { MAIL_PATH, mailRoutes, SES_PATH } from './mail/routes.ts';
import { createMailStore } from './mail/store.ts';
import type { Settings } from './settings.ts';
import { openOrders } from './shop/orders.ts';
import { SHOP_PATH, shopRoutes } from './shop/routes.ts';

/** The running local stack. */
export interface Stack {
  readonly baseUrl: string;
  /** The address at which providers reach the stack: that of a tunnel, or `baseUrl`. */
  readonly stageUrl: string;
  readonly demo: Demo;
  /** The address for transfers at the provider simulator; undefined if the simulator does not run. */
  readonly payUrl: string | undefined;
  /** Whether live mode has at least one provider. */
  readonly hasLive: boolean;
  readonly rateLimits: RateLimits;
  /** Resolves with a sentence if a part of the local stack ends unexpectedly. */
  readonly died: Promise<string>;
}

/** Locks the data directory for this process, and empties it if the settings say so. */
const claimDataDir = async ({ dataDir, reset }: Settings, cleanup: Cleanup): Promise<void> => {
  openDataDir(dataDir);
  cleanup.add(await takeLock(dataDir));
  if (!reset) return;
  await endLeftOverEmulator(fileIn(dataDir, 'table'));
  resetDataDir(dataDir);
};

/**
 * Starts all parts of the local stack, each after the parts that it needs. `cleanup` collects the steps that undo the start, also if the start
 * fails halfway.
 * @throws CannotStart if a part cannot start.
 */
export const startStack = async (settings: Settings, cleanup: Cleanup): Promise<Stack> => {
  const { dataDir } = settings;
  await claimDataDir(settings, cleanup);
  keepServiceLog(dataDir, newLogReader(fileIn(dataDir, 'log')), cleanup);
  const gateway = await startGateway(settings);
  cleanup.add(gateway.stop);
  const identity = openIdentity(dataDir);
  const { tableName, dueShards, hashKey } = identity;
  const { died: emulatorDied, ...emulators } = await startEmulators(settings, identity, cleanup);

  const { baseUrl } = gateway;
  const providers = settings.liveSimulator
    ? await startLiveSimulator(baseUrl, cleanup)
    : readProviders(process.env, say);
  const { rateLimits, contact } = settings;
  const stageUrl = settings.stageUrl ?? baseUrl;
  const sesEndpoint = `${baseUrl}${SES_PATH}`;
  setStageEnvironment({
    tableName,
    dueShards,
    hashKey,
    queueUrls: emulators.queueUrls,
    sesEndpoint,
    providers,
    rateLimits,
    stageUrl,
    contact,
  });
  const isDebugged = settings.inspectPort !== undefined;
  const { sweepSeconds } = settings;
  const background = loadBackground({ dataDir, queueUrls: emulators.queueUrls, sweepSeconds, isDebugged });
  cleanup.add(async () => {
    // This step runs before the emulators stop, because requests that are under way need them.
    await Promise.all([gateway.stop(), background.stop()]);
  });
  const lambdas = await Promise.all(
    ALL_FUNCTIONS.filter(isCalledByRequests).map((spec) => loadLambda(spec, { isDebugged })),
  );

  const table = connectTable({ TABLE_NAME: tableName, DUE_SHARDS: dueShards });
  const demo = await prepareDemo({ table, hashKey }, dataDir, `${baseUrl}${INBOX_PATH}`);
  const webhooks = openInbox(dataDir, [demo.endpoint.secret, demo.liveEndpoint.secret]);
  const inbox = inboxRoutes(webhooks, howToPay(baseUrl, fileIn(dataDir, 'demo')));
  const orders = openOrders({ baseUrl, secretKey: demoKey(demo, 'secret'), inbox: webhooks });
  const shop = shopRoutes(orders);
  const mail = mailRoutes(createMailStore(), emulators.accessKeyId);
  const findPages = (path: string): Answerer => {
    if (path.startsWith(SHOP_PATH)) return shop;
    return path.startsWith(MAIL_PATH) ? mail : inbox;
  };
  gateway.serve({
    functions: lambdas.map(({ spec }) => routedFunction(spec)),
    concurrency: settings.concurrency,
    call: newCaller(lambdas),
    local: (request) => answerOr500(request.id, () => findPages(request.path)(request)),
  });

  // Only the embedded queue starts empty. Another SQS still has its messages.
  if (settings.sqsEndpoint === undefined) await makeLostMessagesDue(table, Date.now());
  background.start();
  cleanup.add(() => removeStackFile(dataDir));
  const { payUrl, credentials } = providers;
  const live = JSON.parse(providers.settings);
  const stage = { tableName, dueShards, hashKey, live: { settings: live, credentials } };
  writeStackFile(dataDir, { pid: process.pid, baseUrl, ...emulators, ...stage });
  const died = Promise.race([
    emulatorDied,
    background.died.then((reason) => `The background thread ended: ${reason}.`),
    gateway.died.then((reason) => `The gateway's thread ended: ${reason}.`),
  ]);
  return { baseUrl, stageUrl, demo, payUrl, hasLive: Object.keys(live).length > 0, rateLimits, died };
};
