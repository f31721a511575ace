import * as z from 'zod/mini';
import { pathId } from '#shared/platform/contract/params.ts';
import { eventType } from '#shared/webhooks/domain/event.ts';
import { targetFormProblem } from '#shared/webhooks/domain/target.ts';

/** The id of an endpoint in a body. As in a path, a malformed id means "not found", not "invalid". */
export const namedEndpoint = z.pipe(z.string('must be the id of a webhook endpoint.'), pathId);

/** Rejects URLs that no stage accepts. The use case checks the rest, which depends on the stage and on name servers (domain/target.ts). */
export const targetUrl = z.string('must be a string.').check((payload) => {
  const problem = targetFormProblem(payload.value);
  if (problem) payload.issues.push({ code: 'custom', input: payload.value, message: problem });
});

const knownTypes = eventType.options.join(', ');
export const namedEventType = z.enum(eventType.options, `must be one of ${knownTypes}.`);
const subscriptionRule = `must be ["*"] or a list of event types: ${knownTypes}.`;
/** Event types, or `["*"]` for all of them. Every fault has the same message, so that no request causes a long answer. */
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
