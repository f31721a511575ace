import type { Command } from 'commander';
import type { Stage } from '#infra/ops/connect.ts';
import { type Answer, COMMAND, examples, fields, paragraphs } from '#infra/ops/output.ts';
import type { Run } from '#infra/ops/run.ts';
import { findBusiness } from '#shared/businesses/use-cases/find-business.ts';
import { type ErasureReport, erasePayer } from '#shared/erasure/use-cases/erase-payer.ts';
import { BUSINESS } from './example-ids.ts';

const leftOver = ({ left, openAccounts }: ErasureReport): string[] => [
  ...(left.opening > 0
    ? [
        `${left.opening} checkouts or virtual accounts are still being opened and were left. Run the command again in an hour.`,
      ]
    : []),
  ...(left.unsettledNotifications > 0
    ? [
        `${left.unsettledNotifications} notifications are still to be looked up and were left. Run the command again when they are settled, within three days.`,
      ]
    : []),
  ...(left.unreadable > 0
    ? [
        `${left.unreadable} items that may be the payer's cannot be read by this release and were left. Run the command again with the release that wrote them.`,
      ]
    : []),
  ...(openAccounts.length > 0
    ? [
        `These virtual accounts still take money, and each transfer brings a sender's name: ${openAccounts.join(', ')}. Have the business deactivate them.`,
      ]
    : []),
];

const erase = async (
  stage: Stage,
  businessId: string,
  email: string,
  also: readonly string[],
  progress: (line: string) => void,
): Promise<Answer> => {
  const done = await erasePayer(stage, { businessId, email, also, operator: await stage.operator() }, progress);
  const { isDone, replacement, read, erased, left, openAccounts } = done;
  return {
    json: {
      done: isDone,
      replaced_by: replacement,
      items_read: read,
      erased: {
        checkouts: erased.checkouts,
        virtual_accounts: erased.virtualAccounts,
        payments: erased.payments,
        events: erased.events,
        stored_answers: erased.answers,
        notifications: erased.notifications,
      },
      left: {
        opening: left.opening,
        unsettled_notifications: left.unsettledNotifications,
        unreadable: left.unreadable,
      },
      open_virtual_accounts: openAccounts,
    },
    text: paragraphs(
      isDone
        ? `Read everything that is stored. In place of the payer's address there is now ${replacement}`
        : `Not finished: ${read} items are read. Run the same command again, which goes on from there.`,
      fields([
        ['checkouts', String(erased.checkouts)],
        ['virtual accounts', String(erased.virtualAccounts)],
        ['payments', String(erased.payments)],
        ['events', String(erased.events)],
        ['stored answers', String(erased.answers)],
        ['notifications', String(erased.notifications)],
      ]),
      ...leftOver(done),
      ...(isDone
        ? [
            'Logs, backups, the business and the provider still have the payer: docs/operating/erasure.md says what to do there.',
            `What came later is erased with: ${COMMAND} payer erase ${businessId} ${replacement}`,
          ]
        : []),
    ),
  };
};

const question = async (stage: Stage, businessId: string, email: string): Promise<string> => {
  const { name } = await findBusiness(stage, businessId);
  return `replace what identifies the payer ${email} at ${name} (${businessId}), in live and test mode, for good? Amounts and sums stay.`;
};

/** `payer erase`. */
export const addPayerCommands = (program: Command, run: Run): void => {
  const sample = `payer erase ${BUSINESS} tunde.bakare@example.com`;
  const samples = [sample, `${sample} --also +2348031234567`];
  const group = program.command('payer').description('the people who pay a business');
  group.addHelpText('after', examples(...samples));
  group
    .command('erase')
    .description('replaces what identifies a payer, wherever it is stored; money and sums stay. Reads the whole table')
    .argument('<business>', 'its id')
    .argument('<email>', "the payer's e-mail address, in any case")
    .option('--also <texts...>', 'what else to erase in metadata, such as a phone number; again with each further call')
    .addHelpText('after', examples(...samples))
    .action((business: string, email: string, { also = [] }: { also?: string[] }, command: Command) =>
      run(
        command,
        (stage, progress) => erase(stage, business, email, also, progress),
        (stage) => question(stage, business, email),
      ),
    );
};
