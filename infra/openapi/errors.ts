import type { Contract } from '#shared/platform/contract/contract.ts';
import { API_ERRORS, COMPRESSED_BODY_MESSAGE } from '#shared/platform/contract/errors.ts';
import type { EndpointPage, Example } from './endpoint-page.ts';
import { ERROR_NOTES } from './error-notes.ts';
import { REQUEST_ID } from './examples/objects.ts';

/** The code of an API error. */
export type Code = keyof typeof API_ERRORS;

/**
 * An endpoint with one of these codes calls a live provider before it answers. Only requests to such endpoints last so long that a retry may
 * arrive while the first request is still in progress.
 */
const PROVIDER_CALL_CODES: readonly Code[] = ['all_providers_failed', 'duplicate_merchant_reference'];

/** Lists the error codes of an endpoint, in the order in which the API checks them. */
export const listErrorCodes = (contract: Contract): readonly Code[] => {
  const { method, keys, testOnly, idempotent, body, errors } = contract;
  const codes: readonly (Code | false)[] = [
    'missing_api_key',
    'invalid_api_key',
    ...(keys.includes('public')
      ? (['business_id_required', 'business_id_mismatch'] as const)
      : (['public_key_not_permitted'] as const)),
    'ip_not_whitelisted',
    testOnly && 'simulation_requires_test_key',
    'rate_limited',
    ...(method !== 'GET' ? (['unsupported_media_type', 'payload_too_large'] as const) : []),
    idempotent && errors.some((code) => PROVIDER_CALL_CODES.includes(code)) && 'idempotency_in_progress',
    idempotent && 'idempotency_key_reused',
    body !== null && 'malformed_json',
    'validation_failed',
    ...errors,
    'service_unavailable',
    'internal_error',
  ];
  return [...new Set(codes.filter((code) => code !== false))];
};

/** Example details of an API error, for all endpoints. */
const COMMON_DETAILS: { readonly [C in Code]?: Readonly<Record<string, unknown>> } = {
  ip_not_whitelisted: {
    errors: [
      {
        field: 'ip',
        message:
          'ip 102.89.23.17 is not on the whitelist of this key. Add it in the dashboard under API keys, or ask whoever runs this service to add it.',
      },
    ],
  },
};

/** Makes the example answer of a code, with an endpoint's own message and details. */
export const errorExample = (code: Code, details: Readonly<Record<string, unknown>> = {}): Example => ({
  summary: code,
  ...(ERROR_NOTES[code].note !== undefined && { description: ERROR_NOTES[code].note }),
  value: {
    status: false,
    message: API_ERRORS[code].message,
    code,
    request_id: REQUEST_ID,
    ...COMMON_DETAILS[code],
    ...details,
  },
});

const INVALID_KEY = {
  field: 'Idempotency-Key',
  message: 'Idempotency-Key must be sent once and hold 1 to 255 visible ASCII characters without a comma.',
};

/** The field error for an unknown query parameter. */
const UNKNOWN_PARAMETER = {
  field: 'statu',
  message: 'statu is not a query parameter of this request. It takes no query parameters.',
};

/** The field error for methods other than GET and DELETE. They ignore unknown query parameters, but not a parameter that is given twice. */
const REPEATED_PARAMETER = { field: 'source', message: 'source must be given once.' };

const chooseFieldError = ({ idempotent, method }: Contract) => {
  if (idempotent) return INVALID_KEY;
  return method === 'GET' || method === 'DELETE' ? UNKNOWN_PARAMETER : REPEATED_PARAMETER;
};

/** Finds an endpoint's own message and details of an API error; undefined if it has none. */
export const errorDetails = (
  { contract, invalid, errors }: Pick<EndpointPage, 'contract' | 'invalid' | 'errors'>,
  code: Code,
): Readonly<Record<string, unknown>> | undefined => {
  if (code === 'validation_failed') return { errors: invalid.length > 0 ? invalid : [chooseFieldError(contract)] };
  // Without a body the media type does not matter: only the encoding can be wrong.
  if (code === 'unsupported_media_type' && contract.body === null) return { message: COMPRESSED_BODY_MESSAGE };
  return errors?.[code];
};

/** Groups codes by their HTTP status. */
export const groupByStatus = (codes: readonly Code[]): ReadonlyMap<number, readonly Code[]> => {
  const statuses = new Map<number, Code[]>();
  for (const code of codes) {
    const { status } = API_ERRORS[code];
    statuses.set(status, [...(statuses.get(status) ?? []), code]);
  }
  return new Map([...statuses].sort(([a], [b]) => a - b));
};
