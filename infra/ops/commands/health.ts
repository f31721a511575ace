import type { Command } from 'commander';
import type { Stage } from '#infra/ops/connect.ts';
import { OperatorError } from '#infra/ops/operator-error.ts';
import { type Answer, COMMAND, examples, listing, paragraphs } from '#infra/ops/output.ts';
import type { Run } from '#infra/ops/run.ts';

/** The largest number of stuck notifications that are counted. */
const MOST_COUNTED = 1_000;

const probe = async (ask: () => Promise<void>): Promise<string> => {
  try {
    await ask();
    return 'ok';
  } catch (error) {
    return `no answer (${(error as Error).name})`;
  }
};

/** Checks the table and the queues, and counts stuck notifications. @throws OperatorError that names the parts that do not answer. */
const check = async ({ probes, notifications }: Stage): Promise<Answer> => {
  const parts = await Promise.all(
    Object.entries(probes).map(async ([part, ask]) => ({ part, state: await probe(ask) })),
  );
  const silent = parts.filter(({ state }) => state !== 'ok');
  if (silent.length > 0) {
    const states = silent.map(({ part, state }) => `${part}: ${state}`).join('; ');
    throw new OperatorError(
      `Not every part of the stage answers. ${states}. See the entries on the table and the queues in docs/operating/runbook.md.`,
    );
  }
  const stuck = await notifications.countStuck(MOST_COUNTED);
  const states = listing(
    ['PART', 'STATE'],
    parts.map(({ part, state }) => [part, state]),
    '',
  );
  return {
    json: { parts, stuck_notifications: stuck },
    text:
      stuck === 0
        ? states
        : paragraphs(states, `Stuck notifications: ${stuck}. See them with: ${COMMAND} notification list`),
  };
};

/** `health`. */
export const addHealthCommand = (program: Command, run: Run): void => {
  program
    .command('health')
    .description(
      'checks that the table and the queues answer, and counts stuck notifications; GET /health only shows that the API runs',
    )
    .addHelpText('after', examples('health', '--stage prod health'))
    .action((_options: unknown, command: Command) => run(command, check));
};
