import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';

/** One call of this process, with its begin and end on the clock of `performance`. */
export interface Span {
  readonly operation: string;
  readonly startedAt: number;
  endedAt: number;
}

/** Counts the most calls in a row that do not overlap. Concurrent calls are one step. */
export const sequentialSteps = (spans: readonly Span[]): number => {
  let steps = 0;
  let previousEnd = Number.NEGATIVE_INFINITY;
  for (const { startedAt, endedAt } of spans.toSorted((a, b) => a.endedAt - b.endedAt)) {
    if (startedAt < previousEnd) continue;
    steps += 1;
    previousEnd = endedAt;
  }
  return steps;
};

/** Records the HTTP calls of this process to the given hosts (`127.0.0.1:4566`) through Node's diagnostics channels. */
export const watchCalls = (hosts: readonly string[]) => {
  const open = new Map<ClientRequest, Span>();
  let spans: Span[] = [];
  const onStart = (message: unknown): void => {
    const { request } = message as { request: ClientRequest };
    if (!hosts.includes(String(request.getHeader('host')))) return;
    const operation = String(request.getHeader('x-amz-target')).split('.').at(-1) ?? '';
    const span = { operation, startedAt: performance.now(), endedAt: Number.POSITIVE_INFINITY };
    open.set(request, span);
    spans.push(span);
  };
  const onFinish = (message: unknown): void => {
    const { request } = message as { request: ClientRequest };
    const span = open.get(request);
    if (span) span.endedAt = performance.now();
    open.delete(request);
  };
  subscribe('http.client.request.start', onStart);
  subscribe('http.client.response.finish', onFinish);
  return {
    /** Returns the calls since the last `take`. */
    take: (): Span[] => {
      const taken = spans;
      spans = [];
      return taken;
    },
    stop: (): void => {
      unsubscribe('http.client.request.start', onStart);
      unsubscribe('http.client.response.finish', onFinish);
    },
  };
};
