import { appendFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import * as z from 'zod';
import { fileIn, readIfThere, writePrivately } from '#infra/local/data/data-dir.ts';

const receivedWebhook = z.object({
  /** The `webhook-id` header; null when there was none. */
  id: z.string().nullable(),
  type: z.string().nullable(),
  received_at: z.iso.datetime(),
  verified: z.boolean(),
  /** Why it was not verified. */
  error: z.string().nullable(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
});
/** A webhook as it arrived at the demo endpoint, with the verdict on its signature. */
export type ReceivedWebhook = z.infer<typeof receivedWebhook>;

/** The webhooks that the demo business received. */
export interface Inbox {
  /** Newest first. */
  list(): readonly ReceivedWebhook[];
  /** Checks a webhook's signature and keeps the webhook either way. */
  receive(headers: Readonly<Record<string, string>>, body: Buffer, at: Date): ReceivedWebhook;
}

const MAX_STORED = 200;
/** The file holds more lines than are listed, so that not every arrival rewrites it. */
const LINES_BEFORE_TIDYING = 1_000;

const parseLine = (line: string): ReceivedWebhook[] => {
  try {
    return [receivedWebhook.parse(JSON.parse(line))];
  } catch {
    // A line that a killed process did not finish.
    return [];
  }
};

const readType = (body: string): string | null => {
  try {
    return z.object({ type: z.string() }).parse(JSON.parse(body)).type;
  } catch {
    return null;
  }
};

/** The library's reason why the signature is wrong under one secret; null when it is right. */
const faultUnder = (secret: string, headers: Readonly<Record<string, string>>, body: Buffer): string | null => {
  try {
    new Webhook(secret).verify(body, headers);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : 'The signature could not be checked.';
  }
};

/** The same under any of the secrets: test and live mode each have their own. */
const fault = (secrets: readonly string[], headers: Readonly<Record<string, string>>, body: Buffer): string | null => {
  const faults = secrets.map((secret) => faultUnder(secret, headers, body));
  return faults.includes(null) ? null : (faults[0] ?? null);
};

/** Opens the inbox of a data directory. Each arrival is in its file before it is acknowledged; the newest 200 are listed. */
export const openInbox = (dataDir: string, secrets: readonly string[]): Inbox => {
  const path = fileIn(dataDir, 'inbox');
  // Oldest first, as in the file.
  let stored = (readIfThere(path) ?? '').split('\n').flatMap(parseLine).slice(-MAX_STORED);
  let lines = 0;
  const tidy = (): void => {
    writePrivately(path, stored.map((webhook) => `${JSON.stringify(webhook)}\n`).join(''));
    lines = stored.length;
  };
  tidy();

  return {
    list: () => stored.toReversed(),
    receive: (headers, bytes, at) => {
      const body = bytes.toString('utf8');
      const error = fault(secrets, headers, bytes);
      const received: ReceivedWebhook = {
        id: headers['webhook-id'] ?? null,
        type: readType(body),
        received_at: at.toISOString(),
        verified: error === null,
        error,
        headers,
        body,
      };
      appendFileSync(path, `${JSON.stringify(received)}\n`);
      stored = [...stored, received].slice(-MAX_STORED);
      lines += 1;
      if (lines > LINES_BEFORE_TIDYING) tidy();
      return received;
    },
  };
};
