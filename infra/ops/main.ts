import { connectStage } from './connect.ts';
import { failureOf } from './failure.ts';
import { operationsProgram } from './program.ts';

/* `npm run --silent ops -- …`: the operations command (api.md section 7). */

// Read here and not from the parsed options: they are not there yet when parsing them fails.
const json = process.argv.includes('--json');

// Whoever reads our output may stop early, as `head` does.
process.stdout.on('error', () => process.exit());

try {
  await operationsProgram({
    connect: connectStage,
    out: (text) => process.stdout.write(text),
    err: (text) => json || process.stderr.write(text),
  }).parseAsync();
} catch (error) {
  const failure = failureOf(error);
  if (failure) {
    const { message, exitCode } = failure;
    process.stderr.write(json ? `${JSON.stringify({ error: message })}\n` : `Error: ${message}\n`);
    process.exitCode = exitCode;
  }
}
