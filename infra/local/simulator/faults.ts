import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { forEachSimulator } from '#shared/providers/simulators.ts';

/** What goes wrong with a call to a provider. */
export type CallFault =
  /** Answers after so many milliseconds. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** Does nothing, and never answers. */
  | { readonly kind: 'hung' }
  /** A server error as JSON in the provider's own shape. */
  | { readonly kind: 'server_fault' }
  /** The HTML error page of a gateway in front of the provider. */
  | { readonly kind: 'gateway_fault'; readonly status: 502 | 503 }
  /** Does the work, then cuts the connection. */
  | { readonly kind: 'lost_answer' }
  /** 401 in the provider's own shape. One that gives tokens drops them; its login is not affected unless `path` names it. */
  | { readonly kind: 'unauthorised' }
  /** 429, with `retryAfter` in the header in which the provider tells how long to wait. */
  | { readonly kind: 'rate_limited'; readonly retryAfter?: string };

/** What goes wrong with a notification. */
export type NotificationFault =
  | { readonly kind: 'lost' }
  | { readonly kind: 'duplicated' }
  /** Waits until the next one has been sent. */
  | { readonly kind: 'reordered' }
  | { readonly kind: 'delayed'; readonly ms: number }
  | { readonly kind: 'wrong_signature' }
  /** The signature is right, but the amount in the body is 100 naira more than in a look-up. */
  | { readonly kind: 'wrong_amount' }
  /** A new account is paid at once: the notification arrives before the answer to the call that opened it. */
  | { readonly kind: 'before_answer' };

/** Which calls or notifications a fault applies to: the next `times`, or a share of them drawn by `random`; without either, all. */
export interface FaultScope {
  readonly times?: number;
  /** From 0 to 1; goes with `random`. */
  readonly probability?: number;
  /** A number in [0, 1): a seeded function makes a run repeatable. */
  readonly random?: () => number;
  /** For calls: only paths below the base URL that match. */
  readonly path?: RegExp;
}

/** A fault, and what it applies to. */
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

const LOGINS = forEachSimulator((_, { loginPath }) => loginPath);

/** The faults of every provider. They add up; the first that matches a call or a notification applies to it. */
export const newFaults = () => {
  const rules = forEachSimulator((): Rule[] => []);

  const applies = ({ fault, left }: Rule): boolean =>
    left > 0 && (fault.probability === undefined || (fault.random ?? Math.random)() < fault.probability);
  const take = (provider: ProviderName, fits: (fault: Fault) => boolean): Fault | undefined => {
    const rule = rules[provider].find((candidate) => fits(candidate.fault) && applies(candidate));
    if (rule) rule.left -= 1;
    return rule?.fault;
  };

  return {
    /** Adds a fault; null removes all of the provider's faults. */
    set(provider: ProviderName, fault: Fault | null): void {
      if (fault === null) rules[provider] = [];
      else rules[provider].push({ fault, left: fault.times ?? Number.POSITIVE_INFINITY });
    },
    /** What goes wrong with this call. */
    takeCallFault(provider: ProviderName, path: string): CallFault | undefined {
      const spared = path === LOGINS[provider];
      const fault = take(
        provider,
        (candidate) =>
          isCallFault(candidate) && (candidate.path?.test(path) ?? !(spared && candidate.kind === 'unauthorised')),
      );
      return fault && isCallFault(fault) ? fault : undefined;
    },
    /** What goes wrong with the next notification. */
    takeNotificationFault(provider: ProviderName): NotificationFault | undefined {
      const fault = take(provider, (candidate) => !isCallFault(candidate) && candidate.kind !== 'before_answer');
      return fault && !isCallFault(fault) ? fault : undefined;
    },
    /** Whether an account that was just opened is paid before its answer goes out. */
    paysBeforeAnswer: (provider: ProviderName): boolean =>
      take(provider, (candidate) => candidate.kind === 'before_answer') !== undefined,
  };
};

/** The faults of a simulator. */
export type Faults = ReturnType<typeof newFaults>;
