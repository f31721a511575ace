import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/*
 * Mutation testing by hand: changes the code of an area in one place at a time and runs the unit tests that reach it. A change that
 * no test notices has survived. Stryker has a lock file of its own (stryker/), because only this command needs it.
 */

const STRYKER = 'test/mutation/stryker';

/** What is mutated, as globs. */
const AREAS: Readonly<Record<string, readonly string[]>> = {
  money: ['shared/domain/money/*.ts', 'shared/domain/checkouts/*.ts', 'shared/domain/kernel/money.ts'],
  webhooks: ['shared/domain/webhooks/*.ts'],
};

const run = (command: string, ...args: string[]): void => {
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};

const wanted = process.argv.slice(2);
if (wanted.length === 0) {
  console.error(`npm run mutation -- <what>: ${Object.keys(AREAS).join(', ')}, or files of shared/.`);
  process.exit(1);
}
if (!existsSync(`${STRYKER}/node_modules`)) run('npm', 'ci', '--prefix', STRYKER);
const files = wanted.flatMap((name) => AREAS[name] ?? [name]).join();
run('node', `${STRYKER}/node_modules/.bin/stryker`, 'run', 'test/mutation/stryker.config.js', '--mutate', files);
