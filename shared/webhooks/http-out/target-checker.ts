import { targetProblem, type WebhookTargets } from '#shared/webhooks/domain/target.ts';
import type { CheckTarget } from '#shared/webhooks/ports.ts';
import { isPublicAddress } from './public-address.ts';
import { askNameServers, type Resolve } from './resolve.ts';

/**
 * The time for which a request of the API waits for name servers. Milliseconds. It is shorter than the time for a webhook, because the merchant
 * controls the name servers and each waiting request occupies a function.
 */
const LOOKUP_TIMEOUT_MS = 1_500;

/** Asks name servers with the short timeout of an API request. Default: the name servers of the machine. */
export const askBriefly = (servers?: readonly string[]): Resolve =>
  askNameServers({ timeoutMs: LOOKUP_TIMEOUT_MS, ...(servers && { servers }) });

/**
 * Creates the check of a URL before it is saved. It checks the form of the URL. If `targets` is `public`, it also checks the present
 * addresses of the host. The addresses are checked again at every connection (pinned-lookup.ts).
 */
export const targetChecker =
  (targets: WebhookTargets, resolve: Resolve = askBriefly()): CheckTarget =>
  async (url) => {
    const problem = targetProblem(url, targets);
    if (problem !== undefined || targets === 'any') return problem;
    const addresses = await resolve(new URL(url).hostname).catch(() => undefined);
    if (!addresses) {
      return 'must name a host that can be found; the name servers of this one gave no A or AAAA address.';
    }
    if (addresses.length === 0) return 'must name a host that can be found; no address is known for this one.';
    return addresses.every(({ address }) => isPublicAddress(address))
      ? undefined
      : 'must name a host on the public Internet; this one leads to an address that is not public.';
  };
