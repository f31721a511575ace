import { setTimeout as sleep } from 'node:timers/promises';
import { Argument, type Command } from 'commander';
import type { Stage } from '#infra/ops/connect.ts';
import { OperatorError } from '#infra/ops/operator-error.ts';
import { type Answer, examples } from '#infra/ops/output.ts';
import type { Run } from '#infra/ops/run.ts';
import { LANES, type Lane } from '#shared/webhooks/domain/delivery.ts';
import { type DeadLetterQueues, redriveQueue } from '#shared/webhooks/use-cases/redrive-queue.ts';

const requireDeadLetters = ({ deadLetters }: Stage): DeadLetterQueues => {
  if (deadLetters) return deadLetters;
  throw new OperatorError(
    'The local stack has no dead-letter queues: its due-work index brings back messages that its queues lose.',
  );
};

const redrive = async (stage: Stage, lane: Lane, report: (progress: string) => void): Promise<Answer> => {
  const deadLetters = requireDeadLetters(stage);
  const operator = await stage.operator();
  const record = (what: string): Promise<void> =>
    stage.businesses.recordChange({ id: stage.newId('log'), businessId: null, at: stage.now(), who: operator, what });
  const { moved } = await redriveQueue({ deadLetters, record, sleep }, lane, report);
  return {
    json: { queue: lane, moved },
    text:
      moved === 0
        ? `The dead-letter queue of "${lane}" holds no message that can be moved.`
        : `Moved ${moved} messages back to the queue "${lane}". Messages that fail again return to the dead-letter queue.`,
  };
};

const askToRedrive = async (stage: Stage, lane: Lane): Promise<string> => {
  const waiting = await requireDeadLetters(stage).countWaiting(lane);
  return `move about ${waiting} messages from the dead-letter queue of "${lane}" back to its queue? They will be tried again.`;
};

/** `queue redrive`. */
export const addQueueCommands = (program: Command, run: Run): void => {
  const group = program.command('queue').description('handles the queues of webhook deliveries');
  group.addHelpText('after', examples('--stage prod queue redrive first'));
  group
    .command('redrive')
    .description('moves messages from a dead-letter queue back to its queue; first fix the reason why they failed')
    .addArgument(
      new Argument(
        '<queue>',
        'first: live first attempts; retry: live retries; slow: live slow endpoints; test: test mode',
      ).choices(LANES),
    )
    .addHelpText('after', examples('--stage prod queue redrive first', '--stage prod --yes queue redrive retry'))
    .action((lane: Lane, _options: unknown, command: Command) =>
      run(
        command,
        (stage, report) => redrive(stage, lane, report),
        (stage) => askToRedrive(stage, lane),
      ),
    );
};
