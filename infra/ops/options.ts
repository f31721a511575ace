import { Option } from 'commander';
import { OperatorError } from '#infra/ops/operator-error.ts';
import { LONGEST_KEY_NAME } from '#shared/businesses/domain/api-key.ts';
import { DEFAULT_GRACE } from '#shared/platform/kernel/grace.ts';
import { keyKind } from '#shared/platform/kernel/key-kind.ts';
import { mode } from '#shared/platform/kernel/mode.ts';
import { readableTextProblem } from '#shared/platform/kernel/readable-text.ts';
import { checkSince, readDuration } from './duration.ts';
import { COMMAND } from './output.ts';

/* Options that several commands share. */

/** The required business of a command. */
export const businessOption = (): Option =>
  new Option('--business <id>', 'the id of the business').makeOptionMandatory();

/** The optional business of a search. */
export const optionalBusinessOption = (): Option => new Option('--business <id>', 'only in this business');

/** The optional mode of a search. */
export const optionalModeOption = (): Option =>
  new Option('--mode <mode>', 'live moves real money, test does not').choices(mode.options);

/** The required mode of a command. */
export const modeOption = (): Option => optionalModeOption().makeOptionMandatory();

/** The required kind of a new key. */
export const kindOption = (): Option =>
  new Option('--kind <kind>', 'a secret key may do everything, a public key may only start checkouts')
    .choices(keyKind.options)
    .makeOptionMandatory();

const readKeyName = (typed: string): string => {
  const name = typed.trim();
  const problem =
    name.length > LONGEST_KEY_NAME ? `must have at most ${LONGEST_KEY_NAME} characters.` : readableTextProblem(name);
  if (problem === undefined) return name;
  throw new OperatorError(`A key's name ${problem}`);
};

/** The optional name of a key. */
export const keyNameOption = (): Option =>
  new Option('--name <name>', 'a name for people to read, such as "Checkout server"').argParser(readKeyName);

/** The time in which a replaced key or secret still works. */
export const graceOption = (description: string): Option =>
  new Option('--grace <duration>', description).argParser(readDuration).default(DEFAULT_GRACE, '24h');

/** The start of the period of a list. */
export const sinceOption = (): Option =>
  new Option('--since <time>', 'only newer items: 30m, 24h, 7d, or a time such as 2026-11-20T12:00:00Z').argParser(
    checkSince,
  );

/** The cursor of a list's next page. */
export const afterOption = (): Option =>
  new Option('--after <cursor>', 'continues a list: the cursor that the page before shows');

/** Checks the cursor of a list page; null for the first page. @throws OperatorError for a cursor that this list does not use. */
export const parsePosition = (shape: RegExp, after: string | undefined): string | null => {
  if (after === undefined) return null;
  if (shape.test(after)) return after;
  throw new OperatorError('That is not a cursor of this list. Leave out --after to begin with the newest.');
};

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const toDashes = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Formats the command for a list's next page, with the same options; nothing on the last page. */
export const formatNextPage = (list: string, options: object, next: string | null): string[] => {
  if (next === null) return [];
  const entries = Object.entries(options).filter(([name]) => name !== 'after');
  const again = entries.map(([name, value]) => ` --${toDashes(name)} ${quote(String(value))}`).join('');
  return [`See older ones with: ${COMMAND} ${list}${again} --after ${quote(next)}`];
};
