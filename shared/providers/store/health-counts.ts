import { HOUR, type Millis, unixSeconds } from '#shared/platform/kernel/time.ts';
import type { Key } from '#shared/platform/table/keys.ts';
import type { Item } from '#shared/platform/table/table.ts';
import { beginMinute, LANDING_CLASSES, type MinuteCounts } from '#shared/providers/domain/health/counts.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { healthMinuteKey } from './keys.ts';

/** Milliseconds after which the counts of a minute are deleted. Judging reads the last hour. */
const LIFETIME = 2 * HOUR;

/** The increments of a minute's counts. */
export interface CountIncrements {
  readonly landings?: readonly number[];
  readonly landedFor?: readonly number[];
  readonly opened?: number;
  readonly failed?: number;
  readonly failedFor?: number;
  readonly sentLanded?: number;
  readonly sentLost?: number;
}

const MARK_SETS = ['landedFor', 'failedFor', 'sentLanded', 'sentLost'] as const;

/** Lists the attributes to add, without zero increments. A mark that is already in a set changes nothing. */
const listAttributes = ({
  landings = [],
  opened,
  failed,
  ...marks
}: CountIncrements): readonly (readonly [string, unknown])[] => [
  ...landings.flatMap((landed, place) => (landed > 0 ? [[`landed${place}`, landed] as const] : [])),
  ...Object.entries({ opened, failed }).filter(([, increment]) => increment !== undefined && increment > 0),
  ...MARK_SETS.flatMap((name) => {
    const added = [marks[name] ?? []].flat();
    return added.length > 0 ? [[name, new Set(added)] as const] : [];
  }),
];

/** Builds the update that adds increments to a provider's counts of the minute of `at`. */
export const addCounts = (
  provider: ProviderName,
  at: Millis,
  added: CountIncrements,
): { key: Key; update: CountUpdate } => {
  const attributes = listAttributes(added);
  return {
    key: healthMinuteKey(provider, beginMinute(at)),
    update: {
      UpdateExpression: `ADD ${attributes.map(([name], i) => `${name} :v${i}`).join(', ')} SET #ttl = :ttl`,
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: {
        ...Object.fromEntries(attributes.map(([, value], i) => [`:v${i}`, value])),
        ':ttl': unixSeconds(beginMinute(at) + LIFETIME),
      },
    },
  };
};

interface CountUpdate {
  readonly UpdateExpression: string;
  readonly ExpressionAttributeNames: Record<string, string>;
  readonly ExpressionAttributeValues: Record<string, unknown>;
}

const readNumber = (value: unknown): number => (typeof value === 'number' ? value : 0);
const readMarks = (value: unknown): number[] => (value instanceof Set ? [...value].map(Number) : []);

/** Reads the counts of a minute's item. A missing attribute is zero. */
export const readCounts = (item: Item): MinuteCounts => ({
  minute: Number(String(item.sk).slice('MINUTE#'.length)),
  landings: LANDING_CLASSES.map((_, place) => readNumber(item[`landed${place}`])),
  landedFor: readMarks(item.landedFor),
  opened: readNumber(item.opened),
  failed: readNumber(item.failed),
  failedFor: readMarks(item.failedFor),
  sentLanded: readMarks(item.sentLanded),
  sentLost: readMarks(item.sentLost),
});
