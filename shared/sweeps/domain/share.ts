import * as z from 'zod/mini';
import { count, ordinal } from '#shared/platform/kernel/schemas.ts';

/** The shards that one run sweeps: part number `part` of `parts`. Several runs begin together, each with another part. */
const share = z.object({ part: count, parts: ordinal });
export type Share = z.infer<typeof share>;

/** A run that sweeps alone. */
export const WHOLE: Share = { part: 0, parts: 1 };

/** Reads the share that a schedule names (infra/constructs/triggers.ts); the whole if it names none. */
export const parseShare = (event: unknown): Share => share.safeParse(event).data ?? WHOLE;

/** Lists the shards of a share. The parts together have all shards. */
export const listShards = ({ part, parts }: Share, shards: number): readonly number[] =>
  Array.from({ length: shards }, (_, shard) => shard).filter((shard) => shard % parts === part);
