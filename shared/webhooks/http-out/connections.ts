import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { type LookupFunction, Socket } from 'node:net';
import { DEFAULT_CIPHERS } from 'node:tls';
import type { WebhookTargets } from '#shared/webhooks/domain/target.ts';
import { sliceReads } from './answer-limits.ts';
import { TargetNotPublic } from './pinned-lookup.ts';
import { isPublicAddress } from './public-address.ts';

/**
 * The longest time for which an unused connection is kept. Half of the shortest keep-alive of common servers (gunicorn: 2 s), so that a POST
 * rarely uses a closing connection. Milliseconds.
 */
const MAX_IDLE_MS = 1_000;
/** A name is resolved again after this time, however busy its connections are. Milliseconds. */
const MAX_AGE_MS = 60_000;
/**
 * The time for connecting to one of several addresses before the next is tried. Milliseconds. Node's default of 250 ms is too short,
 * because a lost packet is sent again after a second (RFC 6298) and the next address may be an IPv6 one without a route. An attempt with
 * two dead addresses still does not count as slow (5 s, breaker.ts).
 */
const ADDRESS_TIMEOUT_MS = 2_000;

/**
 * Limits the TLS work of a connection, which runs on this thread before the certificate is checked. Finite-field Diffie-Hellman is not offered,
 * because a TLS 1.2 server chooses the group: such a server delayed every other webhook of this thread by 1.4 s for each connection.
 */
const TLS = { minVersion: 'TLSv1.2', ciphers: `${DEFAULT_CIPHERS}:!kDHE`, ecdhCurve: 'X25519:P-256:P-384' } as const;

/** The agents that open and keep connections, by the protocol of a URL. */
export interface Agents {
  readonly 'http:': HttpAgent;
  readonly 'https:': HttpsAgent;
}

/** Creates the look-up for one connection. The signal aborts when the connection closes. */
export type CreateLookup = (closed: AbortSignal) => LookupFunction;

/**
 * Gives each connection its own look-up, which ends with the connection, because Node continues a look-up after its request was aborted. If
 * `targets` is `public`, it also destroys a connection to an address that is not public, before it sends any byte, even of a TLS handshake.
 */
const guardConnections = <A extends HttpAgent>(agent: A, targets: WebhookTargets, createLookup: CreateLookup): A => {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    const closed = new AbortController();
    const socket = connect({ ...options, lookup: createLookup(closed.signal) }, callback);
    if (!(socket instanceof Socket)) return socket;
    sliceReads(socket).once('close', () => closed.abort());
    if (targets === 'any') return socket;
    return socket.prependOnceListener('connect', () => {
      if (!isPublicAddress(socket.remoteAddress ?? '')) socket.destroy(new TargetNotPublic());
    });
  };
  return agent;
};

const createAgents = (targets: WebhookTargets, createLookup: CreateLookup): Agents => {
  const options = { keepAlive: true, timeout: MAX_IDLE_MS, autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS };
  return {
    'http:': guardConnections(new HttpAgent(options), targets, createLookup),
    // `rejectUnauthorized` makes NODE_TLS_REJECT_UNAUTHORIZED ineffective. Without `proxyEnv` proxy variables are ineffective too.
    'https:': guardConnections(new HttpsAgent({ ...options, ...TLS, rejectUnauthorized: true }), targets, createLookup),
  };
};

/**
 * Returns a function that gives the agents to use at a time (milliseconds since the epoch). The agents keep a connection for a second between
 * requests. A connection goes to an address that its look-up returned, and if `targets` is `public`, the address is checked again after
 * connecting.
 */
export const connections = (targets: WebhookTargets, createLookup: CreateLookup): ((now: number) => Agents) => {
  let agents = createAgents(targets, createLookup);
  let madeAt = 0;
  let usedAt = 0;
  return (now) => {
    // A Lambda runs no timers between two invocations, so after a pause idle connections may be dead.
    if (now - usedAt > MAX_IDLE_MS || now - madeAt > MAX_AGE_MS) {
      // Running requests keep the old agents, which close their connections when idle.
      agents = createAgents(targets, createLookup);
      madeAt = now;
    }
    usedAt = now;
    return agents;
  };
};
