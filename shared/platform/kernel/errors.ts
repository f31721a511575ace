/** The code of an API error. `shared/platform/contract/errors.ts` has the status and message of each. */
export type ApiErrorCode = PublicErrorCode | DashboardErrorCode;

/** The codes that only the dashboard's requests get. */
export type DashboardErrorCode =
  | 'sign_in_required'
  | 'cross_site_request'
  | 'code_expired'
  | 'wrong_code'
  | 'forbidden_role'
  | 'step_up_required'
  | 'passkey_too_new'
  | 'wrong_passkey'
  | 'passkey_not_found'
  | 'session_not_found'
  | 'business_suspended'
  | 'key_not_found'
  | 'not_possible';

/** The codes that the API document lists. */
export type PublicErrorCode =
  | 'invalid_signature'
  | 'missing_api_key'
  | 'invalid_api_key'
  | 'public_key_not_permitted'
  | 'business_id_required'
  | 'business_id_mismatch'
  | 'ip_not_whitelisted'
  | 'simulation_requires_test_key'
  | 'malformed_json'
  | 'unsupported_media_type'
  | 'payload_too_large'
  | 'validation_failed'
  | 'all_providers_failed'
  | 'checkout_not_found'
  | 'virtual_account_not_found'
  | 'payment_not_found'
  | 'event_not_found'
  | 'webhook_endpoint_not_found'
  | 'not_found'
  | 'method_not_allowed'
  | 'checkout_not_payable'
  | 'nothing_to_reverse'
  | 'virtual_account_inactive'
  | 'duplicate_merchant_reference'
  | 'delivery_in_progress'
  | 'endpoint_limit_reached'
  | 'idempotency_in_progress'
  | 'idempotency_key_reused'
  | 'rate_limited'
  | 'no_other_provider'
  | 'provider_error'
  | 'provider_busy'
  | 'provider_not_enabled'
  | 'service_unavailable'
  | 'internal_error';

/** An error of one field of a request. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** The failure of one provider among several. `code`: for programs. */
export interface FailureAtProvider {
  readonly provider: string;
  readonly message: string;
  readonly code: string;
}

/**
 * The parts of an API error in addition to its code. `message` replaces the sentence in `shared/platform/contract/errors.ts`. `errors` lists
 * single fields, `failures` lists providers; an answer has both under `errors`.
 */
export interface ApiErrorDetails {
  readonly message?: string;
  readonly errors?: readonly FieldError[];
  readonly failures?: readonly FailureAtProvider[];
  readonly retryAfterSeconds?: number;
  /** The name that the caller used for the missing object. No answer repeats it. */
  readonly requestedId?: string;
  /** The reference of a checkout that is in the way, and that the caller may end. */
  readonly endable?: string;
}

/** An error with a reason that the caller may know. `shared/platform/contract/errors.ts` turns it into an answer. */
export class ApiError extends Error {
  readonly code: ApiErrorCode;
  readonly details: ApiErrorDetails;

  constructor(code: ApiErrorCode, details: ApiErrorDetails = {}) {
    super(details.message ?? code);
    this.name = 'ApiError';
    this.code = code;
    this.details = details;
  }
}

/** A valid key is refused before any work: it is used from an address that is not whitelisted, or too often. */
export class KeyError extends ApiError {
  constructor(code: 'ip_not_whitelisted' | 'rate_limited', details: ApiErrorDetails = {}) {
    super(code, details);
  }
}

/**
 * The table, a queue or the secrets are throttled, fail, or did not answer in time. The answer is `service_unavailable`. The writes may have
 * happened, so a request should be repeated under its Idempotency-Key.
 */
export class DependencyUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'DependencyUnavailable';
  }
}

/**
 * An item exists but cannot be read: a newer release wrote it, or it is damaged. It must not count as absent, so the work that needs it stops.
 * `family`: the beginning of its key, without content.
 */
export class UnreadableItem extends Error {
  readonly family: string;

  constructor(family: string) {
    super(`An item of ${family} cannot be read.`);
    this.name = 'UnreadableItem';
    this.family = family;
  }
}

/** Makes a `validation_failed` error that names the fields. */
export const invalid = (...errors: FieldError[]): ApiError => new ApiError('validation_failed', { errors });
