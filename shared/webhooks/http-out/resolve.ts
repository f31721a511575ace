import type { LookupAddress } from 'node:dns';
import { CANCELLED, lookup, NODATA, NOTFOUND, Resolver, TIMEOUT } from 'node:dns/promises';

/**
 * Resolves a name to its addresses of both families; none when it has none. Rejects with an error code when the look-up failed, and
 * possibly when there are none. An abort of `ended` cancels it.
 */
export type Resolve = (hostname: string, ended?: AbortSignal) => Promise<readonly LookupAddress[]>;

/** Which name servers to ask, and for how long. */
export interface NameServers {
  /** As `address:port`; those of the machine (/etc/resolv.conf) if left out. */
  readonly servers?: readonly string[];
  /** Milliseconds for a whole look-up, over all servers and retries. */
  readonly timeoutMs?: number;
}

/** A third of an attempt's time (ATTEMPT_TIMEOUT). Milliseconds. */
const LOOKUP_TIMEOUT_MS = 5_000;
/** A packet may get lost, so a second one is sent after two fifths of the time; a slow resolver has the rest to answer it. */
const resolverOptions = (timeoutMs: number) => ({ timeout: Math.ceil(timeoutMs * 0.4), tries: 2 });

const emptyIfNoRecords = (error: NodeJS.ErrnoException): readonly never[] => {
  if (error.code === NODATA || error.code === NOTFOUND) return [];
  throw error.code === CANCELLED ? Object.assign(error, { code: TIMEOUT }) : error;
};

/**
 * Asks name servers for both families at once, over sockets. The system's look-up would hold one of the process's few threads: a
 * silent name server would delay others, and neither an abort nor a timeout would end it. Reads no /etc/hosts. A family whose query
 * fails counts as empty if the other has an address: many name servers fail for AAAA (RFC 4074), and only checked addresses are
 * connected to. Rejects if there is no address and a query failed (ETIMEOUT, ESERVFAIL, EREFUSED and the like).
 */
export const askNameServers =
  ({ servers, timeoutMs = LOOKUP_TIMEOUT_MS }: NameServers = {}): Resolve =>
  async (hostname, ended) => {
    const resolver = new Resolver(resolverOptions(timeoutMs));
    if (servers) resolver.setServers(servers);
    const cancel = (): void => resolver.cancel();
    const timer = setTimeout(cancel, timeoutMs);
    ended?.addEventListener('abort', cancel);
    try {
      const answers = await Promise.allSettled([
        resolver.resolve4(hostname).catch(emptyIfNoRecords),
        resolver.resolve6(hostname).catch(emptyIfNoRecords),
      ]);
      // IPv4 first: a Lambda outside a dual-stack VPC has no route to an IPv6 address.
      const addresses = answers.flatMap((answer, i) =>
        answer.status === 'rejected' ? [] : answer.value.map((address) => ({ address, family: i === 0 ? 4 : 6 })),
      );
      const failed = answers.find((answer) => answer.status === 'rejected');
      if (addresses.length === 0 && failed) throw failed.reason;
      return addresses;
    } finally {
      clearTimeout(timer);
      ended?.removeEventListener('abort', cancel);
    }
  };

/** Resolves as the system does, with /etc/hosts and `localhost`. Holds a thread until it ends: not for names that merchants choose. */
export const askSystem: Resolve = (hostname) => lookup(hostname, { all: true, order: 'verbatim' });
