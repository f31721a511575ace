import { CommanderError } from 'commander';
import { OperatorError } from '#infra/ops/operator-error.ts';

/** What a failed command prints, and its exit code. */
export interface Failure {
  readonly message: string;
  readonly exitCode: number;
}

const REFUSED = 1;
const WRONG_USAGE = 2;

const sentence = (text: string): string => {
  const line = text.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ');
  return `${line.charAt(0).toUpperCase()}${line.slice(1)}${/[.)?]$/.test(line) ? '' : '.'}`;
};

const usage = ({ code, message }: CommanderError): string =>
  code === 'commander.help'
    ? 'Name the command to run. Add --help to see them all.'
    : `${sentence(message)} Add --help to see how it is used.`;

/** One line and an exit code for any thrown error; undefined when nothing failed, as after `--help`. */
export const toFailure = (error: unknown): Failure | undefined => {
  if (error instanceof CommanderError) {
    return error.exitCode === 0 ? undefined : { message: usage(error), exitCode: WRONG_USAGE };
  }
  if (error instanceof OperatorError) return { message: error.message, exitCode: REFUSED };
  const cause = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { message: sentence(`The command failed unexpectedly. ${cause}`), exitCode: REFUSED };
};
