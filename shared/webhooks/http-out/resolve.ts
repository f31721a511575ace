import type { LookupAddress } from 'node:dns';
import { CANCELLED, lookup, NODATA, NOTFOUND, Resolver, TIMEOUT } from 'node:dns/promises';

/**
 * Resolves a name to its addresses of both families. If the name has no address it returns none or rejects. If the look-up fails it rejects
 * with an error code. An abort of `ended` cancels the look-up.
 */
export type Resolve = (hostname: string, ended?: AbortSignal) => Promise<readonly LookupAddress[]>;

/** The name servers to ask, and the time for a look-up. */
export interface NameServers {
  /** Each as `address:port`. Default: those of the machine (/etc/resolv.conf). */
  readonly servers?: readonly string[];
  /** The time for a whole look-up, over all servers and retries. Milliseconds. */
  readonly timeoutMs?: number;
}

/** The time for a look-up: a third of an attempt's time (ATTEMPT_TIMEOUT). Milliseconds. */
const LOOKUP_TIMEOUT_MS = 5_000;
/** A packet may get lost, so a second one is sent after two fifths of the time. A slow resolver has the rest of the time to answer it. */
const resolverOptions = (timeoutMs: number) => ({ timeout: Math.ceil(timeoutMs * 0.4), tries: 2 });

const emptyIfNoRecords = (error: NodeJS.ErrnoException): readonly never[] => {
  if (error.code === NODATA || error.code === NOTFOUND) return [];
  throw error.code === CANCELLED ? Object.assign(error, { code: TIMEOUT }) : error;
};

/**
 * Asks name servers for both families at once, over sockets. The system's look-up would occupy one of the process's few threads: a silent name
 * server would delay other look-ups, and neither an abort nor a timeout would end it. `askNameServers` does not read /etc/hosts. If the query of
 * one family fails and the other has an address, the failed family counts as empty, because many name servers fail for AAAA (RFC 4074). That is
 * safe: connections go only to addresses that came and were checked. Rejects if no address came and a query failed (ETIMEOUT, ESERVFAIL, EREFUSED
 * and others).
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

/**
 * Resolves as the system does, with /etc/hosts and `localhost`. A look-up occupies a thread until it ends: never use `askSystem` for names from
 * merchants.
 */
export const askSystem: Resolve = (hostname) => lookup(hostname, { all: true, order: 'verbatim' });
