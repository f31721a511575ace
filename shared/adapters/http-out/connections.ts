import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { type LookupFunction, Socket } from 'node:net';
import type { WebhookTargets } from '#shared/domain/webhooks/target.ts';
import { TargetNotPublic } from './pinned-lookup.ts';
import { isPublicAddress } from './public-address.ts';

/** Milliseconds. Half of the shortest idle time that common servers grant (gunicorn: 2 s): a POST hardly ever meets a closing connection. */
const MAX_IDLE_MS = 1_000;
/** Milliseconds. A name is resolved anew this often at least, however busy its connections are. */
const MAX_AGE_MS = 60_000;
/**
 * Milliseconds for a connection to one address of several before the next is tried. Node's 250 are less than one lost packet costs,
 * which comes again after a second (RFC 6298), and the next may be one of IPv6 that leads nowhere. Two dead addresses still leave an
 * attempt short of a slow one's 5 s (breaker.ts).
 */
const TRY_MS = 2_000;

/** What makes and keeps connections, by the protocol of a URL. */
export interface Agents {
  readonly 'http:': HttpAgent;
  readonly 'https:': HttpsAgent;
}

/** Makes the look-up for one connection; the signal says that the connection has closed. */
export type LookupFor = (closed: AbortSignal) => LookupFunction;

/**
 * Gives each connection its own look-up, which ends with it: node goes on with one after its request was given up. Under
 * `public`, cuts a connection to an address that is not public before a byte is sent over it, be it of a TLS hello.
 */
const guarded = <A extends HttpAgent>(agent: A, targets: WebhookTargets, lookupFor: LookupFor): A => {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    const closed = new AbortController();
    const socket = connect({ ...options, lookup: lookupFor(closed.signal) }, callback);
    if (!(socket instanceof Socket)) return socket;
    socket.once('close', () => closed.abort());
    if (targets === 'any') return socket;
    return socket.prependOnceListener('connect', () => {
      if (!isPublicAddress(socket.remoteAddress ?? '')) socket.destroy(new TargetNotPublic());
    });
  };
  return agent;
};

const newAgents = (targets: WebhookTargets, lookupFor: LookupFor): Agents => {
  const options = { keepAlive: true, timeout: MAX_IDLE_MS, autoSelectFamilyAttemptTimeout: TRY_MS };
  return {
    'http:': guarded(new HttpAgent(options), targets, lookupFor),
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED changes nothing. No `proxyEnv`, so that no proxy variable does either.
    'https:': guarded(new HttpsAgent({ ...options, rejectUnauthorized: true }), targets, lookupFor),
  };
};

/**
 * Connections that are kept between requests for a second, each to addresses that its look-up gave and, under `public`,
 * checked once more when it stands. Returns what gives the agents to use at a time (milliseconds since the epoch).
 */
export const connections = (targets: WebhookTargets, lookupFor: LookupFor): ((now: number) => Agents) => {
  let agents = newAgents(targets, lookupFor);
  let madeAt = 0;
  let usedAt = 0;
  return (now) => {
    // After a pause without timers, such as between two invocations of a Lambda, nobody knows which connections still live.
    if (now - usedAt > MAX_IDLE_MS || now - madeAt > MAX_AGE_MS) {
      // The requests under way keep the old agents; their connections end when idle.
      agents = newAgents(targets, lookupFor);
      madeAt = now;
    }
    usedAt = now;
    return agents;
  };
};
