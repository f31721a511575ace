import { readFileSync, rmSync } from 'node:fs';
import * as z from 'zod';
import { providerName } from '#shared/providers/domain/provider.ts';
import { providerSettings } from '#shared/providers/settings.ts';
import { fileIn, writePrivately } from './data-dir.ts';
import { isRunning } from './processes.ts';

const stackFile = z.object({
  pid: z.number().int().positive(),
  baseUrl: z.string(),
  dynamodbEndpoint: z.string(),
  sqsEndpoint: z.string(),
  /** The embedded SQS emulator answers only requests with this access key id. */
  accessKeyId: z.string(),
  queueUrls: z.object({ first: z.string(), retry: z.string(), slow: z.string(), test: z.string() }),
  tableName: z.string(),
  dueShards: z.number().int().positive(),
  hashKey: z.string(),
  /** The settings of the live providers. `credentials`: only those of the provider simulator, which are not secret. */
  live: z.object({ settings: providerSettings, credentials: z.partialRecord(providerName, z.string()) }).optional(),
});

/** The addresses and settings of a running local stack. The operations command reads them. */
export type StackFile = z.infer<typeof stackFile>;

const readJson = (path: string): unknown => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
};

/** Reads the file of the stack that runs in a data directory; undefined if none runs. */
export const readStackFile = (dataDir: string): StackFile | undefined => {
  const parsed = stackFile.safeParse(readJson(fileIn(dataDir, 'stack')));
  return parsed.success && isRunning(parsed.data.pid) ? parsed.data : undefined;
};

/** Writes the file when the stack is up. Only its owner may read it, because it contains the hash key and the access key id. */
export const writeStackFile = (dataDir: string, stack: StackFile): void =>
  writePrivately(fileIn(dataDir, 'stack'), JSON.stringify(stack, null, 2));

/** Removes the file when the stack stops. */
export const removeStackFile = (dataDir: string): void => rmSync(fileIn(dataDir, 'stack'), { force: true });
