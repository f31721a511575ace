import { logTo } from '#shared/platform/observability/log.ts';
import { escapeHidden, hasColours, red } from './colours.ts';
import { askOn } from './confirm.ts';
import { connectStage } from './connect.ts';
import { toFailure } from './failure.ts';
import { operationsProgram } from './program.ts';

/* The operations command: `npm run --silent ops -- …` */

// Read here, because there are no parsed options if parsing fails.
const isJson = process.argv.includes('--json');

const { stdin, stdout, stderr } = process;
const err = (text: string) => isJson || stderr.write(text);

// A program that reads our output, such as `head`, may stop early.
stdout.on('error', () => process.exit());
// Log lines of use cases go to standard error: standard output has only the answer.
logTo((line) => err(`${line}\n`));

try {
  await operationsProgram({
    connect: connectStage,
    ask: stdin.isTTY && stderr.isTTY ? askOn(stdin, stderr) : undefined,
    colours: hasColours(stdout, process.env),
    out: (text) => stdout.write(text),
    err,
  }).parseAsync();
} catch (error) {
  const failure = toFailure(error);
  if (failure) {
    const { message, exitCode } = failure;
    const prefix = hasColours(stderr, process.env) ? red('Error:') : 'Error:';
    stderr.write(isJson ? `${JSON.stringify({ error: message })}\n` : `${prefix} ${escapeHidden(message)}\n`);
    process.exitCode = exitCode;
  }
}
