import { createWriteStream } from 'node:fs';
import { logTo } from '#shared/log.ts';
import type { Cleanup } from './cleanup.ts';
import { fileIn } from './data-dir.ts';

/** Sends the functions' log to its file in the data directory, and each line to `reader` too. */
export const keepServiceLog = (dataDir: string, reader: (line: string) => void, cleanup: Cleanup): void => {
  const file = createWriteStream(fileIn(dataDir, 'log'), { flags: 'a', mode: 0o600 });
  // A full disk must not end the service: the terminal still tells what goes wrong.
  file.on('error', () => {});
  cleanup.add(
    () =>
      new Promise((resolve) => {
        file.end(resolve);
      }),
  );
  logTo((line) => {
    file.write(`${line}\n`);
    reader(line);
  });
};
