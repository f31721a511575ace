import { Webhook } from 'standardwebhooks';
import { type Receiver, startReceiver } from '#test/support/receiver.ts';

/** How an endpoint behaves once the second phase has begun; in the first all are healthy. */
export const KINDS = ['healthy', 'slow', 'dead', 'flapping', 'gone'] as const;
export type Kind = (typeof KINDS)[number];

/** What an endpoint got of one event. */
export interface Got {
  posts: number;
  /** How many of them it answered with 200. */
  accepted: number;
  /** Milliseconds from the landing, as the event tells it, to the first POST. */
  readonly lag: number;
  readonly at: number;
}

/** A merchant's webhook endpoint: a real HTTP server that behaves as its kind says and keeps its own books. */
export interface Hook {
  readonly kind: Kind;
  readonly url: string;
  readonly got: ReadonlyMap<string, Got>;
  /** Webhooks whose signature did not fit. */
  forged(): number;
  /** The endpoint's id and secret, once the service has issued them. */
  issued: { readonly id: string; readonly secret: string; readonly types: readonly string[] } | undefined;
  /** Begins to behave as its kind says. */
  misbehave(): Promise<void>;
  stop(): Promise<void>;
}

/** A flapping endpoint is down and up for so long by turns. */
const FLAP_MS = 2_000;

/** Opens a merchant's server. `slowMs`: how long a slow one takes to answer. */
export const openHook = async (kind: Kind, slowMs: number): Promise<Hook> => {
  const receiver: Receiver = await startReceiver();
  const got = new Map<string, Got>();
  let forged = 0;
  let misbehaves = false;
  let stopped = false;
  const hook: Hook = {
    kind,
    url: receiver.url,
    got,
    forged: () => forged,
    issued: undefined,
    misbehave: async () => {
      misbehaves = true;
      if (kind === 'dead') await hook.stop();
    },
    stop: async () => {
      if (!stopped) await receiver.stop();
      stopped = true;
    },
  };
  const statusNow = (at: number): number => {
    if (!misbehaves) return 200;
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
    const one = got.get(id) ?? { posts: 0, accepted: 0, lag: at - Date.parse(JSON.parse(body).timestamp), at };
    one.posts += 1;
    if (status === 200) one.accepted += 1;
    got.set(id, one);
    const reply = (): void => {
      response.writeHead(status).end();
    };
    if (misbehaves && kind === 'slow') setTimeout(reply, slowMs);
    else reply();
  });
  return hook;
};
