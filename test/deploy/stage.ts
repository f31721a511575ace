import { CloudFormationClient, ListStacksCommand } from '@aws-sdk/client-cloudformation';
import { resourceName } from '#infra/constructs/names.ts';
import { FUNCTIONS } from '#infra/functions.ts';
import { findStage } from '#infra/ops/stage-outputs.ts';
import { countResources, invoke } from './aws.ts';
import type { Emulator } from './emulator.ts';
import { run } from './processes.ts';

/** The deployed stage of infra/config.ts. */
export const STAGE = 'emulator';
/** The operations command for the stage. `--yes` answers its questions. */
export const OPS = `npm run --silent ops -- --stage ${STAGE} --yes`;

const BOOTSTRAP = 'CDKToolkit';
const CLOCK_MS = 1_000;
/** Milliseconds until the first call by a rule. A rule of one minute first calls a minute after its deployment. */
const FIRST_CALL_WITHIN_MS = 90_000;

const SCHEDULED = FUNCTIONS.filter(({ trigger }) => trigger.kind === 'schedule').map(({ name }) =>
  resourceName(STAGE, name),
);

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Calls the scheduled functions every second during the work, so that the suite need not wait for the stage's clock of one minute.
 * @throws Error when the work or a scheduled function fails.
 */
export const withFastClock = async <T>(emulator: Emulator, work: () => Promise<T>): Promise<T> => {
  let isOver = false;
  const clock = async (): Promise<void> => {
    while (!isOver) {
      await Promise.all(SCHEDULED.map((name) => invoke(emulator, name)));
      await wait(CLOCK_MS);
    }
  };
  const working = work().finally(() => {
    isOver = true;
  });
  const [result] = await Promise.all([working, clock()]);
  return result;
};

/** Waits until the stage's own rules have called every scheduled function. @throws Error when they do not. */
export const awaitSchedules = async ({ log }: Emulator): Promise<void> => {
  const deadline = Date.now() + FIRST_CALL_WITHIN_MS;
  for (const name of SCHEDULED) {
    // The emulator logs this line only when a rule calls a function.
    while (!log().includes(`EventBridge → Lambda ${name}: dispatched`)) {
      if (Date.now() > deadline) throw new Error(`No rule called ${name} in ${FIRST_CALL_WITHIN_MS} ms.`);
      await wait(CLOCK_MS);
    }
  }
};

/**
 * Finds the URL of the stage's API for this machine: the emulator's path for clients that cannot resolve names below `localhost`.
 * @throws Error when the CDK stacks have no output that names an API.
 */
export const findApiUrl = async ({ endpoint }: Emulator): Promise<string> => {
  const { BaseUrl } = await findStage(STAGE);
  if (!BaseUrl) throw new Error('The CDK stacks have no output BaseUrl.');
  return `${endpoint}/_aws/execute-api/${new URL(BaseUrl).hostname.split('.')[0]}/$default`;
};

/** Returns the stage's own origin, as its functions see it. */
export const stageOrigin = (baseUrl: string): string =>
  `https://${/execute-api\/([^/]+)/.exec(baseUrl)?.[1] ?? ''}.execute-api.localhost`;

/** Creates a business with the operations command. @throws Error when its secret test key does not open the API. */
export const createBusiness = async (emulator: Emulator, baseUrl: string): Promise<void> => {
  const created = await run('sh', ['-c', `${OPS} --json business create --name "Deployed Stores"`], emulator);
  const { keys } = JSON.parse(created) as { keys: { kind: string; mode: string; key: string }[] };
  const { key = '' } = keys.find(({ kind, mode }) => kind === 'secret' && mode === 'test') ?? {};
  const answer = await fetch(`${baseUrl}/api/v1/checkouts`, { headers: { authorization: `Bearer ${key}` } });
  if (answer.status !== 200)
    throw new Error(`The key of the new business could not list checkouts: ${answer.status} ${await answer.text()}`);
};

/** Lists the CDK stacks, without CDK's own bootstrap stack. */
export const listStacks = async (): Promise<string[]> => {
  const { StackSummaries = [] } = await new CloudFormationClient().send(new ListStacksCommand());
  return StackSummaries.filter(({ StackStatus }) => StackStatus !== 'DELETE_COMPLETE')
    .map(({ StackName = '' }) => StackName)
    .filter((name) => name !== BOOTSTRAP);
};

type Inventory = ReadonlyMap<string, number>;

/** Formats the number of resources of each kind, in one line. */
export const formatInventory = (inventory: Inventory): string =>
  [...inventory].map(([kind, count]) => `${kind} ${count}`).join(', ');

/**
 * Counts the resources of a deployed stage. Each kind must have grown, or the later check that nothing is left would prove nothing.
 * @throws Error when a kind has not grown.
 */
export const countDeployed = async (emulator: Emulator, before: Inventory): Promise<Inventory> => {
  const now = await countResources(emulator);
  const unchanged = [...now].filter(([kind, count]) => count <= (before.get(kind) ?? 0)).map(([kind]) => kind);
  if (unchanged.length > 0) {
    throw new Error(
      `The stage added nothing of these kinds: ${unchanged.join(', ')}. Either the deployment or their lists (test/deploy/aws.ts) are wrong.`,
    );
  }
  return now;
};

/** Checks that the stage is gone. @throws Error when a CDK stack is left, or the number of any resource differs from before. */
export const ensureNothingIsLeft = async (emulator: Emulator, before: Inventory): Promise<void> => {
  const stacks = await listStacks();
  if (stacks.length > 0) throw new Error(`These CDK stacks are still there: ${stacks.join(', ')}.`);
  const [earlier, current] = [formatInventory(before), formatInventory(await countResources(emulator))];
  if (current !== earlier) throw new Error(`Something is left.\nBefore: ${earlier}\nNow:    ${current}`);
};
