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

/** How to post webhooks. */
export interface WebhookPosterOptions {
  /** Milliseconds from the look-up of the name to the end of the answer's head, and at most to the end of its body. */
  readonly timeoutMs: number;
  readonly targets: WebhookTargets;
  /** Default: the machine's name servers; under `any` the system's look-up, which knows `localhost` and /etc/hosts. */
  readonly resolve?: Resolve;
  /** The clock by which idle connections end; default: the system's. */
  readonly now?: () => Millis;
}

type Posted = Awaited<ReturnType<PostWebhook>>;

/** How much of an answer is kept for the merchant. The rest is not read. */
const MAX_RESPONSE_BYTES = 1_024;
/**
 * Milliseconds for that start of an answer, after its head: a lost packet comes again after a second (RFC 6298). A body that never ends
 * then holds a consumer for less than what counts as slow (5 s, breaker.ts).
 */
const BODY_TIMEOUT_MS = 2_000;
const BROKEN_OFF = 'The connection was closed without an answer.';
/** The `User-Agent` of every webhook. */
export const USER_AGENT = 'payments-webhooks/1';

const NO_ANSWER: Posted = { statusCode: null, error: null, response: null, retryAfter: null };

const unanswered = (error: string): Posted => ({ ...NO_ANSWER, error });

const answered = ({ statusCode, headers }: IncomingMessage, response: string): Posted => ({
  statusCode: statusCode ?? null,
  error: null,
  response,
  retryAfter: headers['retry-after'] ?? null,
});

/** Collects the start of an answer, without cutting within a character. */
const responseStart = () => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return {
    /** Adds a chunk; false when there is enough. */
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
 * Sends the body and reads the answer. Resolves once. As soon as an answer's head is there its status counts, whatever becomes of its body.
 * The connection is kept only after a complete exchange.
 */
const exchange = (outgoing: ClientRequest, body: string, timeoutMs: number): Promise<Posted> =>
  new Promise((resolve) => {
    let answer: IncomingMessage | undefined;
    let settled = false;
    const start = responseStart();
    const timers: NodeJS.Timeout[] = [];
    const settle = (posted: Posted): void => {
      settled = true;
      for (const timer of timers) clearTimeout(timer);
      resolve(posted);
    };
    /** The failure counts only where no answer has begun. */
    const end = (failure: string): void => settle(answer ? answered(answer, start.text()) : unanswered(failure));
    const abort = (failure: string): void => {
      end(failure);
      outgoing.destroy();
    };
    const refusedStatus = statusOfRefusedHead(outgoing);
    timers.push(setTimeout(() => abort(`No answer within ${timeoutMs / 1_000} s.`), timeoutMs));
    limitAnswer(outgoing, abort);
    outgoing.on('response', (incoming) => {
      if (settled) return;
      answer = incoming;
      timers.push(setTimeout(() => abort(BROKEN_OFF), BODY_TIMEOUT_MS));
      incoming.on('data', (chunk: Buffer) => start.add(chunk) || abort(BROKEN_OFF));
      incoming.on('error', () => abort(BROKEN_OFF));
      // The answer may end while the request is still being sent: that connection cannot be kept.
      incoming.on('end', () => (outgoing.writableFinished ? end(BROKEN_OFF) : abort(BROKEN_OFF)));
    });
    outgoing.on('error', (error) => {
      // An answer ends by its own events: what came of its body before the error may not have been handed over yet.
      if (answer) return;
      const statusCode = refusedStatus(error);
      settle(statusCode === null ? unanswered(failureSentence(error)) : { ...NO_ANSWER, statusCode });
    });
    // Such as after a 101, when neither an answer nor an error comes.
    outgoing.on('close', () => end(BROKEN_OFF));
    outgoing.end(body);
  });

/**
 * Posts webhooks over connections to checked addresses only (architecture.md section 5, SSRF). Never throws. Follows no redirect: a
 * 3xx is an answer like any other. Ignores proxy variables of the environment. Under `public` a host that is an IP address is
 * refused here, because Node makes no look-up for it.
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
    if (problem) return unanswered(`The request was not sent: the URL ${problem}`);
    try {
      return await exchange(openRequest(request, agentsAt(now())), request.body, timeoutMs);
    } catch (error) {
      // The exchange rejects with errors of Node only; every field of theirs that is read is optional.
      return unanswered(failureSentence(error as NodeJS.ErrnoException));
    }
  };
};
