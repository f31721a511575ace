import * as z from 'zod/mini';
import type { Business } from '#shared/businesses/domain/business.ts';
import { instant, success } from '#shared/platform/contract/answer-fields.ts';
import { contract } from '#shared/platform/contract/contract.ts';
import { email } from '#shared/platform/contract/email.ts';
import { nothing, pathId } from '#shared/platform/contract/params.ts';
import { role } from '#shared/platform/kernel/role.ts';
import { text } from '#shared/platform/kernel/schemas.ts';
import { isoMicros } from '#shared/platform/kernel/time.ts';

/* The members of a business may sign in to its dashboard. Only owners change members, and only within ten minutes after they used a passkey. */

const shared = { keys: [], testOnly: false, idempotent: false, query: nothing } as const;
const change = { ...shared, session: 'owner', stepUp: true, isRecorded: true } as const;
const newRole = z.enum(role.options, 'must be viewer, developer or owner.');
const memberId = z.object({ id: pathId });

const membersAnswer = z.object({ members: z.array(z.object({ id: text, email: text, role, added_at: instant })) });
const membersSuccess = { status: 200, body: success(membersAnswer) } as const;

/** Shows the members of a business, in the order in which they were added. */
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
  success: membersSuccess,
  errors: [],
});

/** POST /api/dashboard/v1/members. */
export const inviteMemberContract = contract({
  ...change,
  method: 'POST',
  path: '/api/dashboard/v1/members',
  summary: 'Invite a person, who then signs in with codes that are mailed to the address.',
  params: nothing,
  body: z.object({ email, role: newRole }),
  success: { status: 201, body: success(membersAnswer) },
  errors: ['validation_failed'],
});

/** PATCH /api/dashboard/v1/members/{id}. */
export const changeMemberContract = contract({
  ...change,
  method: 'PATCH',
  path: '/api/dashboard/v1/members/{id}',
  summary: 'Change the role of a member.',
  params: memberId,
  body: z.object({ role: newRole }),
  success: membersSuccess,
  errors: ['validation_failed'],
});

/** DELETE /api/dashboard/v1/members/{id}. */
export const removeMemberContract = contract({
  ...change,
  method: 'DELETE',
  path: '/api/dashboard/v1/members/{id}',
  summary: 'Remove a member, who is refused from the next request on.',
  params: memberId,
  body: null,
  success: membersSuccess,
  errors: [],
});

/** POST /api/dashboard/v1/members/{id}/reset-passkeys. */
export const resetMemberPasskeysContract = contract({
  ...change,
  method: 'POST',
  path: '/api/dashboard/v1/members/{id}/reset-passkeys',
  summary: 'Remove the passkeys of a member who lost them, and end the member’s sessions.',
  params: memberId,
  body: null,
  success: membersSuccess,
  errors: [],
});
