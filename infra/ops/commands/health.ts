import type { Command } from 'commander';
import type { Stage } from '#infra/ops/connect.ts';
import { type Answer, examples, listing } from '#infra/ops/output.ts';
import type { Run } from '#infra/ops/run.ts';
import { OperatorError } from '#shared/domain/kernel/operator-error.ts';

const probe = async (ask: () => Promise<void>): Promise<string> => {
  try {
    await ask();
    return 'ok';
  } catch (error) {
    return `no answer (${(error as Error).name})`;
  }
};

/** @throws OperatorError that names the parts which do not answer. */
const check = async ({ probes }: Stage): Promise<Answer> => {
  const parts = await Promise.all(
    Object.entries(probes).map(async ([part, ask]) => ({ part, state: await probe(ask) })),
  );
  const silent = parts.filter(({ state }) => state !== 'ok');
  if (silent.length > 0) {
    const states = silent.map(({ part, state }) => `${part}: ${state}`).join('; ');
    throw new OperatorError(
      `Not every part of the stage answers. ${states}. The runbook's entries on the table and the queues say what to do.`,
    );
  }
  return {
    json: { parts },
    text: listing(
      ['PART', 'STATE'],
      parts.map(({ part, state }) => [part, state]),
      '',
    ),
  };
};

/** `health`. */
export const addHealthCommand = (program: Command, run: Run): void => {
  program
    .command('health')
    .description('asks the table and the queues; GET /health only shows that the API runs')
    .addHelpText('after', examples('health', '--stage prod health'))
    .action((_options: unknown, command: Command) => run(command, check));
};
