import { secretsIn } from '#test/support/hostile/secrets-seen.ts';
import { logged, watched } from '#test/support/worlds/stack.ts';

/*
 * Runs after the last test of every file (jest.config.js), so that no suite can leave it out: nothing that a file has sent to its
 * stacks or received from them stands in their logs (architecture.md section 2; shared/observability/log.ts).
 */

afterAll(async () => {
  const watch = watched();
  if (watch === undefined) return;
  watch.stop();
  const secrets = watch.secrets();
  const stacks = logged.splice(0);
  const running = stacks.filter(({ child }) => child.exitCode === null && child.signalCode === null);
  if (running.length > 0) throw new Error('A stack of this file still runs: stop it, so that its log can be searched.');
  await Promise.all(stacks.map(({ closed }) => closed));
  const found = new Set(stacks.flatMap(({ log }) => secretsIn(log(), secrets)));
  if (found.size > 0) {
    throw new Error(`The log of a stack of this file holds ${[...found].join(', ')}. Leave it out of what is logged.`);
  }
});
