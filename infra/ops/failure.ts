import { CommanderError } from 'commander';
import { OperatorError } from '#infra/ops/operator-error.ts';

/** The message of a failed command, and its exit code. */
export interface Failure {
  readonly message: string;
  readonly exitCode: number;
}

const REFUSED_OR_FAILED = 1;
const WRONG_USAGE = 2;

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
    return error.exitCode === 0 ? undefined : { message: explainUsage(error), exitCode: WRONG_USAGE };
  }
  if (error instanceof OperatorError) return { message: error.message, exitCode: REFUSED_OR_FAILED };
  const cause = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { message: toSentence(`The command failed unexpectedly. ${cause}`), exitCode: REFUSED_OR_FAILED };
};
