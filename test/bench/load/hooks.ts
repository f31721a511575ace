import { Webhook } from 'standardwebhooks';
import { type Receiver, startReceiver } from '#test/support/worlds/receiver.ts';

/** How an endpoint behaves in the second phase. In the other phases all are healthy. */
export const KINDS = ['healthy', 'slow', 'dead', 'flapping', 'gone'] as const;
export type Kind = (typeof KINDS)[number];

/** What an endpoint received of one event. */
export interface Received {
  posts: number;
  /** How many of them it answered with 200. */
  accepted: number;
  /** Whether it was first accepted after the endpoint had recovered. */
  late: boolean;
  /** Milliseconds from the event's `timestamp` to the first POST: what its request waited before that is not counted. */
  readonly lag: number;
  /** When the first POST arrived, milliseconds since the epoch. */
  readonly at: number;
}

/** A merchant's webhook endpoint: an HTTP server that behaves as its kind says and records what it receives. */
export interface Hook {
  readonly kind: Kind;
  readonly url: string;
  readonly got: ReadonlyMap<string, Received>;
  /** How many webhooks had a wrong signature. */
  forged(): number;
  /** The endpoint's id and secret, once the service has issued them. */
  issued: { readonly id: string; readonly secret: string; readonly types: readonly string[] } | undefined;
  /** Starts to behave as its kind says. */
  misbehave(): Promise<void>;
  /** Becomes healthy again, at the same URL. */
  recover(): Promise<void>;
  stop(): Promise<void>;
}

/** A flapping endpoint is down and up in turns, each for this long. */
const FLAP_MS = 2_000;

/** Starts a merchant's server. A slow one takes `slowMs` milliseconds to answer. */
export const openHook = async (kind: Kind, slowMs: number): Promise<Hook> => {
  const receiver: Receiver = await startReceiver();
  const got = new Map<string, Received>();
  let forged = 0;
  let state: 'healthy' | 'misbehaves' | 'recovered' = 'healthy';
  let stopped = false;
  const hook: Hook = {
    kind,
    url: receiver.url,
    got,
    forged: () => forged,
    issued: undefined,
    misbehave: async () => {
      state = 'misbehaves';
      if (kind === 'dead') await hook.stop();
    },
    recover: async () => {
      state = 'recovered';
      if (stopped) await receiver.restart();
      stopped = false;
    },
    stop: async () => {
      if (!stopped) await receiver.stop();
      stopped = true;
    },
  };
  const statusNow = (at: number): number => {
    if (state !== 'misbehaves') return 200;
    if (kind === 'gone') return 410;
    return kind === 'flapping' && Math.floor(at / FLAP_MS) % 2 === 0 ? 500 : 200;
  };
  receiver.answer((response, { headers, body, at }) => {
    try {
      new Webhook(hook.issued?.secret ?? '').verify(body, headers as Record<string, string>);
    } catch {
      forged += 1;
    }
    const id = String(headers['webhook-id']);
    const status = statusNow(at);
    const one = got.get(id) ?? {
      posts: 0,
      accepted: 0,
      late: false,
      lag: at - Date.parse(JSON.parse(body).timestamp),
      at,
    };
    one.posts += 1;
    if (status === 200) {
      one.late ||= kind !== 'healthy' && one.accepted === 0 && state === 'recovered';
      one.accepted += 1;
    }
    got.set(id, one);
    const reply = (): void => {
      response.writeHead(status).end();
    };
    if (state === 'misbehaves' && kind === 'slow') setTimeout(reply, slowMs);
    else reply();
  });
  return hook;
};
