import type { Call } from '#shared/providers/common/simulator/wire.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { mapSimulators } from '#shared/providers/simulators.ts';

/** The kinds of calls with separate limits. A login belongs to neither. */
export type LimitedCalls = 'reads' | 'writes';

/** A limit: at most `calls` calls in each window of `seconds` seconds. */
export interface CallLimit {
  readonly calls: number;
  readonly seconds: number;
}

/** The limits of a provider's calls. A kind without a limit is left out. */
export type CallLimits = Partial<Record<LimitedCalls, CallLimit | undefined>>;

const LOGIN = '/api/v1/auth/login';

const classifyCall = ({ method, path }: Pick<Call, 'method' | 'path'>): LimitedCalls | undefined => {
  if (path === LOGIN) return undefined;
  return method === 'GET' ? 'reads' : 'writes';
};

/** Limits each provider's calls as providers do: for all our businesses together, in fixed windows, with Retry-After. */
export const newLimits = (now: () => number) => {
  const limits = mapSimulators((): CallLimits => ({}));
  const counts = new Map<string, { window: number; calls: number }>();

  return {
    /** Replaces a provider's limits. */
    set: (provider: ProviderName, callLimits: CallLimits): void => {
      limits[provider] = callLimits;
    },
    /** Counts a call. Returns the seconds until it may be sent again; undefined if it is within the limit. */
    countCall: (provider: ProviderName, call: Pick<Call, 'method' | 'path'>): number | undefined => {
      const kind = classifyCall(call);
      const limit = kind && limits[provider][kind];
      if (!kind || !limit) return undefined;
      const length = limit.seconds * 1_000;
      const window = Math.floor(now() / length);
      const name = `${provider} ${kind}`;
      const earlier = counts.get(name);
      const calls = (earlier?.window === window ? earlier.calls : 0) + 1;
      counts.set(name, { window, calls });
      return calls > limit.calls ? Math.ceil(((window + 1) * length - now()) / 1_000) : undefined;
    },
  };
};

/** The limits of a simulator. */
export type Limits = ReturnType<typeof newLimits>;
