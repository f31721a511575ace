import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** Fields of requests, answers and webhooks whose values must not be in a log, with the name that a failure shows. */
const FIELDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    bvn: 'an identity number',
    nin: 'an identity number',
    customer_email: 'an e-mail address',
    payer_email: 'an e-mail address',
    email: 'an e-mail address',
    customer_phone: 'a telephone number',
    customer_name: 'a name',
    payer_name: 'a name',
    account_name: 'a name',
    sender_name: 'a name',
    account_number: 'an account number',
    merchant_reference: 'a merchant’s reference',
    url: 'a webhook URL',
    challenge: 'a passkey’s challenge',
    signature: 'a passkey’s signature',
  }),
);
/** All fields below metadata are the merchant's own. */
const METADATA = 'metadata';
/** The fewest characters of a value that counts as a secret. Shorter values may be in a log by chance. */
const SHORTEST = 6;
/** A mailed code. Eight digits may also be part of an id, and errors have another `code`. */
const CODE = /^\d{8}$/;
/** A mailed code in the text of the mail. */
const MAILED_CODE = /\bcode is (\d{8})\b/g;

/** Secrets that are recognised by their shape, even if no test has sent or received them. */
const SHAPES: readonly (readonly [kind: string, shape: RegExp])[] = [
  ['an API key', /\b[sp]k_(live|test)_\w{8,}/g],
  ['a webhook secret', /\bwhsec_[\w+/=]{8,}/g],
  ['a webhook signature', /\bv1,[\w+/]{43}=/g],
  ['an access token', /\beyJ[\w-]{8,}/g],
  ['a cookie', /\b(__Host-|payments-)(session|sign-in)=[\w-]{43}/g],
  ['a payer’s link', /\bPAY-[0-9A-Z]{20}\.[\w-]{22}/g],
  ['an Authorization header', /\b(Bearer|Basic) [\w+/=.-]{8,}/g],
];

/** Matches the prefix of a key or secret. The text after the prefix is a secret, too. A shorter text is a placeholder of a test. */
const PREFIX = /^(([sp]k_(live|test)|whsec)_|(__Host-|payments-)(session|sign-in)=|PAY-\w+\.)(?=.{20})/;
/** Headers that contain a secret. */
const COOKIES = ['cookie', 'set-cookie'];

/** Matches the link of a payment page in a line that the local stack prints for the developer. A deployed stage prints no such line. */
const PRINTED_LINK = /(?<=^\d\d:\d\d:\d\d {2}[A-Z]+ \/pay\/)[^/ ]+/gm;

/** The values that a test has sent and received, each with its kind. */
export type Secrets = ReadonlyMap<string, string>;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const findKind = (field: string, value: unknown, above: string | undefined): string | undefined => {
  if (above === METADATA || field === METADATA) return METADATA;
  // In the Postman collection `url` is an object: the parts of an endpoint's address.
  return field === 'url' && isObject(value) ? undefined : FIELDS.get(field);
};

const collect = (value: unknown, into: Map<string, string>, kind?: string): void => {
  if (isObject(value)) {
    for (const [field, inner] of Object.entries(value)) {
      const isCode = field === 'code' && typeof inner === 'string' && CODE.test(inner);
      collect(inner, into, isCode ? 'a code' : (findKind(field, inner, kind) ?? kind));
    }
  } else if (kind !== undefined && (typeof value === 'string' || typeof value === 'number')) {
    if (String(value).length >= SHORTEST) into.set(String(value), kind);
  }
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Lists every spelling in which a log line could contain a value. */
const listSpellings = (value: string): string[] => [
  ...new Set([value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value.toWellFormed())]),
];

/** Tells whether a text contains a value at a position. Digits must not be part of a longer number, and a code not part of an id. */
const containsAt = (text: string, at: number, value: string): boolean => {
  if (!text.startsWith(value, at)) return false;
  if (!/^\d+$/.test(value)) return true;
  const more = CODE.test(value) ? /[\w-]/ : /\d/;
  return !more.test(text[at - 1] ?? '') && !more.test(text[at + value.length] ?? '');
};

/** Reads the fields of a log line, without the wrapper of CloudWatch's metric format. Returns undefined if the line is not a JSON object. */
const readFields = (line: string): Record<string, unknown> | undefined => {
  const entry = parseJson(line);
  if (!isObject(entry)) return undefined;
  const { _aws, ...fields } = entry;
  return fields;
};

