import { CommanderError } from 'commander';
import { OperatorError } from '#infra/ops/operator-error.ts';

/** The message of a failed command, and its exit code. */
export interface Failure {
  readonly message: string;
  readonly exitCode: number;
}

const EXIT_CODE_FAILED = 1;
const EXIT_CODE_USAGE = 2;

const toSentence = (text: string): string => {
  const line = text.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ');
  return `${line.charAt(0).toUpperCase()}${line.slice(1)}${/[.)?]$/.test(line) ? '' : '.'}`;
};

const explainUsage = ({ code, message }: CommanderError): string =>
  code === 'commander.help'
    ? 'Give the command to run. Add --help to see all commands.'
    : `${toSentence(message)} Add --help to see how to use the command.`;

/** Turns any thrown error into one line and an exit code; undefined if nothing failed, as after `--help`. */
export const toFailure = (error: unknown): Failure | undefined => {
  if (error instanceof CommanderError) {
    return error.exitCode === 0 ? undefined : { message: explainUsage(error), exitCode: EXIT_CODE_USAGE };
  }
  if (error instanceof OperatorError) return { message: error.message, exitCode: EXIT_CODE_FAILED };
  const cause = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { message: toSentence(`The command failed unexpectedly. ${cause}`), exitCode: EXIT_CODE_FAILED };
};
