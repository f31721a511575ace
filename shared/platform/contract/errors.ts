import * as z from 'zod/mini';
import type { ApiErrorCode, DashboardErrorCode, PublicErrorCode } from '#shared/platform/kernel/errors.ts';
import { text } from '#shared/platform/kernel/schemas.ts';

/** A row of the table of errors. Cause and cure, which only the guide shows, are in infra/openapi/error-notes.ts. */
interface ErrorRow {
  readonly status: number;
  /** An answer may carry a message of its own instead. */
  readonly message: string;
  /**
   * Whether the answer is stored under an Idempotency-Key. An answer with `Retry-After` is never stored. If the answer is not stored, a
   * repeated request is evaluated again.
   */
  readonly stored?: true;
  /** Whether `Retry-After` may say when a repetition helps. */
  readonly mayWait?: true;
  /** The `WWW-Authenticate` of the answer (RFC 6750 section 3). */
  readonly challenge?: string;
}

/** The message of `unsupported_media_type` for a compressed body, because no function unpacks compressed bodies. */
export const COMPRESSED_BODY_MESSAGE = 'Send the request body without Content-Encoding.';

/** All errors of the API. The answers, the document, the guide and the client read this table. */
export const API_ERRORS: Record<PublicErrorCode, ErrorRow> = {
  invalid_signature: { status: 401, message: 'The signature of the notification is missing or wrong.' },
  missing_api_key: {
    status: 401,
    message: 'Authorization header with a Bearer API key is required.',
    challenge: 'Bearer',
  },
  invalid_api_key: { status: 401, message: 'Invalid API key.', challenge: 'Bearer error="invalid_token"' },
  public_key_not_permitted: {
    status: 403,
    message: 'Public key authentication is only permitted for checkout initialization.',
  },
  business_id_required: { status: 400, message: 'X-Business-ID header is required with a public key.' },
  business_id_mismatch: { status: 403, message: 'X-Business-ID does not match this API key.' },
  ip_not_whitelisted: { status: 403, message: 'Request IP is not whitelisted.' },
  simulation_requires_test_key: {
    status: 403,
    message: 'Simulation is only available with sandbox (test) API keys.',
  },
  malformed_json: { status: 400, message: 'Request body is not a valid JSON object.' },
  unsupported_media_type: { status: 415, message: 'Content-Type must be application/json.' },
  payload_too_large: { status: 413, message: 'Request body exceeds 64 KiB.' },
  validation_failed: { status: 422, message: 'The given data was invalid.' },
  all_providers_failed: {
    status: 422,
    message: 'No virtual account could be created. See errors.',
    stored: true,
    mayWait: true,
  },
  checkout_not_found: { status: 404, message: 'Checkout not found.', stored: true },
  virtual_account_not_found: { status: 404, message: 'Virtual account not found.', stored: true },
  payment_not_found: { status: 404, message: 'Payment not found.', stored: true },
  event_not_found: { status: 404, message: 'Event not found.', stored: true },
  webhook_endpoint_not_found: { status: 404, message: 'Webhook endpoint not found.', stored: true },
  not_found: {
    status: 404,
    message: 'No such endpoint. The paths of the API begin with /api/v1, and /docs describes them.',
  },
  method_not_allowed: { status: 405, message: 'This path does not take this method.' },
  checkout_not_payable: { status: 409, message: 'The state of the checkout does not allow this.', stored: true },
  nothing_to_reverse: { status: 409, message: 'No accepted payment to reverse.', stored: true },
  virtual_account_inactive: { status: 409, message: 'Virtual account is inactive.', stored: true },
  duplicate_merchant_reference: { status: 409, message: 'merchant_reference was used before.' },
  delivery_in_progress: { status: 409, message: 'A delivery of this event is in progress.' },
  endpoint_limit_reached: { status: 409, message: 'A mode can have at most 5 webhook endpoints.', stored: true },
  idempotency_in_progress: {
    status: 409,
    message: 'A request with this Idempotency-Key is still in progress.',
    mayWait: true,
  },
  idempotency_key_reused: { status: 422, message: 'This Idempotency-Key was used with a different request.' },
  rate_limited: { status: 429, message: 'Too many requests.', mayWait: true },
  provider_not_enabled: { status: 422, message: 'This provider is not enabled for live mode here.' },
  no_other_provider: {
    status: 409,
    message: 'No other provider can open an account for this checkout.',
  },
  provider_busy: { status: 503, message: 'The provider takes no more requests right now.', mayWait: true },
  provider_error: { status: 502, message: 'The provider could not complete the request.' },
  service_unavailable: { status: 503, message: 'The service is not ready. Try again in a moment.', mayWait: true },
  internal_error: {
    status: 500,
    message: 'Something went wrong on our side. Quote the request id when you contact us.',
  },
};

const DASHBOARD_ERRORS: Record<DashboardErrorCode, ErrorRow> = {
  sign_in_required: {
    status: 401,
    message: 'Sign in first. A session ends after twelve hours, and after half an hour without use.',
  },
  cross_site_request: { status: 403, message: 'Only the dashboard itself may send this request.' },
  code_expired: { status: 401, message: 'This code no longer works here. Ask for a new one.' },
  wrong_code: { status: 401, message: 'This is not the code that was mailed. Read it again, or ask for a new one.' },
  forbidden_role: { status: 403, message: 'Your role in this business does not allow this.' },
  step_up_required: {
    status: 403,
    message: 'This needs a passkey that was used in the last ten minutes. Use yours, or add one to your account.',
  },
  passkey_too_new: {
    status: 403,
    message:
      'This passkey is new and was added without another passkey. It can change live mode a day later, or when operations confirm it.',
  },
  wrong_passkey: { status: 401, message: 'This passkey does not sign in here. Use another passkey, or a code.' },
  passkey_not_found: { status: 404, message: 'Passkey not found.' },
  session_not_found: { status: 404, message: 'Session not found.' },
  key_not_found: { status: 404, message: 'Key not found.' },
  not_possible: { status: 409, message: 'This is not possible now.' },
  business_suspended: {
    status: 403,
    message: 'This business is suspended. Nothing of it can be changed until it is resumed. Ask support.',
  },
};

const ERRORS: Record<ApiErrorCode, ErrorRow> = { ...API_ERRORS, ...DASHBOARD_ERRORS };

/** Finds the row of an error of the API or the dashboard. */
export const errorAnswer = (code: ApiErrorCode): ErrorRow => ERRORS[code];

/** An error of one field, or of one provider. `code`: the reason of the provider's failure; later versions may add reasons. */
export const errorDetail = z.object({
  field: z.optional(text),
  provider: z.optional(text),
  message: text,
  code: z.optional(text),
  virtual_account_id: z.optional(text),
});

/** The body of every error answer. */
export const errorBody = z.object({
  status: z.literal(false),
  message: text,
  // A new schema object, and not the shared `text`: the API document puts the list of codes in the place of this object
  // (infra/openapi/overrides.ts).
  code: z.string(),
  request_id: text,
  errors: z.optional(z.array(errorDetail)),
  /** Only with `all_providers_failed`: an empty list, so that a client reads the same fields as on success. */
  accounts: z.optional(z.array(z.never())),
});
export type ErrorBody = z.infer<typeof errorBody>;
