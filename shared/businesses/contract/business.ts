import * as z from 'zod/mini';
import type { Business } from '#shared/businesses/domain/business.ts';
import { logoPath } from '#shared/businesses/domain/logo-path.ts';
import { MAX_WEBSITES, supportText } from '#shared/businesses/domain/profile.ts';
import { success } from '#shared/platform/contract/answer-fields.ts';
import { contract } from '#shared/platform/contract/contract.ts';
import { nothing } from '#shared/platform/contract/params.ts';
import { ordinal, text } from '#shared/platform/kernel/schemas.ts';

/* A business and its profile, the same in both modes. */

const shared = { keys: [], testOnly: false, idempotent: false, params: nothing, query: nothing } as const;
const LONGEST = 1_000;
const inputText = z.string('must be a text.').check(z.maxLength(LONGEST, `must have at most ${LONGEST} characters.`));

const businessAnswer = z.object({
  id: text,
  name: text,
  display_name: text,
  support: z.nullable(text),
  websites: z.array(text),
  brand_color: z.nullable(text),
  routing: z.boolean(),
  logo: z.nullable(z.object({ url: text, width: ordinal, height: ordinal })),
});

/** Shows a business with its profile. The fields have the form in which people enter them. */
export const businessView = ({ id, name, profile }: Business): z.infer<typeof businessAnswer> => ({
  id,
  name,
  display_name: profile.displayName,
  support: profile.support && supportText(profile.support),
  websites: profile.websites,
  brand_color: profile.brandColor,
  routing: profile.isRouted,
  logo: profile.logo && {
    url: logoPath(profile.logo),
    width: profile.logo.width,
    height: profile.logo.height,
  },
});

/** GET /api/dashboard/v1/business. */
export const getBusinessContract = contract({
  ...shared,
  session: 'viewer',
  method: 'GET',
  path: '/api/dashboard/v1/business',
  summary: 'The business, and the profile that payers see.',
  body: null,
  success: { status: 200, body: success(businessAnswer) },
  errors: [],
});

/** PATCH /api/dashboard/v1/business. */
export const updateBusinessContract = contract({
  ...shared,
  session: 'developer',
  stepUp: true,
  isRecorded: true,
  method: 'PATCH',
  path: '/api/dashboard/v1/business',
  summary: 'Change the profile that payers see, and the websites of the business.',
  body: z.object({
    display_name: z.optional(inputText),
    support: z.optional(z.nullable(inputText)),
    websites: z.optional(
      z
        .array(inputText, 'must be a list of websites.')
        .check(z.maxLength(MAX_WEBSITES, `must have at most ${MAX_WEBSITES} websites.`)),
    ),
    brand_color: z.optional(z.nullable(inputText)),
    routing: z.optional(z.boolean('must be true or false.')),
    logo: z.optional(z.nullable(z.base64('must be a file in base64.'))),
  }),
  // Base64 makes a logo of 64 KiB a third larger.
  maxBodyKib: 128,
  success: { status: 200, body: success(businessAnswer) },
  errors: ['validation_failed'],
});
