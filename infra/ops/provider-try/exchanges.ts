import type { Millis } from '#shared/platform/kernel/time.ts';
import type { ProviderAnswer, ProviderHttp, ProviderRequest } from '#shared/providers/common/http.ts';

/** A call to the provider and its answer, as the adapter sent and got them. Held in memory only: it has secrets and personal data. */
export interface Exchange {
  readonly request: ProviderRequest;
  /** Null where the adapter's HTTP found no answer that it could read. */
  readonly answer: ProviderAnswer | null;
  readonly milliseconds: Millis;
}

/** The exchanges of a run, in their order. */
export interface Exchanges {
  readonly http: ProviderHttp;
  /** All of them. */
  readonly all: readonly Exchange[];
  /** Takes those since the last call out of what is compared. */
  readonly take: () => readonly Exchange[];
}

/** Records what passes an adapter's HTTP, and changes nothing of it. */
export const recordExchanges = (http: ProviderHttp, now: () => Millis): Exchanges => {
  const all: Exchange[] = [];
  let taken = 0;
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
      const news = all.slice(taken);
      taken = all.length;
      return news;
    },
  };
};
