import * as z from 'zod/mini';
import { pathId } from '#shared/platform/contract/params.ts';
import { eventType } from '#shared/webhooks/domain/event.ts';
import { targetFormProblem } from '#shared/webhooks/domain/target.ts';

/** An endpoint named in a body. As in a path, an id in another form is not found rather than invalid. */
export const namedEndpoint = z.pipe(z.string('must be the id of a webhook endpoint.'), pathId);

/** What no stage accepts. The rest depends on the stage, and on name servers: the use case checks that (shared/webhooks/domain/target.ts). */
export const targetUrl = z.string('must be a string.').check((payload) => {
  const problem = targetFormProblem(payload.value);
  if (problem) payload.issues.push({ code: 'custom', input: payload.value, message: problem });
});

const knownTypes = eventType.options.join(', ');
export const namedEventType = z.enum(eventType.options, `must be one of ${knownTypes}.`);
const subscriptionRule = `must be ["*"] or a list of event types: ${knownTypes}.`;
/** Event types, or `["*"]` for all of them. One message for any fault, so that no request causes a long answer. */
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
