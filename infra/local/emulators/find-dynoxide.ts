import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { CannotStart } from '#infra/local/errors.ts';

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/**
 * Finds the DynamoDB emulator's binary: first in its npm package, which exists for Linux x64, then as `dynoxide` on the PATH.
 * @throws CannotStart if there is none.
 */
export const findDynoxide = (): string => {
  const candidates = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'dynoxide'));
  try {
    const manifest = createRequire(import.meta.url).resolve('@dynoxide/linux-x64/package.json');
    candidates.unshift(join(manifest, '..', 'dynoxide'));
  } catch {
    // This is not Linux x64, so npm has not installed the optional package.
  }
  const binary = candidates.find(isExecutable);
  if (binary) return binary;
  throw new CannotStart(
    'There is no DynamoDB emulator for this machine. Put `dynoxide` on the PATH, or start DynamoDB Local and set DYNAMODB_ENDPOINT=http://127.0.0.1:8000.',
  );
};
