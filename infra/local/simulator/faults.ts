import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { mapSimulators } from '#shared/providers/simulators.ts';

/** A fault of a call to a provider. */
export type CallFault =
  /** Answers after `ms` milliseconds. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** Does nothing and never answers. */
  | { readonly kind: 'hung' }
  /** Answers with a server error, as JSON in the provider's format. */
  | { readonly kind: 'server_fault' }
  /** Answers with the HTML error page of a gateway in front of the provider. */
  | { readonly kind: 'gateway_fault'; readonly status: 502 | 503 }
  /** Does the work, then closes the connection without an answer. */
  | { readonly kind: 'lost_answer' }
  /** Answers 401 in the provider's format. A provider with access tokens forgets them. The call to log in works, unless `path` matches it. */
  | { readonly kind: 'unauthorised' }
  /** Answers 429, with `retryAfter` in the provider's header for the time to wait. */
  | { readonly kind: 'rate_limited'; readonly retryAfter?: string };

/** A fault of a notification. */
export type NotificationFault =
  | { readonly kind: 'lost' }
  | { readonly kind: 'duplicated' }
  /** Is sent only after the next notification. */
  | { readonly kind: 'reordered' }
  | { readonly kind: 'delayed'; readonly ms: number }
  | { readonly kind: 'wrong_signature' }
  /** Has a right signature, but an amount that is 100 naira more than in a look-up. */
  | { readonly kind: 'wrong_amount' }
  /** Pays a new account at once, so that the notification arrives before the answer to the call that opened it. */
  | { readonly kind: 'before_answer' };

/** The calls or notifications that a fault applies to: the next `times`, or a random share. Default: all. */
export interface FaultScope {
  readonly times?: number;
  /** The share, from 0 to 1. */
  readonly probability?: number;
  /** Returns a number in [0, 1). A seeded function makes a run repeatable. */
  readonly random?: () => number;
  /** Only for calls: matches paths below the base URL. */
  readonly path?: RegExp;
}

/** A fault with its scope. */
export type Fault = (CallFault | NotificationFault) & FaultScope;

const CALL_KINDS: readonly string[] = [
  'slow',
  'hung',
  'server_fault',
  'gateway_fault',
  'lost_answer',
  'unauthorised',
  'rate_limited',
] satisfies CallFault['kind'][];
const isCallFault = (fault: Fault): fault is CallFault & FaultScope => CALL_KINDS.includes(fault.kind);

interface Rule {
  readonly fault: Fault;
  left: number;
}

const LOGIN_PATHS = mapSimulators((_, { loginPath }) => loginPath);

/** Makes the list of every provider's faults. The first fault that matches a call or notification applies. */
export const newFaults = () => {
  const rules = mapSimulators((): Rule[] => []);

  const applies = ({ fault, left }: Rule): boolean =>
    left > 0 && (fault.probability === undefined || (fault.random ?? Math.random)() < fault.probability);
  const take = (provider: ProviderName, matches: (fault: Fault) => boolean): Fault | undefined => {
    const rule = rules[provider].find((candidate) => matches(candidate.fault) && applies(candidate));
    if (rule) rule.left -= 1;
    return rule?.fault;
  };

  return {
    /** Adds a fault; null removes all of the provider's faults. */
    set(provider: ProviderName, fault: Fault | null): void {
      if (fault === null) rules[provider] = [];
      else rules[provider].push({ fault, left: fault.times ?? Number.POSITIVE_INFINITY });
    },
    /** Takes the first fault that applies to a call; undefined if there is none. */
    takeCallFault(provider: ProviderName, path: string): CallFault | undefined {
      const isLogin = path === LOGIN_PATHS[provider];
      const fault = take(
        provider,
        (candidate) =>
          isCallFault(candidate) && (candidate.path?.test(path) ?? !(isLogin && candidate.kind === 'unauthorised')),
      );
      return fault && isCallFault(fault) ? fault : undefined;
    },
    /** Takes the first fault that applies to the next notification; undefined if there is none. */
    takeNotificationFault(provider: ProviderName): NotificationFault | undefined {
      const fault = take(provider, (candidate) => !isCallFault(candidate) && candidate.kind !== 'before_answer');
      return fault && !isCallFault(fault) ? fault : undefined;
    },
    /** Takes a fault `before_answer` for a new account. Returns whether there was one: then the account is paid before the answer is sent. */
    paysBeforeAnswer: (provider: ProviderName): boolean =>
      take(provider, (candidate) => candidate.kind === 'before_answer') !== undefined,
  };
};

/** The faults of a simulator. */
export type Faults = ReturnType<typeof newFaults>;
