import { createWriteStream } from 'node:fs';
import type { Cleanup } from '#infra/local/cleanup.ts';
import { fileIn } from '#infra/local/data/data-dir.ts';
import { logTo } from '#shared/platform/observability/log.ts';
import { bufferLines } from './line-buffer.ts';

/** Writes the functions' log to its file in the data directory, and passes each line to `reader`. */
export const keepServiceLog = (dataDir: string, reader: (line: string) => void, cleanup: Cleanup): void => {
  const file = createWriteStream(fileIn(dataDir, 'log'), { flags: 'a', mode: 0o600 });
  // A full disk must not end the service. The terminal still shows errors.
  file.on('error', () => {});
  const lines = bufferLines((text) => file.write(text));
  cleanup.add(
    () =>
      new Promise((resolve) => {
        lines.flush();
        file.end(resolve);
      }),
  );
  logTo((line) => {
    lines.add(line);
    reader(line);
  });
};
