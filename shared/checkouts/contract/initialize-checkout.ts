import * as z from 'zod/mini';
import { returnUrlProblem } from '#shared/checkouts/domain/return-url.ts';
import { success } from '#shared/platform/contract/answer-fields.ts';
import { contract } from '#shared/platform/contract/contract.ts';
import { email } from '#shared/platform/contract/email.ts';
import { metadata } from '#shared/platform/contract/metadata.ts';
import { nothing } from '#shared/platform/contract/params.ts';
import { MAX_NAIRA, naira, optional, readableText } from '#shared/platform/contract/request-fields.ts';
import { requestedProvider } from '#shared/providers/contract/requested-provider.ts';
import { checkoutAnswer } from './checkout-answer.ts';
import { merchantReference } from './merchant-reference.ts';

const LONGEST_URL = 500;
/** A return URL of the payment page. The use case checks which mode and key may send it. */
const returnUrl = z.string('must be a string.').check(
  z.maxLength(LONGEST_URL, { error: 'must be at most 500 characters.', abort: true }),
  z.check<string>((payload) => {
    const problem = returnUrlProblem(payload.value);
    if (problem) payload.issues.push({ code: 'custom', input: payload.value, message: problem });
  }),
);

const LONGEST_EXPIRY = 86_400;
const DEFAULT_EXPIRY = 1_800;

/** POST /checkout/initialize (service-description.md section 4.4). The only endpoint that accepts a public key. */
export const initializeCheckoutContract = contract({
  method: 'POST',
  path: '/api/v1/checkout/initialize',
  summary: 'Start a checkout: an account number that collects one payment.',
  keys: ['secret', 'public'],
  session: 'developer',
  recordedFields: ['amount', 'merchant_reference'],
  testOnly: false,
  idempotent: true,
  params: nothing,
  query: nothing,
  body: z.object({
    amount: naira(1, MAX_NAIRA),
    payer_email: email,
    payer_name: optional(readableText(100)),
    currency: z.nullish(z.literal('NGN', 'must be NGN.')),
    provider: optional(requestedProvider),
    /** Seconds. Live mode requires at least 300, which the use case checks. */
    expires_in: z.pipe(
      z.nullish(
        z
          .int('must be a whole number of seconds.')
          .check(
            z.gte(1, 'must be at least 1 second, and 300 in live mode.'),
            z.lte(LONGEST_EXPIRY, 'must be at most 86400 seconds.'),
          ),
      ),
      z.transform((seconds) => seconds ?? DEFAULT_EXPIRY),
    ),
    merchant_reference: optional(merchantReference),
    metadata: optional(metadata),
    description: optional(readableText(120)),
    callback_url: optional(returnUrl),
    cancel_url: optional(returnUrl),
  }),
  success: { status: 201, body: success(checkoutAnswer) },
  errors: ['duplicate_merchant_reference', 'provider_not_enabled', 'provider_busy', 'provider_error'],
});
