import { Option } from 'commander';
import { keyKind } from '#shared/domain/kernel/key-kind.ts';
import { mode } from '#shared/domain/kernel/mode.ts';
import { DEFAULT_GRACE } from '#shared/use-cases/businesses/roll-key.ts';
import { readDuration } from './duration.ts';

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

/** How long what was replaced still works. */
export const graceOption = (description: string): Option =>
  new Option('--grace <duration>', description).argParser(readDuration).default(DEFAULT_GRACE, '24h');
