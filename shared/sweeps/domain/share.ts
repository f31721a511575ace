import * as z from 'zod/mini';
import { count, ordinal } from '#shared/platform/kernel/schemas.ts';

/** The share of a run in what is due: one of several that begin together, each with shards of its own. */
const share = z.object({ part: count, parts: ordinal });
export type Share = z.infer<typeof share>;

/** A run that sweeps alone. */
export const WHOLE: Share = { part: 0, parts: 1 };

/** The share that a schedule names (infra/constructs/triggers.ts); all that is due where it names none. */
export const parseShare = (event: unknown): Share => share.safeParse(event).data ?? WHOLE;

/** The shards of a share. Those of all parts together are all shards. */
export const listShards = ({ part, parts }: Share, shards: number): readonly number[] =>
  Array.from({ length: shards }, (_, shard) => shard).filter((shard) => shard % parts === part);
