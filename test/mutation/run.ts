import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/*
 * Mutation testing by hand: changes the code of an area in one place at a time and runs the area's unit tests. If no test notices a
 * change, the change has survived. Stryker has a lock file of its own (stryker/), because only this command needs it.
 */

const STRYKER = 'test/mutation/stryker';

interface Area {
  /** Globs of the code that is changed. */
  readonly code: readonly string[];
  /** Paths, or parts of paths, of the tests that should notice a change. */
  readonly tests: readonly string[];
}
const AREAS: Readonly<Record<string, Area>> = {
  money: {
    code: [
      'shared/payments/domain/**/*.ts',
      'shared/providers/domain/{attempt-reference,notice,refund,report,source}.ts',
      'shared/checkouts/domain/*.ts',
      'shared/platform/kernel/money.ts',
    ],
    tests: ['unit/payments', 'unit/checkouts', 'unit/platform/money'],
  },
  webhooks: { code: ['shared/webhooks/domain/*.ts'], tests: ['unit/webhooks'] },
};

const run = (command: string, args: readonly string[], env?: NodeJS.ProcessEnv): void => {
  const { status } = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env } });
  if (status !== 0) process.exit(status ?? 1);
};

const [area = '', ...files] = process.argv.slice(2);
const selected = AREAS[area];
if (!selected) {
  console.error(
    `Name the area to change: npm run mutation -- <${Object.keys(AREAS).join(' or ')}> [files of the area]`,
  );
  process.exit(1);
}
if (!existsSync(`${STRYKER}/node_modules`)) run('npm', ['ci', '--prefix', STRYKER]);
const code = files.length > 0 ? files : selected.code;
run(
  'node',
  [`${STRYKER}/node_modules/.bin/stryker`, 'run', 'test/mutation/stryker.config.js', '--mutate', code.join()].concat(
    '--concurrency',
    String(availableParallelism()),
  ),
  { MUTATION_TESTS: selected.tests.join(' ') },
);
