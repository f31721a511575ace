import * as z from 'zod/mini';
import { text } from '#shared/platform/kernel/schemas.ts';

/* The shared parts of answers. */

export const instant = text.check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/));
export const amount = z.number().check(z.gte(0));
/** An amount that may be below zero. */
export const difference = z.number();

/** Checks whether a value is a JSON object, not a list or null. */
export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const metadataAnswer = z.nullable(z.custom<Record<string, unknown>>(isPlainObject));

/** Makes the schema of a success: an envelope with `data`. */
export const success = <S extends z.ZodMiniType>(data: S) =>
  z.object({ status: z.literal(true), message: z.optional(text), data });
