import { Agent, request } from 'node:http';

export interface BenchRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly key: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface BenchAnswer {
  readonly status: number;
  readonly text: string;
  /** Milliseconds from the request to the complete answer. */
  readonly ms: number;
}

/** Milliseconds. A request without an answer by then fails. */
const ANSWER_MS = 30_000;

/**
 * Returns a client of one server that keeps its connections open. It does not use fetch, which would cost more than the measured request.
 * @throws Error when there is no answer.
 */
export const newClient = (baseUrl: string) => {
  const agent = new Agent({ keepAlive: true });
  const ask = ({ method, path, key, body, headers: more }: BenchRequest): Promise<BenchAnswer> =>
    new Promise((resolve, reject) => {
      const startedAt = performance.now();
      const text = body === undefined ? undefined : JSON.stringify(body);
      const headers = {
        authorization: `Bearer ${key}`,
        ...more,
        ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      };
      const outgoing = request(`${baseUrl}${path}`, { method, agent, headers, timeout: ANSWER_MS });
      outgoing.on('response', (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const ms = performance.now() - startedAt;
          const answer = Buffer.concat(chunks).toString();
          resolve({ status: incoming.statusCode ?? 0, text: answer, ms });
        });
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error(`${method} ${path} was not answered in time.`)));
      outgoing.on('error', reject);
      outgoing.end(text);
    });
  return { ask, close: () => agent.destroy() };
};
export type Client = ReturnType<typeof newClient>;

/** Runs work `count` times, at most `width` at a time. */
export const inParallel = async (count: number, width: number, work: (i: number) => Promise<void>): Promise<void> => {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: width }, worker));
};
