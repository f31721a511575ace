import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { StringDecoder } from 'node:string_decoder';
import type { Millis } from '#shared/platform/kernel/time.ts';
import { targetProblem, type WebhookTargets } from '#shared/webhooks/domain/target.ts';
import type { PostWebhook } from '#shared/webhooks/ports.ts';
import { limitAnswer } from './answer-limits.ts';
import { type Agents, connections } from './connections.ts';
import { failureSentence } from './failure-sentence.ts';
import { pinnedLookup } from './pinned-lookup.ts';
import { statusOfRefusedHead } from './refused-head.ts';
import { askNameServers, askSystem, type Resolve } from './resolve.ts';

export interface WebhookPosterOptions {
  /** The most time for the whole exchange, from the look-up of the name on. If the head of an answer arrived by then, its status counts. Milliseconds. */
  readonly timeoutMs: number;
  readonly targets: WebhookTargets;
  /** Default: the machine's name servers; if `targets` is `any`, the system's look-up, which knows `localhost` and /etc/hosts. */
  readonly resolve?: Resolve;
  /** The clock by which idle connections are ended. Default: the system's. */
  readonly now?: () => Millis;
}

type PostResult = Awaited<ReturnType<PostWebhook>>;

/** The number of bytes, from the start of an answer's body, that are stored for the merchant. The rest is not used. */
const MAX_RESPONSE_BYTES = 1_024;
/**
 * The time for the start of the body, after the head has arrived. Milliseconds. It is long enough if a packet is lost, because that is sent again
 * after a second (RFC 6298). A body that never ends occupies a consumer for this time only, which is less than the time that counts as slow (5 s,
 * breaker.ts).
 */
const BODY_TIMEOUT_MS = 2_000;
const CLOSED_WITHOUT_ANSWER = 'The connection was closed without an answer.';
/** The `User-Agent` of every webhook. */
export const USER_AGENT = 'payments-webhooks/1';

const NO_ANSWER: PostResult = { statusCode: null, error: null, response: null, retryAfter: null };

const resultWithoutAnswer = (error: string): PostResult => ({ ...NO_ANSWER, error });

const resultWithAnswer = ({ statusCode, headers }: IncomingMessage, response: string): PostResult => ({
  statusCode: statusCode ?? null,
  error: null,
  response,
  retryAfter: headers['retry-after'] ?? null,
});

/** Collects the start of a body and does not cut a character in two. */
const collectStart = () => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return {
    /** Adds a chunk. Returns false if the start is complete. */
    add: (chunk: Buffer): boolean => {
      chunks.push(chunk);
      bytes += chunk.length;
      return bytes < MAX_RESPONSE_BYTES;
    },
    text: (): string => new StringDecoder('utf8').write(Buffer.concat(chunks).subarray(0, MAX_RESPONSE_BYTES)),
  };
};

const openRequest = ({ url, headers, body }: Parameters<PostWebhook>[0], agents: Agents): ClientRequest => {
  const target = new URL(url);
  const isHttps = target.protocol === 'https:';
  return (isHttps ? requestHttps : requestHttp)(target, {
    method: 'POST',
    agent: agents[isHttps ? 'https:' : 'http:'],
    headers: {
      ...headers,
      'user-agent': USER_AGENT,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    },
  });
};

/**
 * Sends the body and reads the answer. After the head of an answer has arrived, its status counts, even if the body fails. The connection
 * is kept only after a complete exchange.
 */
const exchange = (outgoing: ClientRequest, body: string, timeoutMs: number): Promise<PostResult> =>
  new Promise((resolve) => {
    let answer: IncomingMessage | undefined;
    let isSettled = false;
    const start = collectStart();
    const timers: NodeJS.Timeout[] = [];
    const settle = (result: PostResult): void => {
      isSettled = true;
      for (const timer of timers) clearTimeout(timer);
      resolve(result);
    };
    /** Ends the exchange. The failure counts only if no answer has begun. */
    const end = (failure: string): void =>
      settle(answer ? resultWithAnswer(answer, start.text()) : resultWithoutAnswer(failure));
    const abort = (failure: string): void => {
      end(failure);
      outgoing.destroy();
    };
    const refusedStatus = statusOfRefusedHead(outgoing);
    timers.push(setTimeout(() => abort(`No answer within ${timeoutMs / 1_000} s.`), timeoutMs));
    limitAnswer(outgoing, abort);
    outgoing.on('response', (incoming) => {
      if (isSettled) return;
      answer = incoming;
      timers.push(setTimeout(() => abort(CLOSED_WITHOUT_ANSWER), BODY_TIMEOUT_MS));
      incoming.on('data', (chunk: Buffer) => start.add(chunk) || abort(CLOSED_WITHOUT_ANSWER));
      incoming.on('error', () => abort(CLOSED_WITHOUT_ANSWER));
      // If the answer ends while the request is still being sent, the connection cannot be kept.
      incoming.on('end', () => (outgoing.writableFinished ? end(CLOSED_WITHOUT_ANSWER) : abort(CLOSED_WITHOUT_ANSWER)));
    });
    outgoing.on('error', (error) => {
      // If an answer has begun, its own events end the exchange: a part of the body may have arrived before the error and is not read yet.
      if (answer) return;
      const statusCode = refusedStatus(error);
      settle(statusCode === null ? resultWithoutAnswer(failureSentence(error)) : { ...NO_ANSWER, statusCode });
    });
    // After a 101, for example, neither an answer nor an error comes.
    outgoing.on('close', () => end(CLOSED_WITHOUT_ANSWER));
    outgoing.end(body);
  });

/**
 * Posts webhooks over connections to checked addresses only (against SSRF). It never throws. It follows no redirect: a 3xx is an answer like any
 * other. It ignores the proxy variables of the environment. If `targets` is `public`, it does not post to a host that is an IP address: Node
 * calls no look-up for such a host, so nothing would check the address before the connection.
 */
export const webhookPoster = ({
  timeoutMs,
  targets,
  resolve = targets === 'any' ? askSystem : askNameServers(),
  now = Date.now,
}: WebhookPosterOptions): PostWebhook => {
  const agentsAt = connections(targets, (closed) => pinnedLookup(targets, resolve, closed));
  return async (request) => {
    const problem = targetProblem(request.url, targets);
    if (problem) return resultWithoutAnswer(`The request was not sent: the URL ${problem}`);
    try {
      return await exchange(openRequest(request, agentsAt(now())), request.body, timeoutMs);
    } catch (error) {
      // The exchange rejects with errors of Node only, and the fields that are read from them are optional.
      return resultWithoutAnswer(failureSentence(error as NodeJS.ErrnoException));
    }
  };
};
