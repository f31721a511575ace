import { Command, Option } from 'commander';
import { STAGE_NAMES } from '#infra/config.ts';
import { addAuditCommands } from './commands/audit.ts';
import { addBusinessCommands } from './commands/business.ts';
import { addCheckoutCommands } from './commands/checkout.ts';
import { addEndpointCommands } from './commands/endpoint.ts';
import { addEventCommands } from './commands/event.ts';
import { BUSINESS } from './commands/example-ids.ts';
import { addHealthCommand } from './commands/health.ts';
import { addKeyCommands } from './commands/key.ts';
import { addMemberCommands } from './commands/member.ts';
import { addNotificationCommands } from './commands/notification.ts';
import { addPayerCommands } from './commands/payer.ts';
import { addProviderCommands } from './commands/provider.ts';
import { addQueueCommands } from './commands/queue.ts';
import { addSimulateCommand } from './commands/simulate.ts';
import { addTableCommands } from './commands/table.ts';
import { addUnmatchedCommands } from './commands/unmatched.ts';
import { addWhitelistCommands } from './commands/whitelist.ts';
import { LOCAL } from './connect.ts';
import { COMMAND, examples } from './output.ts';
import { type CommandContext, runWith, runWithoutStageWith } from './run.ts';

const CONVENTIONS = `
The command connects to a stage with your own AWS credentials and region: set AWS_PROFILE and AWS_REGION.
Commands that delete or move something ask first. Give --yes to answer in advance. With --json or without a terminal,
--yes is required. On the local stack they never ask.
Every change is recorded with its time and your AWS identity. The command "audit list" shows the changes.
With --json, an error is printed as {"error": "…"} on standard error. Exit codes: 0 done, 1 refused or failed, 2 wrong usage.`;

const ADDERS = [
  addBusinessCommands,
  addKeyCommands,
  addWhitelistCommands,
  addMemberCommands,
  addEndpointCommands,
  addCheckoutCommands,
  addEventCommands,
  addPayerCommands,
  addSimulateCommand,
  addUnmatchedCommands,
  addNotificationCommands,
  addProviderCommands,
  addQueueCommands,
  addTableCommands,
  addAuditCommands,
  addHealthCommand,
];

/** Builds the operations command. It throws CommanderError for wrong usage, instead of ending the process. */
export const operationsProgram = (context: CommandContext): Command => {
  const { out, err } = context;
  const program = new Command()
    .name(COMMAND)
    .description('Manages businesses, their API keys and webhooks, and finds payments.')
    .addOption(
      new Option('--stage <stage>', '"local" for the running local stack, or a stage on AWS')
        .choices([LOCAL, ...STAGE_NAMES])
        .default(LOCAL),
    )
    .option('--json', 'print only one JSON document on standard output')
    .option('--yes', 'do it without asking first')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: out, writeErr: err, outputError: () => {} })
    .exitOverride()
    .addHelpText('after', CONVENTIONS)
    .addHelpText(
      'after',
      examples(
        'business create --name "Ada Stores"',
        `--json key list --business ${BUSINESS}`,
        '--stage prod checkout find 7712345678',
        'whitelist --help',
      ),
    );
  for (const add of ADDERS) add(program, runWith(context), runWithoutStageWith(context));
  return program;
};
