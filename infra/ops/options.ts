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

/** The business that a command is about. */
export const businessOption = (): Option =>
  new Option('--business <id>', 'the business that it belongs to').makeOptionMandatory();

/** A business, to narrow a search. */
export const optionalBusinessOption = (): Option => new Option('--business <id>', 'only of this business');

/** A mode, to narrow a search. */
export const optionalModeOption = (): Option =>
  new Option('--mode <mode>', 'live moves money, test moves none').choices(mode.options);

/** The mode of what a command makes. */
export const modeOption = (): Option => optionalModeOption().makeOptionMandatory();

/** The kind of a key. */
export const kindOption = (): Option =>
  new Option('--kind <kind>', 'a secret key may do everything, a public one only starts checkouts')
    .choices(keyKind.options)
    .makeOptionMandatory();

const readKeyName = (typed: string): string => {
  const name = typed.trim();
  const problem =
    name.length > LONGEST_KEY_NAME ? `must have at most ${LONGEST_KEY_NAME} characters.` : readableTextProblem(name);
  if (problem === undefined) return name;
  throw new OperatorError(`A key's name ${problem}`);
};

/** What a business calls a key. */
export const keyNameOption = (): Option =>
  new Option('--name <name>', 'what people call it, such as "Checkout server"').argParser(readKeyName);

/** How long what was replaced still works. */
export const graceOption = (description: string): Option =>
  new Option('--grace <duration>', description).argParser(readDuration).default(DEFAULT_GRACE, '24h');

/** Where a list begins. */
export const sinceOption = (): Option =>
  new Option('--since <time>', 'only what is newer: 30m, 24h, 7d, or a time such as 2026-11-20T12:00:00Z').argParser(
    checkSince,
  );

/** The next page of a list. */
export const afterOption = (): Option => new Option('--after <cursor>', 'the next page, as the one before names it');

/** A position as an earlier page of the same list has named it, or null for the first page. @throws OperatorError for anything else. */
export const positionIn = (shape: RegExp, after: string | undefined): string | null => {
  if (after === undefined) return null;
  if (shape.test(after)) return after;
  throw new OperatorError('That is no cursor of this list. Leave --after out to begin with the newest.');
};

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const dashed = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The command for the next page of a list, with the same options; none on the last page. */
export const formatNextPage = (list: string, options: object, next: string | null): string[] => {
  if (next === null) return [];
  const entries = Object.entries(options).filter(([name]) => name !== 'after');
  const again = entries.map(([name, value]) => ` --${dashed(name)} ${quoted(String(value))}`).join('');
  return [`Older ones: ${COMMAND} ${list}${again} --after ${quoted(next)}`];
};
