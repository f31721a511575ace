import { targetProblem, type WebhookTargets } from '#shared/webhooks/domain/target.ts';
import type { CheckTarget } from '#shared/webhooks/ports.ts';
import { isPublicAddress } from './public-address.ts';
import { askNameServers, type Resolve } from './resolve.ts';

/**
 * How long a request of the API waits for name servers, less than a webhook does: whoever owns a host runs its name servers, and each
 * request that waits for them occupies a function. Milliseconds.
 */
const LOOKUP_TIMEOUT_MS = 1_500;

/** Asks name servers for no longer than a caller of the API waits; those of the machine if left out. */
export const askBriefly = (servers?: readonly string[]): Resolve =>
  askNameServers({ timeoutMs: LOOKUP_TIMEOUT_MS, ...(servers && { servers }) });

/**
 * Checks a URL before it is saved: its form and, under `public`, the present addresses of its host. They are checked again at every
 * connection (pinned-lookup.ts).
 */
export const targetChecker =
  (targets: WebhookTargets, resolve: Resolve = askBriefly()): CheckTarget =>
  async (url) => {
    const problem = targetProblem(url, targets);
    if (problem !== undefined || targets === 'any') return problem;
    const addresses = await resolve(new URL(url).hostname).catch(() => undefined);
    if (!addresses) {
      return 'must name a host that can be found; its name servers must give an address for A or AAAA, and did not.';
    }
    if (addresses.length === 0) return 'must name a host that can be found; no address is known for this one.';
    return addresses.every(({ address }) => isPublicAddress(address))
      ? undefined
      : 'must name a host on the public Internet; this one leads to an address that is not.';
  };
