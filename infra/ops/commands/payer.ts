import type { Command } from 'commander';
import type { Stage } from '#infra/ops/connect.ts';
import { type Answer, COMMAND, examples, fields, paragraphs } from '#infra/ops/output.ts';
import type { Run } from '#infra/ops/run.ts';
import { findBusiness } from '#shared/businesses/use-cases/find-business.ts';
import { type ErasureReport, erasePayer } from '#shared/erasure/use-cases/erase-payer.ts';
import { BUSINESS } from './example-ids.ts';

const describeLeftover = ({ left, openAccounts }: ErasureReport): string[] => [
  ...(left.opening > 0
    ? [
        `${left.opening} checkouts or virtual accounts are still being opened and were not changed. Run the command again in an hour.`,
      ]
    : []),
  ...(left.unsettledNotifications > 0
    ? [
        `${left.unsettledNotifications} notifications are not settled yet and were not changed. Run the command again when they are settled, within three days.`,
      ]
    : []),
  ...(left.unreadable > 0
    ? [
        `${left.unreadable} items that may belong to the payer cannot be read by this release and were not changed. Run the command again with the release that wrote them.`,
      ]
    : []),
  ...(openAccounts.length > 0
    ? [
        `These virtual accounts of the payer still take money, and each transfer stores a sender's name: ${openAccounts.join(', ')}. Ask the business to deactivate them.`,
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
  const report = await erasePayer(stage, { businessId, email, also, operator: await stage.operator() }, progress);
  const { isDone, replacement, read, erased, left, openAccounts } = report;
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
        ? `The payer is erased from the table. The payer's e-mail address is replaced by ${replacement}`
        : `Not finished: ${read} items are read. Run the same command again to go on from there.`,
      fields([
        ['checkouts', String(erased.checkouts)],
        ['virtual accounts', String(erased.virtualAccounts)],
        ['payments', String(erased.payments)],
        ['events', String(erased.events)],
        ['stored answers', String(erased.answers)],
        ['notifications', String(erased.notifications)],
      ]),
      ...describeLeftover(report),
      ...(isDone
        ? [
            'Logs, backups, the business and the provider may still have data of the payer. docs/operating/erasure.md says what to do there.',
            `If more data of the payer arrives later, erase it with: ${COMMAND} payer erase ${businessId} ${replacement}`,
          ]
        : []),
    ),
  };
};

const askToErase = async (stage: Stage, businessId: string, email: string): Promise<string> => {
  const { name } = await findBusiness(stage, businessId);
  return `erase the personal data of the payer ${email} at ${name} (${businessId}), in live and test mode, for good? Amounts and totals stay.`;
};

/** `payer erase`. */
export const addPayerCommands = (program: Command, run: Run): void => {
  const sample = `payer erase ${BUSINESS} tunde.bakare@example.com`;
  const samples = [sample, `${sample} --also +2348031234567`];
  const group = program.command('payer').description('erases the personal data of people who pay a business');
  group.addHelpText('after', examples(...samples));
  group
    .command('erase')
    .description(
      'replaces the personal data of a payer wherever it is stored; amounts and totals stay. Reads the whole table',
    )
    .argument('<business>', 'the id of the business')
    .argument('<email>', "the payer's e-mail address; case does not matter")
    .option(
      '--also <texts...>',
      'other texts to erase in metadata, such as a phone number; give them again if you run the command again',
    )
    .addHelpText('after', examples(...samples))
    .action((business: string, email: string, { also = [] }: { also?: string[] }, command: Command) =>
      run(
        command,
        (stage, progress) => erase(stage, business, email, also, progress),
        (stage) => askToErase(stage, business, email),
      ),
    );
};
