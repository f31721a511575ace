import type { Contract } from '#shared/contract/kernel/contract.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import type { ApiMiddleware } from '#shared/http/kernel/types.ts';

const MAX_BYTES = 64 * 1024;
const JSON_TYPE = /^application\/json *(;.*)?$/i;
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

const parseObject = (bytes: Buffer): Record<string, unknown> => {
  let value: unknown;
  try {
    value = JSON.parse(strictUtf8.decode(bytes));
  } catch {
    throw new Refusal('malformed_json');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Refusal('malformed_json');
  return value as Record<string, unknown>;
};

/** Whether the body may be omitted: then none counts as an empty object, without a media type. */
const isOptional = ({ body }: Contract): boolean => body?.safeParse({}).success ?? false;

/** Reads a JSON object of at most 64 KiB, in the order media type, size, JSON (api-decisions.md section 2). The body of a GET is not read. */
export const readBody = (contract: Contract): ApiMiddleware => ({
  before: ({ event, context }) => {
    if (contract.method === 'GET') return;
    const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
    if (bytes.length === 0 && isOptional(contract)) {
      context.api.rawBody = bytes;
      context.api.json = {};
      return;
    }
    if (contract.body !== null && !JSON_TYPE.test(event.headers['content-type']?.trim() ?? '')) {
      throw new Refusal('unsupported_media_type');
    }
    if (bytes.length > MAX_BYTES) throw new Refusal('payload_too_large');
    context.api.rawBody = bytes;
    if (contract.body !== null) context.api.json = parseObject(bytes);
  },
});
