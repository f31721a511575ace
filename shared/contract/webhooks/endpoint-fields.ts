import * as z from 'zod/mini';
import { pathId } from '#shared/contract/kernel/params.ts';
import { eventType } from '#shared/domain/webhooks/event.ts';

/** An endpoint named in a body: like one in a path, one that cannot be ours is not found rather than invalid. */
export const namedEndpoint = z.pipe(z.string('must be the id of a webhook endpoint.'), pathId);

/** What kind of URL a stage accepts is judged where the stage's setting is known. */
export const targetUrl = z.string('must be a string.');

const knownTypes = eventType.options.join(', ');
export const namedEventType = z.enum(eventType.options, `must be one of ${knownTypes}.`);
const subscriptionRule = `must be ["*"] or a list of event types: ${knownTypes}.`;
/** Event types, or `["*"]` for all of them. One sentence whatever is wrong, so that no request makes a long refusal. */
export const subscription = z.pipe(
  z.union(
    [
      z.tuple([z.literal('*')]),
      z
        .array(eventType)
        .check(z.minLength(1, subscriptionRule), z.maxLength(eventType.options.length, subscriptionRule)),
    ],
    subscriptionRule,
  ),
  z.transform((types) => [...new Set(types)]),
);
