import type { ProviderAnswer, ProviderRequest } from '#shared/providers/common/http.ts';
import { korapay } from '#shared/providers/korapay/korapay.ts';
import { KORAPAY, NOON } from '#test/unit/api/examples.ts';

/* Runs Korapay's adapter with scripted answers. */

/** The stage's address for Korapay's notifications. */
export const NOTIFICATION_URL = 'https://payments.example.com/providers/korapay/notifications';

/** Builds a success in Korapay's envelope. */
export const success = (data: unknown): ProviderAnswer => ({
  status: 200,
  json: { status: true, message: 'Done', data },
});
/** Builds an error in Korapay's envelope. */
export const failure = (status: number, message: string, data: unknown = null): ProviderAnswer => ({
  status,
  json: { status: false, message, data },
});

/** Creates the adapter under a stage's settings. The adapter gets the answers of `steps` in their order. */
export const scriptAdapterUnder = (
  settings: Partial<typeof KORAPAY>,
  ...steps: readonly (ProviderAnswer | Error)[]
) => {
  const requests: ProviderRequest[] = [];
  const reads: boolean[] = [];
  const provider = korapay({
    settings: { ...KORAPAY, ...settings },
    notificationUrl: NOTIFICATION_URL,
    credentials: async (options) => {
      reads.push(options?.refresh === true);
      return { secretKey: options?.refresh ? 'sk_live_new' : 'sk_live_old' };
    },
    http: async (request) => {
      const step = steps[requests.push(request) - 1];
      if (step === undefined) throw new Error('One request too many.');
      if (step instanceof Error) throw step;
      return step;
    },
    now: () => NOON,
  });
  return { provider, requests, reads, paths: () => requests.map(({ method, path }) => `${method} ${path}`) };
};
export const scriptAdapter = (...steps: readonly (ProviderAnswer | Error)[]) => scriptAdapterUnder({}, ...steps);
