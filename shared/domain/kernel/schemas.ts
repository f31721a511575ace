import * as z from 'zod/mini';

/* What schemas are made of again and again. Each is made once, because a function makes all of its schemas at its cold start. */

export const text = z.string();
export const textOrNull = z.nullable(text);
/** A text that says something. */
export const nonEmptyString = text.check(z.minLength(1));
/** How often something happened, or how much of it there is. */
export const count = z.int().check(z.gte(0));
/** A number that counts from 1, such as a version. */
export const ordinal = z.int().check(z.gte(1));
/** A moment, in milliseconds since the epoch. */
export const millis = z.number();
export const millisOrNull = z.nullable(millis);
export const boolean = z.boolean();
