import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { inParallel } from '#test/bench/requests.ts';

export interface Request {
  readonly method?: string;
  readonly path: string;
  readonly key?: string;
  /** An object is sent as JSON, a string unchanged. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** The sender's address: any of 127.0.0.0/8. */
  readonly from?: string;
}

export interface Answer {
  readonly status: number;
  readonly ms: number;
  // biome-ignore lint/suspicious/noExplicitAny: an attacker reads whatever the answer holds.
  readonly json: any;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

const parseJson = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};

/** Sends a request from any loopback address and returns its answer. */
export const send = (baseUrl: string, { method = 'GET', path, key, body, headers, from }: Request): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const payload = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    const outgoing = request(new URL(path, baseUrl), {
      agent,
      method,
      ...(from !== undefined && { localAddress: from }),
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(payload !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(payload),
        }),
        ...headers,
      },
    });
    outgoing.on('response', async (answer) => {
      const received = await text(answer);
      resolve({ status: answer.statusCode ?? 0, ms: performance.now() - startedAt, json: parseJson(received) });
    });
    outgoing.on('error', reject).end(payload);
  });

/** Counts the answers by status, as in `201 × 30, 429 × 70`. */
export const formatStatusCounts = (answers: readonly Answer[]): string => {
  const counts = new Map<number, number>();
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${status} × ${count}`)
    .join(', ');
};

/** Sends requests concurrently, at most 32 at a time. */
export const flood = async (count: number, sendOne: (i: number) => Promise<Answer>): Promise<Answer[]> => {
  const answers: Answer[] = [];
  await inParallel(count, 32, async (i) => {
    answers.push(await sendOne(i));
  });
  return answers;
};
