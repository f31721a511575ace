import type { ApiEvent, ApiMiddleware, RequestState } from '#shared/api/http/types.ts';
import type { Contract } from '#shared/platform/contract/contract.ts';
import { COMPRESSED_BODY_MESSAGE } from '#shared/platform/contract/errors.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';

const MAX_KIB = 64;
const JSON_TYPE = /^application\/json *(;.*)?$/i;
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

const parseObject = (bytes: Buffer): Record<string, unknown> => {
  let value: unknown;
  try {
    value = JSON.parse(strictUtf8.decode(bytes));
  } catch {
    throw new ApiError('malformed_json');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new ApiError('malformed_json');
  return value as Record<string, unknown>;
};

/** Checks whether the body may be omitted. An omitted body counts as an empty object, and needs no media type. */
const isOptional = ({ body }: Contract): boolean => body?.safeParse({}).success ?? false;

/** Checks whether a body is compressed. */
const isCompressed = ({ headers }: ApiEvent): boolean =>
  !['', 'identity'].includes(headers['content-encoding']?.trim().toLowerCase() ?? '');

/** Checks the media type, then the size. @throws ApiError `unsupported_media_type`, `payload_too_large`. */
const ensureReadable = (contract: Contract, event: ApiEvent, bytes: Buffer): void => {
  if (isCompressed(event)) throw new ApiError('unsupported_media_type', { message: COMPRESSED_BODY_MESSAGE });
  if (bytes.length === 0 && isOptional(contract)) return;
  if (contract.body !== null && !JSON_TYPE.test(event.headers['content-type']?.trim() ?? '')) {
    throw new ApiError('unsupported_media_type');
  }
  const { maxBodyKib = MAX_KIB } = contract;
  if (bytes.length > maxBodyKib * 1024) {
    throw new ApiError('payload_too_large', { message: `Request body exceeds ${maxBodyKib} KiB.` });
  }
};

/** Parses the body that was read, and keeps its JSON object in the state of the request. @throws ApiError `malformed_json`. */
export const parseJsonBody = (contract: Contract, state: RequestState): void => {
  if (contract.body === null || !state.rawBody) return;
  state.json = state.rawBody.length === 0 && isOptional(contract) ? {} : parseObject(state.rawBody);
};

/**
 * Reads the bytes of a body: at most 64 KiB, unless the contract allows more. The body of a GET is not read. The JSON is parsed later: a request
 * that repeats an Idempotency-Key is compared by its bytes, and its stored answer is replayed before anything is parsed.
 */
export const readBody = (contract: Contract): ApiMiddleware => ({
  before: ({ event, context: { api } }) => {
    if (contract.method === 'GET') return;
    const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
    ensureReadable(contract, event, bytes);
    api.rawBody = bytes;
  },
});
