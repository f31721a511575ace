import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { Cleanup } from '#infra/local/cleanup.ts';
import { CannotStart } from '#infra/local/errors.ts';
import { type ProviderName, providerName } from '#shared/providers/domain/provider.ts';

/** The program of the provider simulator. It is a separate process that the service reaches only over HTTP, like real providers. */
const PROGRAM = fileURLToPath(new URL('../simulator/main.ts', import.meta.url));
/** The only variables that the simulator's process inherits, because our environment contains secrets. */
const INHERITED = ['PATH', 'NODE_OPTIONS', 'NODE_COMPILE_CACHE', 'SIMULATOR_PORT'];
const UP_WITHIN_MS = 10_000;

const readyLine = z.object({
  payUrl: z.url(),
  settings: z.partialRecord(providerName, z.record(z.string(), z.string())),
  credentials: z.partialRecord(providerName, z.record(z.string(), z.string())),
});

/** The providers of the local stack, for the environment of the functions (shared/providers/env.ts, shared/providers/credentials.ts). */
export interface LocalProviders {
  /** The address for transfers by hand; undefined without the simulator. */
  readonly payUrl: string | undefined;
  /** The provider of checkouts that name none. */
  readonly defaultProvider: ProviderName;
  /** The value of the variable PROVIDERS. */
  readonly settings: string;
  readonly credentials: Partial<Record<ProviderName, string>>;
}

/**
 * Starts the provider simulator as a separate process, for live mode without real money. It loses its accounts when it stops.
 * @throws CannotStart if the simulator does not start.
 */
export const startLiveSimulator = async (notifyBaseUrl: string, cleanup: Cleanup): Promise<LocalProviders> => {
  const inherited = Object.fromEntries(INHERITED.map((name) => [name, process.env[name]]));
  const child = spawn(process.execPath, [PROGRAM], {
    env: { ...inherited, NOTIFY_BASE_URL: notifyBaseUrl },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  cleanup.add(() => {
    child.kill('SIGTERM');
  });
  const line = await new Promise<string>((resolve, reject) => {
    const fail = (): void =>
      reject(
        new CannotStart(
          'The provider simulator did not start. Start the local stack again, or start it without --live-simulator.',
        ),
      );
    setTimeout(fail, UP_WITHIN_MS).unref();
    child.once('exit', fail);
    createInterface(child.stdout).once('line', resolve);
  });
  const { payUrl, settings, credentials } = readyLine.parse(JSON.parse(line));
  const toJson = ([name, secrets]: [string, unknown]): [string, string] => [name, JSON.stringify(secrets)];
  return {
    payUrl,
    defaultProvider: providerName.parse(Object.keys(settings)[0]),
    settings: JSON.stringify(settings),
    credentials: Object.fromEntries(Object.entries(credentials).map(toJson)),
  };
};
