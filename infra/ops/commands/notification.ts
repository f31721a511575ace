import type { Command } from 'commander';
import type { Stage } from '#infra/ops/connect.ts';
import { type Answer, examples, fields, listing } from '#infra/ops/output.ts';
import type { Run } from '#infra/ops/run.ts';
import { formatTime } from '#infra/ops/views.ts';
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

/** Converts a notification to the command's JSON, without the notification's content: it may have personal data. */
const toView = (notification: Notification) => ({
  id: idOfNotification(notification),
  provider: notification.provider,
  why: notification.why,
  stuck_since: formatTime(notification.stuckSince),
  received_at: isoMicros(notification.receivedAt),
  tries: notification.tries,
  next_try_at: formatTime(notification.dueAt),
  from: notification.query ? 'reconciliation' : 'provider',
});

/** Printed instead of the next try's time, for a refund that needs attention: it is not tried again by itself. */
const WAITS_FOR_OPERATOR = 'none: it waits for you';

const toRow = (notification: Notification): string[] => {
  const { id, why, stuck_since: since, tries, next_try_at: next } = toView(notification);
  return [id, why ?? '-', since ?? '-', String(tries), next ?? WAITS_FOR_OPERATOR];
};

const toListAnswer = (stuck: readonly Notification[]): Answer => ({
  json: { notifications: stuck.map(toView) },
  text: listing(['id', 'why', 'stuck since', 'tries', 'next try'], stuck.map(toRow), 'No notification is stuck.'),
});

/** Reads the provider's references in a notification, if it can be parsed: an operator looks them up in the provider's dashboard. */
const readReferences = ({ liveProviders }: Stage, { provider, raw, query }: Notification): readonly string[] =>
  (query ? [query] : (liveProviders(provider)?.read(Buffer.from(raw, 'base64')).queries ?? [])).map(
    ({ value }) => value,
  );

const show = async (stage: Stage, id: string): Promise<Answer> => {
  const notification = await findStuck(stage, id);
  const details = { ...toView(notification), references: readReferences(stage, notification) };
  return {
    json: { notification: details },
    text: fields([
      ['id', details.id],
      ['from', details.from],
      ['why', details.why ?? '-'],
      ['stuck since', details.stuck_since ?? '-'],
      ['received at', details.received_at],
      ['tries', String(details.tries)],
      ['next try', details.next_try_at ?? WAITS_FOR_OPERATOR],
      ['references', details.references.join(', ') || '-'],
    ]),
  };
};

const retry = async (stage: Stage, id: string, refundId?: string): Promise<Answer> => {
  const after = await retryStuck(stage, { id, operator: await stage.operator(), refundId });
  const isSettled = after.stuckSince === null;
  return {
    json: { notification: toView(after), settled: isSettled },
    text: isSettled
      ? 'The notification is settled: its money is recorded.'
      : `The notification is still not settled (${after.why}). It stays on the list.`,
  };
};

const dismiss = async (stage: Stage, id: string): Promise<Answer> => {
  const before = await dismissStuck(stage, { id, operator: await stage.operator() });
  return {
    json: { notification: { id: idOfNotification(before), dismissed: true } },
    text: 'The notification is off the list and is not tried again. Its money is recorded only if reconciliation finds it.',
  };
};

/** `notification list | show | retry | dismiss`. */
export const addNotificationCommands = (program: Command, run: Run): void => {
  const group = program
    .command('notification')
    .description('handles stuck notifications: providers sent them, and they could not be settled');
  const add = (name: string, description: string, act: (stage: Stage, id: string) => Promise<Answer>) =>
    group
      .command(name)
      .description(description)
      .argument('<notification>', 'the id of the notification, as "notification list" shows it')
      .addHelpText('after', examples(`notification ${name} ${NOTIFICATION}`))
      .action((id: string, _options: unknown, command: Command) => run(command, (stage) => act(stage, id)));
  group.addHelpText('after', examples('notification list', `notification show ${NOTIFICATION}`));
  group
    .command('list')
    .description(
      'lists stuck notifications with the reason, oldest first, at most a thousand; none of their money is counted yet',
    )
    .addHelpText('after', examples('notification list'))
    .action((_options: unknown, command: Command) =>
      run(command, async (stage) => toListAnswer(await listStuck(stage))),
    );
  add('show', 'shows why a notification is stuck and which references it names, without its content', show);
  group
    .command('retry')
    .description('tries to settle a notification at once')
    .argument('<notification>', 'the id of the notification, as "notification list" shows it')
    .option('--refund-id <id>', 'the id of the refund in the provider’s dashboard, if the reason is refund_without_id')
    .addHelpText('after', examples(`notification retry ${NOTIFICATION}`))
    .action((id: string, { refundId }: { refundId?: string }, command: Command) =>
      run(command, (stage) => retry(stage, id, refundId)),
    );
  group
    .command('dismiss')
    .description('takes a notification off the list, unsettled; first compare it with the provider’s dashboard')
    .argument('<notification>', 'the id of the notification, as "notification list" shows it')
    .addHelpText('after', examples(`notification dismiss ${NOTIFICATION}`))
    .action((id: string, _options: unknown, command: Command) =>
      run(
        command,
        (stage) => dismiss(stage, id),
        async (stage) =>
          `dismiss the notification of ${(await findStuck(stage, id)).provider}? It will not be settled.`,
      ),
    );
};
