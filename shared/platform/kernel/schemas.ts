import * as z from 'zod/mini';

/* The shared parts of schemas. Each is made once, because a function makes all of its schemas at its cold start. */

export const text = z.string();
export const textOrNull = z.nullable(text);
/** A text that is not empty. */
export const nonEmptyString = text.check(z.minLength(1));
/** A whole number from 0. */
export const count = z.int().check(z.gte(0));
/** A whole number from 1, such as a version. */
export const ordinal = z.int().check(z.gte(1));
/** A moment, in milliseconds since the epoch. */
export const millis = z.number();
export const millisOrNull = z.nullable(millis);
export const boolean = z.boolean();
