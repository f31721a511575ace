import * as z from 'zod/mini';
import type { Business } from '#shared/businesses/domain/business.ts';
import { instant, success } from '#shared/platform/contract/answer-fields.ts';
import { contract } from '#shared/platform/contract/contract.ts';
import { email } from '#shared/platform/contract/email.ts';
import { nothing, pathId } from '#shared/platform/contract/params.ts';
import { role } from '#shared/platform/kernel/role.ts';
import { text } from '#shared/platform/kernel/schemas.ts';
import { isoMicros } from '#shared/platform/kernel/time.ts';

/* Who may sign in to the dashboard of a business. Owners change it, with a passkey. */

const shared = { keys: [], testOnly: false, idempotent: false, query: nothing } as const;
const change = { ...shared, session: 'owner', stepUp: true, isRecorded: true } as const;
const wantedRole = z.enum(role.options, 'must be viewer, developer or owner.');
const memberId = z.object({ id: pathId });

const membersAnswer = z.object({ members: z.array(z.object({ id: text, email: text, role, added_at: instant })) });
const answered = { status: 200, body: success(membersAnswer) } as const;

/** The members of a business, in the order in which they were added. */
export const membersView = ({ members }: Pick<Business, 'members'>) => ({
  members: members.map((member) => ({
    id: member.userId,
    email: member.email,
    role: member.role,
    added_at: isoMicros(member.addedAt),
  })),
});

/** GET /api/dashboard/v1/members. */
export const listMembersContract = contract({
  ...shared,
  session: 'viewer',
  method: 'GET',
  path: '/api/dashboard/v1/members',
  summary: 'The members of the business.',
  params: nothing,
  body: null,
  success: answered,
  errors: [],
});

/** POST /api/dashboard/v1/members. */
export const inviteMemberContract = contract({
  ...change,
  method: 'POST',
  path: '/api/dashboard/v1/members',
  summary: 'Let a person sign in, with codes that are mailed to the address.',
  params: nothing,
  body: z.object({ email, role: wantedRole }),
  success: { status: 201, body: success(membersAnswer) },
  errors: ['validation_failed'],
});

/** PATCH /api/dashboard/v1/members/{id}. */
export const changeMemberContract = contract({
  ...change,
  method: 'PATCH',
  path: '/api/dashboard/v1/members/{id}',
  summary: 'Give a member another role.',
  params: memberId,
  body: z.object({ role: wantedRole }),
  success: answered,
  errors: ['validation_failed'],
});

/** DELETE /api/dashboard/v1/members/{id}. */
export const removeMemberContract = contract({
  ...change,
  method: 'DELETE',
  path: '/api/dashboard/v1/members/{id}',
  summary: 'End a membership with the next request.',
  params: memberId,
  body: null,
  success: answered,
  errors: [],
});

/** POST /api/dashboard/v1/members/{id}/reset-passkeys. */
export const resetMemberPasskeysContract = contract({
  ...change,
  method: 'POST',
  path: '/api/dashboard/v1/members/{id}/reset-passkeys',
  summary: 'Remove the passkeys of a member who lost them, and end the sessions.',
  params: memberId,
  body: null,
  success: answered,
  errors: [],
});
