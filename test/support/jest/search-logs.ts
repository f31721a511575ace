import { findSecrets } from '#test/support/hostile/secrets-seen.ts';
import { endWatch, logged } from '#test/support/worlds/stack.ts';

/**
 * Searches the logs of the local stacks at the end of a test file for secrets that the file sent or received (architecture.md section 2;
 * shared/platform/observability/log.ts).
 * @throws Error with the secrets in a log, or when a stack still runs.
 */
export const failIfSecretsLogged = async (): Promise<void> => {
  const secrets = endWatch();
  if (secrets === undefined) return;
  const stacks = logged.splice(0);
  const running = stacks.filter(({ child }) => child.exitCode === null && child.signalCode === null);
  if (running.length > 0)
    throw new Error('A local stack of this file still runs: stop it, so that its log can be searched.');
  await Promise.all(stacks.map(({ closed }) => closed));
  const findings = new Set(stacks.flatMap(({ log }) => findSecrets(log(), secrets)));
  if (findings.size > 0) {
    throw new Error(
      `The log of a stack of this file holds ${[...findings].join(', ')}. Leave it out of what is logged.`,
    );
  }
};
