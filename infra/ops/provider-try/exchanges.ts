import type { Millis } from '#shared/platform/kernel/time.ts';
import type { ProviderAnswer, ProviderHttp, ProviderRequest } from '#shared/providers/common/http.ts';

/** A call to the provider and its answer, as the adapter sent and got them. Never stored, because it has secrets and personal data. */
export interface Exchange {
  readonly request: ProviderRequest;
  /** Null if there was no readable answer. */
  readonly answer: ProviderAnswer | null;
  readonly milliseconds: Millis;
}

/** The exchanges of a try, in order. */
export interface Exchanges {
  readonly http: ProviderHttp;
  readonly all: readonly Exchange[];
  /** Returns the exchanges since its last call, so that each is compared only once. */
  readonly take: () => readonly Exchange[];
}

/** Wraps an adapter's HTTP and records every exchange, without changing it. */
export const recordExchanges = (http: ProviderHttp, now: () => Millis): Exchanges => {
  const all: Exchange[] = [];
  let takenCount = 0;
  return {
    all,
    http: async (request) => {
      const startedAt = now();
      let answer: ProviderAnswer | null = null;
      try {
        answer = await http(request);
        return answer;
      } finally {
        all.push({ request, answer, milliseconds: now() - startedAt });
      }
    },
    take: () => {
      const newExchanges = all.slice(takenCount);
      takenCount = all.length;
      return newExchanges;
    },
  };
};
