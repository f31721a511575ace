import { CloudFormationClient, ListStacksCommand } from '@aws-sdk/client-cloudformation';
import { resourceName } from '#infra/constructs/names.ts';
import { FUNCTIONS } from '#infra/functions.ts';
import { findStage } from '#infra/ops/stage-outputs.ts';
import { countResources, invoke } from './aws.ts';
import type { Emulator } from './emulator.ts';
import { run } from './processes.ts';

/** The stage of infra/config.ts that is deployed. */
export const STAGE = 'emulator';
/** The operations command against it; nobody is there to be asked. */
export const OPS = `npm run --silent ops -- --stage ${STAGE} --yes`;

const BOOTSTRAP = 'CDKToolkit';
const CLOCK_MS = 1_000;
/** A rule of one minute is first due a minute after its deployment. */
const FIRST_BEAT_WITHIN_MS = 90_000;

const SCHEDULED = FUNCTIONS.filter(({ trigger }) => trigger.kind === 'schedule').map(({ name }) =>
  resourceName(STAGE, name),
);

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Beats every second while the work goes on: the suite need not wait for what the stage's own clock does every minute.
 * @throws Error when the work fails, or a function that the clock calls.
 */
export const withFastClock = async <T>(emulator: Emulator, work: () => Promise<T>): Promise<T> => {
  let over = false;
  const clock = async (): Promise<void> => {
    while (!over) {
      await Promise.all(SCHEDULED.map((name) => invoke(emulator, name)));
      await wait(CLOCK_MS);
    }
  };
  const worked = work().finally(() => {
    over = true;
  });
  const [result] = await Promise.all([worked, clock()]);
  return result;
};

/** Waits until the stage's own rules have called every function of the clock. @throws Error when they do not. */
export const untilBeaten = async ({ log }: Emulator): Promise<void> => {
  const deadline = Date.now() + FIRST_BEAT_WITHIN_MS;
  for (const name of SCHEDULED) {
    // What the emulator notes when a rule calls a function, and not when anybody else does.
    while (!log().includes(`EventBridge → Lambda ${name}: dispatched`)) {
      if (Date.now() > deadline) throw new Error(`No rule called ${name} in ${FIRST_BEAT_WITHIN_MS} ms.`);
      await wait(CLOCK_MS);
    }
  }
};

/**
 * Where this machine reaches the API of the stage: the emulator's path for clients that resolve no names below `localhost`.
 * @throws Error when the stage's stacks have no output that names an API.
 */
export const reachableUrl = async ({ endpoint }: Emulator): Promise<string> => {
  const { BaseUrl } = await findStage(STAGE);
  if (!BaseUrl) throw new Error('The stacks have no output BaseUrl.');
  return `${endpoint}/_aws/execute-api/${new URL(BaseUrl).hostname.split('.')[0]}/$default`;
};

/** The address that the stage takes for its own, as its functions see it. */
export const originOf = (baseUrl: string): string =>
  `https://${/execute-api\/([^/]+)/.exec(baseUrl)?.[1] ?? ''}.execute-api.localhost`;

/** Creates a business with the operations command. @throws Error when its secret test key does not open the API. */
export const createBusiness = async (emulator: Emulator, baseUrl: string): Promise<void> => {
  const created = await run('sh', ['-c', `${OPS} --json business create --name "Deployed Stores"`], emulator);
  const { keys } = JSON.parse(created) as { keys: { kind: string; mode: string; key: string }[] };
  const { key = '' } = keys.find(({ kind, mode }) => kind === 'secret' && mode === 'test') ?? {};
  const answer = await fetch(`${baseUrl}/api/v1/checkouts`, { headers: { authorization: `Bearer ${key}` } });
  if (answer.status !== 200) throw new Error(`Its key lists no checkouts: ${answer.status} ${await answer.text()}`);
};

/** The stacks that are there, but not the one that belongs to CDK itself. */
export const stackNames = async (): Promise<string[]> => {
  const { StackSummaries = [] } = await new CloudFormationClient().send(new ListStacksCommand());
  return StackSummaries.filter(({ StackStatus }) => StackStatus !== 'DELETE_COMPLETE')
    .map(({ StackName = '' }) => StackName)
    .filter((name) => name !== BOOTSTRAP);
};

type Inventory = ReadonlyMap<string, number>;

/** What is there of each kind, in one line. */
export const inLine = (inventory: Inventory): string =>
  [...inventory].map(([kind, count]) => `${kind} ${count}`).join(', ');

/**
 * What is there once the stage is: more of every kind than before, or nothing being left afterwards would say nothing.
 * @throws Error when there is no more of some kind.
 */
export const deployedInventory = async (emulator: Emulator, before: Inventory): Promise<Inventory> => {
  const now = await countResources(emulator);
  const notMore = [...now].filter(([kind, count]) => count <= (before.get(kind) ?? 0)).map(([kind]) => kind);
  if (notMore.length > 0) {
    throw new Error(
      `The stage added nothing of these kinds: ${notMore.join(', ')}. Either the deployment or their lists (test/deploy/aws.ts) are wrong.`,
    );
  }
  return now;
};

/** @throws Error when a stack is still there, or there is more or less of anything than there was before. */
export const ensureNothingIsLeft = async (emulator: Emulator, before: Inventory): Promise<void> => {
  const stacks = await stackNames();
  if (stacks.length > 0) throw new Error(`These stacks are still there: ${stacks.join(', ')}.`);
  const [was, is] = [inLine(before), inLine(await countResources(emulator))];
  if (is !== was) throw new Error(`Something is left.\nBefore: ${was}\nNow:    ${is}`);
};
