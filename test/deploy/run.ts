import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countResources } from './aws.ts';
import { LOCAL_ONLY, TESTS_LEFT_OUT } from './differences.ts';
import { ACCOUNT, type Emulator, mailsUrl, REGION, startEmulator } from './emulator.ts';
import { endAll, run } from './processes.ts';
import { CannotTest, pythonWithEmulator } from './python.ts';
import {
  awaitSchedules,
  countDeployed,
  createBusiness,
  ensureNothingIsLeft,
  findApiUrl,
  formatInventory,
  listStacks,
  OPS,
  STAGE,
  stageOrigin,
  withFastClock,
} from './stage.ts';
import { runSuite } from './suite.ts';

/* `npm run test:deploy`: deploys a stage to an emulator of AWS, tests it from outside, and removes it. */

const LOG_LINES = 60;

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const step = async <T>(title: string, work: () => Promise<T>): Promise<T> => {
  const began = performance.now();
  const end = (outcome: string): void =>
    print(`${outcome.padEnd(8)}${title} (${((performance.now() - began) / 1_000).toFixed(1)} s)`);
  try {
    const result = await work();
    end('ok');
    return result;
  } catch (error) {
    end(error instanceof CannotTest ? 'skipped' : 'FAILED');
    throw error;
  }
};

type Cdk = (...args: string[]) => Promise<string>;

const deploy = (cdk: Cdk): Promise<string> => cdk('deploy', '-c', `stage=${STAGE}`, '--require-approval', 'never');

const deployAgain = async (cdk: Cdk): Promise<void> => {
  const output = await deploy(cdk);
  const changed = (await listStacks()).filter((name) => !output.includes(`${name} (no changes)`));
  if (changed.length > 0) throw new Error(`${changed.join(' and ')} changed. All that cdk wrote:\n${output}`);
};

const testSuite = async (emulator: Emulator, baseUrl: string): Promise<void> => {
  const env = {
    ...emulator.env,
    E2E_BASE_URL: baseUrl,
    E2E_OPS: OPS,
    E2E_MAILS: mailsUrl(emulator),
    E2E_ORIGIN: stageOrigin(baseUrl),
    LONG_TESTS: 'yes',
  };
  const report = await step('the end-to-end suite', () => withFastClock(emulator, () => runSuite(env)));
  for (const line of report.split('\n')) if (/^(PASS|Tests:|Test Suites:)/.test(line)) print(`        ${line}`);
  for (const { name, reason } of [...LOCAL_ONLY, ...TESTS_LEFT_OUT]) print(`        left out: ${name}: ${reason}`);
};

const testStage = async (emulator: Emulator, directory: string): Promise<void> => {
  // Bootstrap from a directory without cdk.json, so that CDK does not build the app for it.
  const bootstrap = ['bootstrap', `aws://${ACCOUNT}/${REGION}`, '--no-notices'];
  await step('cdk bootstrap', () => run('cdk', bootstrap, { ...emulator, cwd: directory }));
  const before = await countResources(emulator);
  const assembly = join(directory, 'cdk.out');
  const cdk: Cdk = (...args) => run('cdk', [...args, '--no-notices', '--no-color', '-o', assembly], emulator);
  await step(`cdk deploy -c stage=${STAGE}`, () => deploy(cdk));
  print(`        ${(await listStacks()).join(', ')}`);
  print(`        ${formatInventory(await countDeployed(emulator, before))}`);
  const baseUrl = await findApiUrl(emulator);
  await step('create a business with the operations command, and call with its key', () =>
    createBusiness(emulator, baseUrl),
  );
  await testSuite(emulator, baseUrl);
  await step('the stage’s own rules call the sweepers', () => awaitSchedules(emulator));
  await step('build and cdk deploy again: no changes', () => deployAgain(cdk));
  // Use the assembly that was just deployed, instead of a third build.
  await step('cdk destroy', () => cdk('destroy', '--app', assembly, '--force'));
  await step('nothing is left', () => ensureNothingIsLeft(emulator, before));
};

const testDeployment = async (directory: string): Promise<void> => {
  const python = await step('a Python with the emulator', pythonWithEmulator);
  const emulator = await step('start the emulator', () => startEmulator(python, join(directory, 'emulator')));
  // The AWS clients of this process must use the emulator, too.
  Object.assign(process.env, emulator.env);
  try {
    await testStage(emulator, directory);
  } catch (error) {
    print(
      `The last lines of the emulator's log:\n${emulator.log().trimEnd().split('\n').slice(-LOG_LINES).join('\n')}`,
    );
    throw error;
  }
};

const describeFailure = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof CannotTest)) return message;
  const line = '='.repeat(100);
  return `\n${line}\nSkipped: NOTHING WAS DEPLOYED AND NOTHING WAS TESTED, because ${message}\n${line}`;
};

const directory = mkdtempSync(join(tmpdir(), 'payments-deploy-'));
process.once('exit', () => {
  endAll();
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
});
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => process.exit(130));

try {
  await testDeployment(directory);
  print('The stage was deployed, tested and destroyed.');
} catch (error) {
  print(describeFailure(error));
  process.exitCode = error instanceof CannotTest ? 0 : 1;
}
// Exit explicitly: the emulator of this run would keep this process waiting.
process.exit();
