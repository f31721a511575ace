import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from 'commander';
import { readStageSettings } from '#infra/config.ts';
import { LOCAL } from '#infra/ops/connect.ts';
import { OperatorError } from '#infra/ops/operator-error.ts';
import { type Answer, examples, listing, paragraphs } from '#infra/ops/output.ts';
import type { Run, RunApart, WorkApart } from '#infra/ops/run.ts';
import { ATTEMPTS, type Attempt, type Outcome } from '#infra/ops/table-try/attempts.ts';

type Outcomes = Readonly<Record<Attempt, Outcome>>;

const GREEN =
  'Green. AWS names the keys of each member of a transaction to its conditions: the roles of the functions work, and hold.';

/** What an unexpected outcome means, the worst first, and what to do next. */
const FINDINGS: readonly { readonly isFound: (outcomes: Outcomes) => boolean; readonly sentence: string }[] = [
  {
    isFound: ({ alone }) => alone === 'refused',
    sentence:
      'The role may not even write alone, so this says nothing of transactions. Look for what else refuses it, such as a service control policy of the organization or a permissions boundary, and try again.',
  },
  {
    isFound: ({ together }) => together === 'refused',
    sentence:
      'AWS leaves dynamodb:LeadingKeys out within transactions: with the roles as they are every landing would be refused. Deploy no stage that takes money. Take the line "Null" out of onFamilies in infra/role-conditions.ts, which refuses a request without keys, and try again: once the transaction is allowed, deploy that.',
  },
  {
    isFound: ({ foreignAlone, foreignTogether }) => foreignAlone === 'allowed' && foreignTogether === 'allowed',
    sentence:
      'AWS holds no condition on keys: each function could read and write what is another one’s. Deploy no stage that takes money, and ask AWS’s support with the statements of infra/role-conditions.ts.',
  },
  {
    isFound: ({ foreignTogether }) => foreignTogether === 'allowed',
    sentence:
      'Within a transaction AWS allows every family of keys. Money lands, but a function could write in a transaction what is another one’s: decide whether to take money so (decisions/0021-roles-by-key-family.md), and ask AWS’s support.',
  },
  {
    isFound: ({ foreignAlone }) => foreignAlone === 'allowed',
    sentence:
      'AWS holds the condition on keys within transactions alone. Deploy no stage that takes money, and ask AWS’s support with the statements of infra/role-conditions.ts.',
  },
];

/** What a try shows, and where an outcome is unexpected what it means and what to do. */
export const toAnswer = (outcomes: Outcomes): Answer => {
  const names = Object.keys(ATTEMPTS) as Attempt[];
  const rows = names.map((name) => [ATTEMPTS[name].does, ATTEMPTS[name].expected, outcomes[name]]);
  const table = listing(['A ROLE OF ONE FAMILY', 'SHOULD BE', 'IS'], rows, '');
  const finding = FINDINGS.find(({ isFound }) => isFound(outcomes))?.sentence;
  return {
    json: { green: finding === undefined, outcomes },
    text: finding === undefined ? paragraphs(table, GREEN) : table,
    ...(finding !== undefined && { failure: finding }),
  };
};

const tryAt: WorkApart = async ({ stage }, say) => {
  if (stage === LOCAL) {
    throw new OperatorError('The local stack checks no permissions. Name a stage in AWS: --stage dev');
  }
  const { region } = readStageSettings(stage);
  if (region !== undefined) process.env.AWS_REGION = region;
  // Imported only here: other commands start faster without its clients.
  const { tryTable } = await import('#infra/ops/table-try/try-table.ts');
  return toAnswer(await tryTable(stage, { say, wait: (milliseconds) => wait(milliseconds) }));
};

/** `table try`. */
export const addTableCommands = (program: Command, _run: Run, runApart: RunApart): void => {
  const group = program.command('table').description('whether AWS holds what the roles of the functions say');
  group.addHelpText('after', examples('--stage dev table try'));
  group
    .command('try')
    .description('tries a transaction with a role like those of the functions; the stage need not be deployed')
    .addHelpText(
      'after',
      `
Makes a table and a role of its own in the stack payments-<stage>-try, which it deletes again, and needs the right to make both and
to take the role over. It takes two minutes and costs nothing. Exit code 1: not green, with what to do.`,
    )
    .addHelpText('after', examples('--stage dev table try'))
    .action((_options: unknown, command: Command) => runApart(command, tryAt));
};
