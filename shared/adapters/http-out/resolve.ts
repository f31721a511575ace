import type { LookupAddress } from 'node:dns';
import { CANCELLED, lookup, NODATA, NOTFOUND, Resolver, TIMEOUT } from 'node:dns/promises';

/**
 * The addresses of a name, of both families; none when it has none. Rejects with a code when they could not be learnt, and
 * may when there are none. An abort of `ended` says that nobody waits any more.
 */
export type Resolve = (hostname: string, ended?: AbortSignal) => Promise<readonly LookupAddress[]>;

/** Which name servers to ask, and for how long. */
export interface NameServers {
  /** As `address:port`; those of the machine (/etc/resolv.conf) if left out. */
  readonly servers?: readonly string[];
  /** Milliseconds for a whole look-up, however many servers are asked and however often. */
  readonly withinMs?: number;
}

/** A third of what a delivery may take (ATTEMPT_TIMEOUT): a name server that is silent for so long is as good as none. */
const WITHIN_MS = 5_000;
/** A second packet after two seconds, because one may get lost; it leaves a slow resolver three more to answer it. */
const PATIENCE = { timeout: 2_000, tries: 2 };

const noneOf = (error: NodeJS.ErrnoException): readonly never[] => {
  if (error.code === NODATA || error.code === NOTFOUND) return [];
  throw error.code === CANCELLED ? Object.assign(error, { code: TIMEOUT }) : error;
};

/**
 * Asks name servers for both families at once, by sockets of its own: unlike the system's look-up it occupies none of the few
 * threads of the process, so that a silent name server delays nobody else, and an abort or the end of its time really ends
 * it. Reads no /etc/hosts. A family that goes unanswered counts as none where the other has an address: many name servers fail for
 * AAAA (RFC 4074), and who hides an address gains nothing, since nobody connects to one that was not judged. Rejects where
 * neither has one and one went unanswered (ETIMEOUT, ESERVFAIL, EREFUSED and the like).
 */
export const askNameServers =
  ({ servers, withinMs = WITHIN_MS }: NameServers = {}): Resolve =>
  async (hostname, ended) => {
    const resolver = new Resolver(PATIENCE);
    if (servers) resolver.setServers(servers);
    const cancel = (): void => resolver.cancel();
    const timer = setTimeout(cancel, withinMs);
    ended?.addEventListener('abort', cancel);
    try {
      const answers = await Promise.allSettled([
        resolver.resolve4(hostname).catch(noneOf),
        resolver.resolve6(hostname).catch(noneOf),
      ]);
      // IPv4 is tried first: a Lambda outside a dual-stack VPC has no way to an IPv6 address.
      const found = answers.flatMap((answer, i) =>
        answer.status === 'rejected' ? [] : answer.value.map((address) => ({ address, family: i === 0 ? 4 : 6 })),
      );
      const unanswered = answers.find((answer) => answer.status === 'rejected');
      if (found.length === 0 && unanswered) throw unanswered.reason;
      return found;
    } finally {
      clearTimeout(timer);
      ended?.removeEventListener('abort', cancel);
    }
  };

/** Asks as every program of the machine does, /etc/hosts and `localhost` included. Holds a thread until it has an answer: not for names that merchants choose. */
export const askSystem: Resolve = (hostname) => lookup(hostname, { all: true, order: 'verbatim' });
