import { Command } from 'commander';
import { addBusinessCommands } from './commands/business.ts';
import { addEndpointCommands } from './commands/endpoint.ts';
import { BUSINESS } from './commands/example-ids.ts';
import { addKeyCommands } from './commands/key.ts';
import { addUnmatchedCommands } from './commands/unmatched.ts';
import { addWhitelistCommands } from './commands/whitelist.ts';
import type { Stage } from './connect.ts';
import { type Answer, COMMAND, examples } from './output.ts';

/** What is asked of the outside: a stage by its name, and where the parts of the output go. */
export interface Surroundings {
  readonly connect: (stage: string) => Stage;
  /** Answers and help that was asked for. */
  readonly out: (text: string) => void;
  /** Help that was not asked for. */
  readonly err: (text: string) => void;
}

/** Does a command's work on the stage that its options name, and prints the answer. */
export type Run = (command: Command, work: (stage: Stage) => Promise<Answer>) => Promise<void>;

const CONVENTIONS = `
Every change is recorded: who made it, when, and what it was.
With --json, an error is {"error": "…"} on standard error. Exit codes: 0 done, 1 refused or failed, 2 wrong usage.`;

const ADDERS = [addBusinessCommands, addKeyCommands, addWhitelistCommands, addEndpointCommands, addUnmatchedCommands];

/** The operations command. Throws CommanderError for wrong usage, instead of printing it and ending the process. */
export const operationsProgram = ({ connect, out, err }: Surroundings): Command => {
  const program = new Command()
    .name(COMMAND)
    .description('Manages businesses, their API keys and webhook endpoints, and money that matches nothing.')
    .option('--stage <stage>', 'where: only the local stack so far', 'local')
    .option('--json', 'print one JSON document on standard output and nothing else')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: out, writeErr: err, outputError: () => {} })
    .exitOverride()
    .addHelpText('after', CONVENTIONS)
    .addHelpText(
      'after',
      examples('business create --name "Ada Stores"', `--json key list --business ${BUSINESS}`, 'whitelist --help'),
    );
  const run: Run = async (command, work) => {
    const { stage, json } = command.optsWithGlobals<{ stage: string; json?: true }>();
    const answer = await work(connect(stage));
    out(`${json ? JSON.stringify(answer.json) : answer.text}\n`);
  };
  for (const add of ADDERS) add(program, run);
  return program;
};