/** Tells whether a line contains a body. A body is nested, or JSON in a string; the fields of a log line are neither. */
const containsBody = (line: string): boolean => {
  const values = Object.values(readFields(line) ?? { line });
  return values.some((value) => isObject(value) || (typeof value === 'string' && /[{[]\s*\\*"|[{[]\s*\{/.test(value)));
};

/**
 * Lists the kinds of secrets in a log, each with the event of its line, but never the secret itself. Each line of `log` is a JSON object,
 * or a sentence for people.
 */
export const findSecrets = (log: string, secrets: Secrets): string[] => {
  const findings = new Set<string>();
  // Index by the first characters: generated requests send tens of thousands of values, and a log is read once.
  const spelled = [...secrets].flatMap(([value, kind]) => listSpellings(value).map((text) => ({ text, kind })));
  const byStart = Map.groupBy(spelled, ({ text }) => text.slice(0, SHORTEST));
  for (const line of new Set(log.replace(PRINTED_LINK, '').split('\n'))) {
    if (line === '') continue;
    const event = readFields(line)?.event;
    const place = `in ${event ?? 'a line for people'}`;
    const matches = new Set<string>();
    for (const [kind, shape] of SHAPES) if (line.search(shape) !== -1) findings.add(`${kind} ${place}`);
    if (containsBody(line)) findings.add(`a body ${place}`);
    for (let at = 0; at + SHORTEST <= line.length; at++) {
      for (const { text, kind } of byStart.get(line.slice(at, at + SHORTEST)) ?? []) {
        if (!containsAt(line, at, text)) continue;
        findings.add(`${kind} ${place}`);
        matches.add(text);
      }
    }
    // A sentence has no event, so the failure shows the line without its secrets.
    if (event === undefined && matches.size > 0) {
      const hidden: readonly (string | RegExp)[] = [...matches, ...SHAPES.map(([, shape]) => shape)];
      findings.add(`as in “${hidden.reduce<string>((rest, secret) => rest.replaceAll(secret, '█'), line)}”`);
    }
  }
  return [...findings].sort();
};

/* Node reports every `fetch` of this process on these channels, with the bytes as they were sent and received. */
const SENT = 'undici:request:bodyChunkSent';
const RECEIVED = 'undici:request:bodyChunkReceived';
const CREATED = 'undici:request:create';
const ANSWERED = 'undici:request:headers';

interface FetchMessage {
  readonly request: { readonly method: string; readonly headers: readonly string[] };
  readonly response: { readonly headers: readonly Buffer[] };
  readonly chunk: Uint8Array;
}

/** Collects the secrets that this process sends and receives, until it is stopped. */
export const watchSecrets = () => {
  const secrets = new Map<string, string>();
  const bodies = new Map<object, { sent: Buffer[]; received: Buffer[] }>();
  let isIgnored = (_value: string): boolean => false;
  const keep = (kind: string, ...values: readonly string[]): void => {
    for (const value of values) if (value.length >= SHORTEST) secrets.set(value, kind);
  };
  const note = (text: string): void => {
    for (const [kind, shape] of SHAPES) {
      for (const [value] of text.matchAll(shape)) keep(kind, value, value.replace(PREFIX, ''));
    }
    for (const [, code = ''] of text.matchAll(MAILED_CODE)) keep('a code', code);
    const values = new Map<string, string>();
    collect(parseJson(text), values);
    for (const [value, kind] of values) if (!isIgnored(value)) secrets.set(value, kind);
  };
  const noteHeaders = (headers: readonly string[]): void => {
    for (const [i, name] of headers.entries()) {
      const value = headers[i + 1];
      if (i % 2 !== 0 || value === undefined || value.length < SHORTEST || isIgnored(value)) continue;
      if (name.toLowerCase() === 'idempotency-key') secrets.set(value, 'an Idempotency-Key');
      if (COOKIES.includes(name.toLowerCase())) note(value);
      if (name.toLowerCase() !== 'authorization') continue;
      secrets.set(value, 'an Authorization header');
      note(value);
    }
  };
  const findBody = (request: object) => {
    const body = bodies.get(request) ?? { sent: [], received: [] };
    bodies.set(request, body);
    return body;
  };
  const listeners = {
    [CREATED]: ({ request }: FetchMessage) => noteHeaders(request.headers),
    [ANSWERED]: ({ response }: FetchMessage) => noteHeaders(response.headers.map(String)),
    [SENT]: ({ request, chunk }: FetchMessage) => findBody(request).sent.push(Buffer.from(chunk)),
    [RECEIVED]: ({ request, chunk }: FetchMessage) => findBody(request).received.push(Buffer.from(chunk)),
  };
  for (const [channel, listener] of Object.entries(listeners)) subscribe(channel, listener as never);
  return {
    /** Records values of one kind that no field or shape reveals. */
    keep,
    /** Records texts that did not come by `fetch`, such as the keys that the operations command prints. */
    note,
    /** Records headers: names and values by turns. */
    noteHeaders,
    /** From now on, ignores values that may be in a log by chance, in any field or header. */
    ignore: (isCommon: (value: string) => boolean): void => {
      isIgnored = isCommon;
    },
    /** Returns all secrets so far. */
    secrets: (): Secrets => {
      for (const { sent, received } of bodies.values())
        for (const chunks of [sent, received]) note(String(Buffer.concat(chunks)));
      bodies.clear();
      return secrets;
    },
    stop: (): void => {
      for (const [channel, listener] of Object.entries(listeners)) unsubscribe(channel, listener as never);
    },
  };
};
