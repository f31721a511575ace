import { appendFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import * as z from 'zod';
import { fileIn, readIfThere, writePrivately } from '#infra/local/data/data-dir.ts';

const receivedWebhook = z.object({
  /** The `webhook-id` header; null if there was none. */
  id: z.string().nullable(),
  type: z.string().nullable(),
  received_at: z.iso.datetime(),
  verified: z.boolean(),
  /** The reason if the signature was not verified. */
  error: z.string().nullable(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
});
/** A webhook that arrived at the demo endpoint, with the result of the signature check. */
export type ReceivedWebhook = z.infer<typeof receivedWebhook>;

/** The webhooks that the demo business received. */
export interface Inbox {
  /** Newest first. */
  list(): readonly ReceivedWebhook[];
  /** Checks a webhook's signature, and stores the webhook in any case. */
  receive(headers: Readonly<Record<string, string>>, body: Buffer, at: Date): ReceivedWebhook;
}

const MAX_STORED = 200;
/** If the file has more lines than this, it is rewritten with the listed webhooks only. So most arrivals only add a line. */
const LINES_BEFORE_TIDYING = 1_000;

const parseLine = (line: string): ReceivedWebhook[] => {
  try {
    return [receivedWebhook.parse(JSON.parse(line))];
  } catch {
    // The line is empty, or a killed process did not finish it.
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

/** Checks a signature with one secret. Returns the library's reason if the signature is wrong; null if it is right. */
const findFaultWith = (secret: string, headers: Readonly<Record<string, string>>, body: Buffer): string | null => {
  try {
    new Webhook(secret).verify(body, headers);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : 'The signature could not be checked.';
  }
};

/** Checks a signature with every secret, because test and live mode have different secrets. Returns null if one fits, else the first secret's reason. */
const findFault = (
  secrets: readonly string[],
  headers: Readonly<Record<string, string>>,
  body: Buffer,
): string | null => {
  const faults = secrets.map((secret) => findFaultWith(secret, headers, body));
  return faults.includes(null) ? null : (faults[0] ?? null);
};

/** Opens the inbox of a data directory. Each webhook is stored before it is acknowledged. The newest 200 are listed. */
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
      const error = findFault(secrets, headers, bytes);
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
