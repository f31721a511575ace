import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { StringDecoder } from 'node:string_decoder';
import { targetProblem, type WebhookTargets } from '#shared/domain/webhooks/target.ts';
import type { PostWebhook } from '#shared/ports/webhooks.ts';
import { type Agents, connections } from './connections.ts';
import { failureSentence } from './failure-sentence.ts';
import { pinnedLookup } from './pinned-lookup.ts';
import { askNameServers, askSystem, type Resolve } from './resolve.ts';

/** How to post: within which time, where to, and who answers for names. */
export interface WebhookPosterOptions {
  /** Milliseconds for everything from the look-up of the name to the end of the answer. */
  readonly timeoutMs: number;
  readonly targets: WebhookTargets;
  /** If left out, the name servers of the machine; under `any` the machine itself, which knows `localhost` and /etc/hosts. */
  readonly resolve?: Resolve;
}

type Posted = Awaited<ReturnType<PostWebhook>>;

/** As much of an answer as a merchant can read back; the rest is not waited for. */
const MAX_RESPONSE_BYTES = 1_024;
const USER_AGENT = 'payments-webhooks/1';

const unanswered = (error: string): Posted => ({ statusCode: null, error, response: null, retryAfter: null });

/** The start of an answer, collected as it comes; never cut within a character. */
const responseStart = () => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return {
    /** Whether more is wanted. */
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

/** Sends the body and takes in the answer: resolves exactly once, and leaves a connection open only when it is clean. */
const exchange = (outgoing: ClientRequest, body: string, timeoutMs: number): Promise<Posted> =>
  new Promise((resolve) => {
    let answer: IncomingMessage | undefined;
    let settled = false;
    const start = responseStart();
    const settle = (error: string | null): void => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      const retryAfter = answer?.headers['retry-after'] ?? null;
      resolve({ statusCode: answer?.statusCode ?? null, error, response: answer ? start.text() : null, retryAfter });
    };
    const abort = (error: string | null): void => {
      settle(error);
      outgoing.destroy();
    };
    const timer = setTimeout(() => abort(`No answer within ${timeoutMs / 1_000} s.`), timeoutMs);
    outgoing.on('response', (incoming) => {
      answer = incoming;
      incoming.on('data', (chunk: Buffer) => start.add(chunk) || abort(null));
      incoming.on('error', (error) => abort(failureSentence(error)));
      // An answer that overtakes its request leaves a connection that is still sending.
      incoming.on('end', () => (outgoing.writableFinished ? settle(null) : abort(null)));
    });
    outgoing.on('error', (error) => abort(failureSentence(error)));
    // The last word where neither an answer nor an error comes, such as after a 101; an answer has a last word of its own.
    outgoing.on('close', () => answer ?? settle('The connection was closed without an answer.'));
    outgoing.end(body);
  });

/**
 * Posts webhooks over connections that reach checked addresses only (architecture.md section 5, SSRF). Never throws.
 * Follows no redirect: a 3xx is an answer like any other. No proxy variable of the environment is heeded. Under `public`
 * a host that is an IP address is refused here, because node resolves none.
 */
export const webhookPoster = ({
  timeoutMs,
  targets,
  resolve = targets === 'any' ? askSystem : askNameServers(),
}: WebhookPosterOptions): PostWebhook => {
  const agentsAt = connections(targets, (closed) => pinnedLookup(targets, resolve, closed));
  return async (request) => {
    const problem = targetProblem(request.url, targets);
    if (problem) return unanswered(`The request was not sent: the URL ${problem}`);
    try {
      return await exchange(openRequest(request, agentsAt(Date.now())), request.body, timeoutMs);
    } catch (error) {
      return unanswered(failureSentence(error as NodeJS.ErrnoException));
    }
  };
};
