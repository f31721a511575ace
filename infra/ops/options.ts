import { Option } from 'commander';
import { keyKind } from '#shared/domain/kernel/key-kind.ts';
import { mode } from '#shared/domain/kernel/mode.ts';
import { DEFAULT_GRACE } from '#shared/use-cases/businesses/roll-key.ts';
import { readDuration } from './duration.ts';

/* Options that several commands share. */

export const businessOption = (): Option =>
  new Option('--business <id>', 'the business that it belongs to').makeOptionMandatory();

/** The same, to narrow a search. */
export const optionalBusinessOption = (): Option => new Option('--business <id>', 'only of this business');

export const optionalModeOption = (): Option =>
  new Option('--mode <mode>', 'live moves money, test moves none').choices(mode.options);

export const modeOption = (): Option => optionalModeOption().makeOptionMandatory();

export const kindOption = (): Option =>
  new Option('--kind <kind>', 'a secret key may do everything, a public one only starts checkouts')
    .choices(keyKind.options)
    .makeOptionMandatory();

export const graceOption = (): Option =>
  new Option('--grace <duration>', 'how long the old key still works: 0, 90s, 30m, 24h, at most 7d')
    .argParser(readDuration)
    .default(DEFAULT_GRACE, '24h');
