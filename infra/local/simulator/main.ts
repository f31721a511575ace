import * as z from 'zod';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { mapSimulators, SIMULATORS } from '#shared/providers/simulators.ts';
import { type CallLimits, startSimulator } from './simulator.ts';

const limit = z.strictObject({ calls: z.int().min(0), seconds: z.int().min(1) });
/** The lowest limits that a provider has published or that somebody reported (providers.md section 1.1). */
const LOWEST_LIMITS: CallLimits = { reads: { calls: 600, seconds: 60 }, writes: { calls: 300, seconds: 60 } };

/** The variables of the simulator's process. The process prints one line of JSON when it is ready, and ends on SIGTERM or when its standard input closes. */
const environment = z.object({
  SIMULATOR_PORT: z.coerce.number().int().min(0).max(65_535).default(0),
  /** Notifications go to `<this>/providers/<provider>/notifications`. Without this variable, no notifications are sent. */
  NOTIFY_BASE_URL: z.url().optional(),
  /** The limits of each provider, as JSON; `{}` for no limits. */
  SIMULATOR_LIMITS: z
    .string()
    .default(JSON.stringify(LOWEST_LIMITS))
    .transform((text) => JSON.parse(text))
    .pipe(z.strictObject({ reads: limit.optional(), writes: limit.optional() })),
});

const { SIMULATOR_PORT: port, NOTIFY_BASE_URL: notifyBase, SIMULATOR_LIMITS } = environment.parse(process.env);
// The account numbers begin at the seconds since the start of 2026, so that a later run does not repeat the numbers of an earlier one.
const firstNumber = Math.floor((Date.now() - Date.UTC(2026, 0)) / 1_000) % 90_000_000;
const simulator = await startSimulator({ port, firstNumber, limits: SIMULATOR_LIMITS });
if (notifyBase !== undefined) {
  for (const provider of Object.keys(SIMULATORS) as ProviderName[]) {
    simulator.notifyAt(provider, `${notifyBase.replace(/\/$/, '')}/providers/${provider}/notifications`);
  }
}

const end = async (): Promise<void> => {
  await simulator.stop();
  process.exit(0);
};
process.once('SIGTERM', end);
process.once('SIGINT', end);
process.stdin.once('close', end).once('end', end).resume();

const { baseUrls, credentials, origin } = simulator;
const settings = mapSimulators((provider, { settings }) => ({ baseUrl: baseUrls[provider], ...settings }));
const payUrl = `${origin}/pay`;
process.stdout.write(`${JSON.stringify({ payUrl, settings, credentials })}\n`);
