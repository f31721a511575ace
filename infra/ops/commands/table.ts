import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from 'commander';
import { readStageSettings } from '#infra/config.ts';
import { LOCAL } from '#infra/ops/connect.ts';
import { OperatorError } from '#infra/ops/operator-error.ts';
import { type Answer, examples, listing, paragraphs } from '#infra/ops/output.ts';
import type { Run, RunWithoutStage, WorkWithoutStage } from '#infra/ops/run.ts';
import { ATTEMPTS, type Attempt, type Outcome } from '#infra/ops/table-try/attempts.ts';

type Outcomes = Readonly<Record<Attempt, Outcome>>;

const GREEN =
  'Green. AWS applies the key conditions of roles within transactions too. The roles of the functions work.';

/** Meanings of unexpected outcomes, and what to do next. Only the first that is found is shown. */
const FINDINGS: readonly { readonly isFound: (outcomes: Outcomes) => boolean; readonly sentence: string }[] = [
  {
    isFound: ({ alone }) => alone === 'refused',
    sentence:
      'The role may not even write outside a transaction, so this try says nothing about transactions. Look for another rule that denies the write, such as a service control policy of the organization or a permissions boundary, and try again.',
  },
  {
    isFound: ({ together }) => together === 'refused',
    sentence:
      'AWS does not set dynamodb:LeadingKeys within transactions, so with the present roles no payment could land. Deploy no stage that takes money. Remove the line "Null" from familyCondition in infra/role-conditions.ts, which denies a request without keys, and try again. If the transaction is allowed then, deploy that change.',
  },
  {
    isFound: ({ foreignAlone, foreignTogether }) => foreignAlone === 'allowed' && foreignTogether === 'allowed',
    sentence:
      'AWS does not apply the conditions on keys: each function could read and write the items of the others. Deploy no stage that takes money. Send the statements of infra/role-conditions.ts to AWS’s support.',
  },
  {
    isFound: ({ foreignTogether }) => foreignTogether === 'allowed',
    sentence:
      'AWS allows every key family within a transaction. Money lands, but within a transaction a function could write items of the others. Decide whether to take money with this risk (docs/internals/decisions/0021-roles-by-key-family.md), and ask AWS’s support.',
  },
  {
    isFound: ({ foreignAlone }) => foreignAlone === 'allowed',
    sentence:
      'AWS applies the conditions on keys only within transactions. Deploy no stage that takes money. Send the statements of infra/role-conditions.ts to AWS’s support.',
  },
];

/** Makes the answer: the outcomes, and if an outcome is unexpected, its meaning and what to do. */
export const toAnswer = (outcomes: Outcomes): Answer => {
  const names = Object.keys(ATTEMPTS) as Attempt[];
  const rows = names.map((name) => [ATTEMPTS[name].does, ATTEMPTS[name].expected, outcomes[name]]);
  const table = listing(['A ROLE FOR ONE KEY FAMILY', 'SHOULD BE', 'IS'], rows, '');
  const finding = FINDINGS.find(({ isFound }) => isFound(outcomes))?.sentence;
  return {
    json: { green: finding === undefined, outcomes },
    text: finding === undefined ? paragraphs(table, GREEN) : table,
    ...(finding !== undefined && { failure: finding }),
  };
};

const tryAt: WorkWithoutStage = async ({ stage }, say) => {
  if (stage === LOCAL) {
    throw new OperatorError('The local stack checks no permissions. Give a stage on AWS, such as --stage dev');
  }
  const { region } = readStageSettings(stage);
  if (region !== undefined) process.env.AWS_REGION = region;
  // Imported only here, because other commands start faster without its clients.
  const { tryTable } = await import('#infra/ops/table-try/try-table.ts');
  return toAnswer(await tryTable(stage, { say, wait: (milliseconds) => wait(milliseconds) }));
};

/** `table try`. */
export const addTableCommands = (program: Command, _run: Run, runWithoutStage: RunWithoutStage): void => {
  const group = program
    .command('table')
    .description('checks that AWS applies the conditions in the roles of the functions');
  group.addHelpText('after', examples('--stage dev table try'));
  group
    .command('try')
    .description(
      'tries writes and a transaction with a role like those of the functions; the stage need not be deployed',
    )
    .addHelpText(
      'after',
      `
Creates a table and a role in the CloudFormation stack payments-<stage>-try, and deletes the stack at the end. Your AWS credentials
must allow that, and must allow you to assume the role. It takes two minutes and costs nothing. Exit code 1: not green.`,
    )
    .addHelpText('after', examples('--stage dev table try'))
    .action((_options: unknown, command: Command) => runWithoutStage(command, tryAt));
};
