import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { type LookupFunction, Socket } from 'node:net';
import { DEFAULT_CIPHERS } from 'node:tls';
import type { WebhookTargets } from '#shared/webhooks/domain/target.ts';
import { sliced } from './answer-limits.ts';
import { TargetNotPublic } from './pinned-lookup.ts';
import { isPublicAddress } from './public-address.ts';

/** Half of the shortest keep-alive of common servers (gunicorn: 2 s), so that a POST rarely meets a closing connection. Milliseconds. */
const MAX_IDLE_MS = 1_000;
/** However busy its connections are, a name is resolved again after this. Milliseconds. */
const MAX_AGE_MS = 60_000;
/**
 * Milliseconds for a connection to one of several addresses before the next is tried. A lost packet is sent again after a second
 * (RFC 6298), so Node's 250 ms give up too early, and the next address may be an IPv6 one without a route. After two dead addresses
 * an attempt still does not count as slow (5 s, breaker.ts).
 */
const ADDRESS_TIMEOUT_MS = 2_000;

/**
 * TLS with bounded work on our side, which is done on this thread before any certificate is judged. With a Diffie-Hellman group of its own
 * choice a server of TLS 1.2 kept every other webhook of this thread waiting for 1.4 s a connection: such key exchange is not offered.
 */
const TLS = { minVersion: 'TLSv1.2', ciphers: `${DEFAULT_CIPHERS}:!kDHE`, ecdhCurve: 'X25519:P-256:P-384' } as const;

/** The agents that make and keep connections, by the protocol of a URL. */
export interface Agents {
  readonly 'http:': HttpAgent;
  readonly 'https:': HttpsAgent;
}

/** Makes the look-up for one connection. The signal aborts when the connection closes. */
export type LookupFor = (closed: AbortSignal) => LookupFunction;

/**
 * Gives each connection its own look-up, which ends with it: Node continues a look-up after its request was aborted. Under
 * `public`, destroys a connection to an address that is not public before any byte is sent, even of a TLS handshake.
 */
const guarded = <A extends HttpAgent>(agent: A, targets: WebhookTargets, lookupFor: LookupFor): A => {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    const closed = new AbortController();
    const socket = connect({ ...options, lookup: lookupFor(closed.signal) }, callback);
    if (!(socket instanceof Socket)) return socket;
    sliced(socket).once('close', () => closed.abort());
    if (targets === 'any') return socket;
    return socket.prependOnceListener('connect', () => {
      if (!isPublicAddress(socket.remoteAddress ?? '')) socket.destroy(new TargetNotPublic());
    });
  };
  return agent;
};

const newAgents = (targets: WebhookTargets, lookupFor: LookupFor): Agents => {
  const options = { keepAlive: true, timeout: MAX_IDLE_MS, autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS };
  return {
    'http:': guarded(new HttpAgent(options), targets, lookupFor),
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED changes nothing. No `proxyEnv`, so that no proxy variable does either.
    'https:': guarded(new HttpsAgent({ ...options, ...TLS, rejectUnauthorized: true }), targets, lookupFor),
  };
};

/**
 * Connections are kept for a second between requests. Each goes to an address that its look-up returned and, under `public`, that is
 * checked again once connected. Returns a function that gives the agents to use at a time (milliseconds since the epoch).
 */
export const connections = (targets: WebhookTargets, lookupFor: LookupFor): ((now: number) => Agents) => {
  let agents = newAgents(targets, lookupFor);
  let madeAt = 0;
  let usedAt = 0;
  return (now) => {
    // A Lambda runs no timers between two invocations, so after a pause idle connections may be dead.
    if (now - usedAt > MAX_IDLE_MS || now - madeAt > MAX_AGE_MS) {
      // Requests under way keep the old agents, whose connections close when idle.
      agents = newAgents(targets, lookupFor);
      madeAt = now;
    }
    usedAt = now;
    return agents;
  };
};
