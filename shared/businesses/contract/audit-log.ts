import * as z from 'zod/mini';
import type { AuditEntry } from '#shared/businesses/domain/member-change.ts';
import { instant } from '#shared/platform/contract/answer-fields.ts';
import { contract } from '#shared/platform/contract/contract.ts';
import { email } from '#shared/platform/contract/email.ts';
import { pageQuery, successList } from '#shared/platform/contract/list.ts';
import { nothing } from '#shared/platform/contract/params.ts';
import { text as oneLine } from '#shared/platform/contract/request-fields.ts';
import { since } from '#shared/platform/contract/since.ts';
import { mode } from '#shared/platform/kernel/mode.ts';
import { text, textOrNull } from '#shared/platform/kernel/schemas.ts';
import { isoMicros } from '#shared/platform/kernel/time.ts';

const entryAnswer = z.object({
  id: text,
  at: instant,
  mode,
  /** A member, or a key, which has no e-mail address. */
  actor: z.object({ id: text, email: textOrNull }),
  address: text,
  action: text,
  what: text,
  target: text,
  /** `unknown`: the request failed on our side, and may have taken effect. */
  outcome: z.enum(['done', 'refused', 'unknown']),
  /** The code of the error. */
  error: textOrNull,
});

/** GET /api/dashboard/v1/audit-log. */
export const listAuditLogContract = contract({
  keys: [],
  session: 'developer',
  testOnly: false,
  idempotent: false,
  method: 'GET',
  path: '/api/dashboard/v1/audit-log',
  summary: 'The changes that members and live keys of the business made, in both modes, newest first.',
  params: nothing,
  query: z.extend(pageQuery, {
    actor: z.optional(email),
    action: z.optional(oneLine(100)),
    from: z.optional(since),
  }),
  body: null,
  success: { status: 200, body: successList(entryAnswer) },
  errors: ['validation_failed'],
});

export const auditEntryView = (entry: AuditEntry) => {
  const { id, at, mode: entryMode, address, action, what, target } = entry;
  const actor = 'userId' in entry ? { id: entry.userId, email: entry.email } : { id: entry.keyId, email: null };
  const { outcome = 'done', error = null } = 'userId' in entry ? entry : {};
  return { id, at: isoMicros(at), mode: entryMode, actor, address, action, what, target, outcome, error };
};
