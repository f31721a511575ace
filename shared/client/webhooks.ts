import type { Event } from './types.ts';

/** A webhook that you must not trust. `code` says why. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly code: 'headers_missing' | 'timestamp_out_of_range' | 'signature_mismatch' | 'body_unreadable';
  constructor(code: WebhookError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** The headers of a request, in the form of Node's `http`, Express or `fetch`. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface UnwrapOptions {
  /** The time now, in milliseconds since the epoch. */
  readonly now?: () => number;
}

/** The seconds by which a webhook's time may differ from ours (Standard Webhooks, "Verifying timestamps"). */
const TOLERANCE = 300;
const MILLIS = 1_000;
const HASH = 'SHA-256';

const readHeader = (headers: WebhookHeaders, name: string): string => {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1] ?? '';
  return typeof value === 'string' ? value : value.join(' ');
};

/** Decodes the bytes of a text in base64; undefined if it is no base64. */
const decodeBase64 = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
};

const importKey = (secret: string) => {
  const bytes = decodeBase64(secret.replace(/^whsec_/, ''));
  if (!bytes || bytes.length === 0) throw new TypeError('A webhook secret is whsec_ and a text in base64.');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: HASH }, false, ['verify']);
};

/**
 * Verifies a webhook and returns its event. The signature is compared in constant time, and the time may differ from now by at most five
 * minutes (https://www.standardwebhooks.com). An event may come twice: store its `id`, and do its work once.
 * @param body The raw body as it came. A text that was parsed and written again has other bytes.
 * @param secrets The endpoint's secret, `whsec_…`; after a rotation both secrets.
 * @throws WebhookError if you must not trust the webhook: answer with 400. TypeError if the secret is missing or malformed.
 */
export const unwrap = async (
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[] | undefined,
  { now = Date.now }: UnwrapOptions = {},
): Promise<Event> => {
  if (!secrets) throw new TypeError('There is no webhook secret. Is its environment variable set?');
  const id = readHeader(headers, 'webhook-id');
  const timestamp = readHeader(headers, 'webhook-timestamp');
  const signatures = readHeader(headers, 'webhook-signature');
  if (!id || !timestamp || !signatures) {
    throw new WebhookError(
      'headers_missing',
      'The webhook must have the headers webhook-id, webhook-timestamp and webhook-signature.',
    );
  }
  const age = Math.abs(now() / MILLIS - Number(timestamp));
  if (!(age <= TOLERANCE)) {
    throw new WebhookError(
      'timestamp_out_of_range',
      'The time of the webhook differs from now by more than five minutes.',
    );
  }
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const start = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(start.length + bytes.length);
  signed.set(start);
  signed.set(bytes, start.length);
  const candidates = signatures
    .split(' ')
    .flatMap((entry) => (entry.startsWith('v1,') ? (decodeBase64(entry.slice(3)) ?? []) : []));
  for (const key of await Promise.all([secrets].flat().map(importKey))) {
    for (const signature of candidates) {
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return parseEvent(text);
    }
  }
  throw new WebhookError('signature_mismatch', 'No signature of the webhook matches the secret.');
};

const parseEvent = (text: string): Event => {
  try {
    return JSON.parse(text);
  } catch {
    throw new WebhookError('body_unreadable', 'The body of the webhook is not JSON.');
  }
};
