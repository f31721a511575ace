import type { RandomBytes } from '#shared/domain/ids.ts';
import type { Providers } from '#shared/ports.ts';
import { sandboxProvider } from './sandbox/sandbox.ts';

/** Which provider serves a mode: test mode has the sandbox under every name, live mode has none yet. */
export const providers =
  (random: RandomBytes): Providers =>
  (mode, name) =>
    mode === 'test' ? sandboxProvider(name, random) : undefined;
