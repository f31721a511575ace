import type { Event } from './types.ts';

/** A webhook that is not to be trusted, and why. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly code: 'headers_missing' | 'timestamp_out_of_range' | 'signature_mismatch' | 'body_unreadable';
  constructor(code: WebhookError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** Headers of a request, as Node's `http`, Express and `fetch` have them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface UnwrapOptions {
  /** The time now, in milliseconds since the epoch. */
  readonly now?: () => number;
}

/** Seconds that a webhook's time may differ from ours (Standard Webhooks, "Verifying timestamps"). */
const TOLERANCE = 300;
const MILLIS = 1_000;
const HASH = 'SHA-256';

const readHeader = (headers: WebhookHeaders, name: string): string => {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1] ?? '';
  return typeof value === 'string' ? value : value.join(' ');
};

/** The bytes of a text in base64; undefined for what is none. */
const decodeBase64 = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
};

const importKey = (secret: string) => {
  const bytes = decodeBase64(secret.replace(/^whsec_/, ''));
  if (!bytes || bytes.length === 0) throw new TypeError('A webhook secret begins with whsec_ and goes on in base64.');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: HASH }, false, ['verify']);
};

/**
 * The event of a webhook, if it is ours: its signature is compared in constant time, and its time differs from now by at most five
 * minutes (https://www.standardwebhooks.com). An event may come twice: keep its `id`, and do its work once.
 * @param body The raw body as it came: a text that was parsed and written again has other bytes.
 * @param secrets The endpoint's secret, `whsec_…`; after a rotation both.
 * @throws WebhookError when it is not to be trusted: answer with 400. TypeError without a secret, or for what is none.
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
      'A webhook has the headers webhook-id, webhook-timestamp and webhook-signature.',
    );
  }
  const age = Math.abs(now() / MILLIS - Number(timestamp));
  if (!(age <= TOLERANCE)) {
    throw new WebhookError('timestamp_out_of_range', 'The webhook is older or newer than five minutes.');
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
  throw new WebhookError('signature_mismatch', 'No signature of the webhook is of this secret.');
};

const parseEvent = (text: string): Event => {
  try {
    return JSON.parse(text);
  } catch {
    throw new WebhookError('body_unreadable', 'The body of the webhook is not JSON.');
  }
};
