import * as z from 'zod';
import { startTwin } from './twin.ts';

/** The twin as a process of its own. It prints one line of JSON when it is ready, and ends on SIGTERM or with its standard input. */
const environment = z.object({
  TWIN_PORT: z.coerce.number().int().min(0).max(65_535).default(0),
  /** Notifications go to `<this>/providers/<provider>/notifications`; without it, nowhere. */
  NOTIFY_BASE_URL: z.url().optional(),
});

const { TWIN_PORT: port, NOTIFY_BASE_URL: notifyBase } = environment.parse(process.env);
// Seconds since 2026: no two runs count through the same numbers.
const firstNumber = Math.floor((Date.now() - Date.UTC(2026, 0)) / 1_000) % 90_000_000;
const twin = await startTwin({ port, firstNumber });
if (notifyBase !== undefined) {
  for (const provider of ['paystack', 'monnify', 'korapay'] as const) {
    twin.notifyAt(provider, `${notifyBase.replace(/\/$/, '')}/providers/${provider}/notifications`);
  }
}

const end = async (): Promise<void> => {
  await twin.stop();
  process.exit(0);
};
process.once('SIGTERM', end);
process.once('SIGINT', end);
process.stdin.once('close', end).once('end', end).resume();

const { baseUrls, credentials, contractCode } = twin;
const settings = {
  paystack: { baseUrl: baseUrls.paystack, customerEmailDomain: 'accounts.example.com' },
  monnify: { baseUrl: baseUrls.monnify, contractCode },
  korapay: { baseUrl: baseUrls.korapay },
};
const payUrl = `${new URL(baseUrls.paystack).origin}/pay`;
process.stdout.write(`${JSON.stringify({ payUrl, settings, credentials })}\n`);
