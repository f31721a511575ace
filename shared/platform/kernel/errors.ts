/** Every reason for which a request is refused. `shared/platform/contract/errors.ts` has the status and message of each (api-decisions.md section 8). */
export type ApiErrorCode = PublicErrorCode | DashboardErrorCode;

/** What the dashboard alone refuses: no answer to a key has these (decisions/0031-dashboard-sessions.md). */
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

/** What the API refuses, as its document lists it. */
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

/** What is wrong with one field of a request. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** Why one of several providers did not do what a request asks for. `code`: for programs. */
export interface FailureAtProvider {
  readonly provider: string;
  readonly message: string;
  readonly code: string;
}

/** The parts of a refusal beside its code. `message` replaces the table's sentence; `errors` lists single fields, `failures` providers: an answer has them under `errors` too. */
export interface ApiErrorDetails {
  readonly message?: string;
  readonly errors?: readonly FieldError[];
  readonly failures?: readonly FailureAtProvider[];
  readonly retryAfterSeconds?: number;
  /** The name that the caller used for what was not found. No answer repeats it. */
  readonly sent?: string;
  /** The reference of a checkout that stands in the way, and that the caller may end. */
  readonly endable?: string;
}

/** A request is refused for a reason that the caller may know. Only the error table turns it into an answer. */
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

/** What refuses a valid key before any work: it is used from elsewhere, or more than it may be. */
export class KeyError extends ApiError {
  constructor(code: 'ip_not_whitelisted' | 'rate_limited', details: ApiErrorDetails = {}) {
    super(code, details);
  }
}

/**
 * The table, a queue or the secrets are throttled, fail, or did not answer in time: answered as `service_unavailable`. What was to be
 * written may have been written, so a request is repeated under its Idempotency-Key.
 */
export class DependencyUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'DependencyUnavailable';
  }
}

/**
 * An item is there and cannot be read: a newer release wrote it, or it is damaged. It must not be taken for absent, so what needed it
 * stops. `family`: how its keys begin; no content.
 */
export class UnreadableItem extends Error {
  readonly family: string;

  constructor(family: string) {
    super(`An item of ${family} cannot be read.`);
    this.name = 'UnreadableItem';
    this.family = family;
  }
}

/** A `validation_failed` refusal that names the fields. */
export const invalid = (...errors: FieldError[]): ApiError => new ApiError('validation_failed', { errors });
