import * as z from 'zod/mini';
import type { MailChoice } from '#shared/businesses/domain/member.ts';
import { success } from '#shared/platform/contract/answer-fields.ts';
import { contract } from '#shared/platform/contract/contract.ts';
import { nothing } from '#shared/platform/contract/params.ts';
import { boolean } from '#shared/platform/kernel/schemas.ts';

/* Each owner chooses which mails about a business to get. Security mails cannot be switched off. */

export const mailAnswer = z.object({ daily_summary: boolean, endpoints: boolean });

/** Shows an owner's choice in the fields of the API. */
export const mailView = ({ summary, endpoints }: MailChoice): z.infer<typeof mailAnswer> => ({
  daily_summary: summary,
  endpoints,
});

const toggle = z.optional(z.boolean('must be true or false.'));

/** PATCH /api/dashboard/v1/mail. */
export const chooseMailContract = contract({
  keys: [],
  testOnly: false,
  idempotent: false,
  session: 'owner',
  isRecorded: true,
  method: 'PATCH',
  path: '/api/dashboard/v1/mail',
  summary: 'Choose which mails about the business you get as one of its owners.',
  params: nothing,
  query: nothing,
  body: z.object({ daily_summary: toggle, endpoints: toggle }),
  success: { status: 200, body: success(mailAnswer) },
  errors: ['validation_failed'],
});
