import { targetProblem, type WebhookTargets } from '#shared/domain/webhook-target.ts';
import type { CheckTarget } from '#shared/ports.ts';
import { askSystem, type Resolve } from './pinned-lookup.ts';
import { isPublicAddress } from './public-address.ts';

/** A name server that is silent for so long is as good as a name that nobody knows. */
const ANSWER_MS = 5_000;

const unanswered = async (): Promise<readonly never[]> => [];

/** All addresses of a name; none when it is unknown or nobody answers in time. */
const addressesOf = async (hostname: string, resolve: Resolve) => {
  const inTime = AbortSignal.timeout(ANSWER_MS);
  const late = new Promise<readonly never[]>((done) => {
    inTime.addEventListener('abort', () => done([]), { once: true });
  });
  return Promise.race([resolve(hostname).catch(unanswered), late]);
};

/**
 * Judges a URL when it is saved: its form, and under `public` where its name leads at this moment. What it leads to later is
 * judged at every connection (pinned-lookup.ts).
 */
export const targetChecker =
  (targets: WebhookTargets, resolve: Resolve = askSystem): CheckTarget =>
  async (url) => {
    const problem = targetProblem(url, targets);
    if (problem !== undefined || targets === 'any') return problem;
    const addresses = await addressesOf(new URL(url).hostname, resolve);
    if (addresses.length === 0) return 'must name a host that can be found; no address is known for this one.';
    return addresses.every(({ address }) => isPublicAddress(address))
      ? undefined
      : 'must name a host on the public Internet; this one leads to an address that is not.';
  };
