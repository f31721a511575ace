import { logTo } from '#shared/platform/observability/log.ts';
import { hasColours, red, visible } from './colours.ts';
import { askOn } from './confirm.ts';
import { connectStage } from './connect.ts';
import { toFailure } from './failure.ts';
import { operationsProgram } from './program.ts';

/* `npm run --silent ops -- …`: the operations command (api-decisions.md section 7). */

// Not from the parsed options: they do not exist when parsing fails.
const json = process.argv.includes('--json');

const { stdin, stdout, stderr } = process;
const err = (text: string) => json || stderr.write(text);

// The reader of our output may stop early, as `head` does.
stdout.on('error', () => process.exit());
// Use cases log as they do in Lambda; standard output is the answer's alone.
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
    stderr.write(json ? `${JSON.stringify({ error: message })}\n` : `${prefix} ${visible(message)}\n`);
    process.exitCode = exitCode;
  }
}
