import type { Command } from 'commander';
import type { Stage } from '#infra/ops/connect.ts';
import { type Answer, examples, fields, listing } from '#infra/ops/output.ts';
import type { Run } from '#infra/ops/run.ts';
import { time } from '#infra/ops/views.ts';
import type { Notification } from '#shared/payments/domain/notification.ts';
import {
  dismissStuck,
  findStuck,
  idOfNotification,
  listStuck,
  retryStuck,
} from '#shared/payments/use-cases/stuck-notifications.ts';
import { isoMicros } from '#shared/platform/kernel/time.ts';
import { NOTIFICATION } from './example-ids.ts';

/** A notification as the command shows it: never its bytes, nor what the provider said. */
const view = (notification: Notification) => ({
  id: idOfNotification(notification),
  provider: notification.provider,
  why: notification.why,
  stuck_since: time(notification.stuckSince),
  received_at: isoMicros(notification.receivedAt),
  tries: notification.tries,
  next_try_at: time(notification.dueAt),
  from: notification.query ? 'reconciliation' : 'provider',
});

/** A refund that needs attention is not tried again. */
const WAITS = 'none: it waits for you';

const row = (notification: Notification): string[] => {
  const { id, why, stuck_since: since, tries, next_try_at: next } = view(notification);
  return [id, why ?? '-', since ?? '-', String(tries), next ?? WAITS];
};

const listed = (stuck: readonly Notification[]): Answer => ({
  json: { notifications: stuck.map(view) },
  text: listing(['id', 'why', 'stuck since', 'tries', 'next try'], stuck.map(row), 'Every notification is settled.'),
});

/** The provider's references that it is about, as far as they can be read, to be compared with the provider's dashboard. */
const readReferences = ({ liveProviders }: Stage, { provider, raw, query }: Notification): readonly string[] =>
  (query ? [query] : (liveProviders(provider)?.read(Buffer.from(raw, 'base64')).queries ?? [])).map(
    ({ value }) => value,
  );

const show = async (stage: Stage, id: string): Promise<Answer> => {
  const notification = await findStuck(stage, id);
  const details = { ...view(notification), references: readReferences(stage, notification) };
  return {
    json: { notification: details },
    text: fields([
      ['id', details.id],
      ['from', details.from],
      ['why', details.why ?? '-'],
      ['stuck since', details.stuck_since ?? '-'],
      ['received at', details.received_at],
      ['tries', String(details.tries)],
      ['next try', details.next_try_at ?? WAITS],
      ['references', details.references.join(', ') || '-'],
    ]),
  };
};

const retry = async (stage: Stage, id: string, refundId?: string): Promise<Answer> => {
  const after = await retryStuck(stage, { id, operator: await stage.operator(), refundId });
  const isSettled = after.stuckSince === null;
  return {
    json: { notification: view(after), settled: isSettled },
    text: isSettled
      ? 'It is settled: what it is about is recorded.'
      : `It is still not settled (${after.why}). It stays on the list.`,
  };
};

const dismiss = async (stage: Stage, id: string): Promise<Answer> => {
  const before = await dismissStuck(stage, { id, operator: await stage.operator() });
  return {
    json: { notification: { id: idOfNotification(before), dismissed: true } },
    text: 'It is off the list, and is not tried again. Money that it was about is recorded only if reconciliation finds it.',
  };
};

/** `notification list | show | retry | dismiss`. */
export const addNotificationCommands = (program: Command, run: Run): void => {
  const group = program.command('notification').description('providers’ notifications that are not settled');
  const add = (name: string, description: string, act: (stage: Stage, id: string) => Promise<Answer>) =>
    group
      .command(name)
      .description(description)
      .argument('<notification>', 'its id, as the list has it')
      .addHelpText('after', examples(`notification ${name} ${NOTIFICATION}`))
      .action((id: string, _options: unknown, command: Command) => run(command, (stage) => act(stage, id)));
  group.addHelpText('after', examples('notification list', `notification show ${NOTIFICATION}`));
  group
    .command('list')
    .description('oldest first, at most a thousand, with why; they are counted as no money')
    .addHelpText('after', examples('notification list'))
    .action((_options: unknown, command: Command) => run(command, async (stage) => listed(await listStuck(stage))));
  add('show', 'why it is not settled, and which references it names; never its content', show);
  group
    .command('retry')
    .description('tries at once to settle it, as the sweeper does')
    .argument('<notification>', 'its id, as the list has it')
    .option('--refund-id <id>', 'the refund’s id in the provider’s dashboard, where why is refund_without_id')
    .addHelpText('after', examples(`notification retry ${NOTIFICATION}`))
    .action((id: string, { refundId }: { refundId?: string }, command: Command) =>
      run(command, (stage) => retry(stage, id, refundId)),
    );
  group
    .command('dismiss')
    .description('takes it off the list, unsettled, once you have compared it with the provider’s dashboard')
    .argument('<notification>', 'its id, as the list has it')
    .addHelpText('after', examples(`notification dismiss ${NOTIFICATION}`))
    .action((id: string, _options: unknown, command: Command) =>
      run(
        command,
        (stage) => dismiss(stage, id),
        async (stage) => `give up the notification of ${(await findStuck(stage, id)).provider}, unsettled?`,
      ),
    );
};
