import type { World } from '#test/support/worlds/world.ts';
import { never, startProcess } from './crashes.ts';

/** The dependencies of a world's requests and sweeps. */
export type Deps = World['deps'];

/** The probabilities of faults in one life; each from 0 to 1. */
export interface LifeOdds {
  /** The life ends at one of its steps. */
  readonly kill: number;
  /** The end is drawn from the first `steps` steps of the life. Each call of a port has two steps: before and after the call. */
  readonly steps: number;
  /** A call of the table or the queue fails without an effect. */
  readonly fails: number;
  /** A call of the table or the queue has its effect, but its answer is lost. */
  readonly answerLost: number;
  /** A step at which every life ends, such as `after ledger.record`. */
  readonly dieAt?: string;
}

/** The odds of a life in which nothing goes wrong. */
export const CALM: LifeOdds = { kill: 0, steps: 1, fails: 0, answerLost: 0 };

/** The process of one request or one sweep. */
export interface Life {
  readonly deps: Deps;
  /** Runs the work of this life. Rejects with Crashed when the life ends before that. */
  run<T>(work: (deps: Deps) => Promise<T>): Promise<T>;
}

/** The ports whose calls may end a life. */
const CRASHING_PORTS = [
  'ledger',
  'unmatched',
  'notifications',
  'reconciliations',
  'checkoutIntents',
  'accountIntents',
  'queue',
  'moneyQueue',
  'dueTickets',
  'requeryLeases',
  'checkouts',
  'virtualAccounts',
  'idempotency',
  'transactions',
  'businesses',
] as const;
/** Methods that only compute in the process itself. */
const COMPUTING_METHODS = new Set([
  'read',
  'signedPart',
  'buildWrites',
  'buildOpening',
  'buildSettlingWrites',
  'isBreakerOpen',
  'answersSlowly',
  'prefetchHealth',
]);

type Call = (...args: readonly unknown[]) => Promise<unknown>;

/** Makes lives that end at random steps, and counts the faults. `random` returns numbers in [0, 1). */
export const createLives = (world: { readonly deps: Deps }, random: () => number) => {
  const faultCounts: Record<string, number> = {};
  const underWay = new Set<Promise<unknown>>();
  let odds = CALM;

  const count = (fault: string): void => {
    faultCounts[fault] = (faultCounts[fault] ?? 0) + 1;
  };
  /** Tracks a call: it goes on even if its process is killed. */
  const track = async (effect: () => Promise<unknown>): Promise<unknown> => {
    const work = effect();
    underWay.add(work);
    try {
      return await work;
    } finally {
      underWay.delete(work);
    }
  };

  const begin = ({ kill, steps, fails, answerLost, dieAt }: LifeOdds = odds): Life => {
    let left = random() < kill ? 1 + Math.floor(random() * steps) : Number.POSITIVE_INFINITY;
    const process = startProcess((step) => {
      left -= 1;
      if (left > 0 && step !== dieAt) return false;
      count(`killed ${step}`);
      return true;
    });

    const mayCrash =
      (name: string, call: Call, mayFail: boolean): Call =>
      async (...args) => {
        if (process.isOver(`before ${name}`)) return never();
        if (mayFail && random() < fails) {
          count(`failed ${name}`);
          throw new Error('Injected: the call failed.');
        }
        try {
          const result = await track(() => call(...args));
          if (process.isOver(`after ${name}`)) return await never();
          if (!mayFail || random() >= answerLost) return result;
        } catch (error) {
          if (process.isOver(`after ${name}, which failed`)) return await never();
          throw error;
        }
        count(`answer lost ${name}`);
        throw new Error('Injected: the answer got lost.');
      };
    const crashingPort = <T extends object>(name: string, port: T, mayFail: boolean): T => {
      const calls = Object.entries(port).map(([method, call]) => {
        const isStep = typeof call === 'function' && !COMPUTING_METHODS.has(method);
        return [method, isStep ? mayCrash(`${name}.${method}`, call as Call, mayFail) : call];
      });
      return Object.fromEntries(calls) as T;
    };

    const { deps } = world;
    const ports = CRASHING_PORTS.map((name) => [name, crashingPort(name, deps[name], true)]);
    const crashingProvider = <P extends object>(provider: P | undefined): P | undefined =>
      provider && crashingPort('provider', provider, false);
    return {
      deps: {
        ...deps,
        ...Object.fromEntries(ports),
        liveProviders: (name) => crashingProvider(deps.liveProviders(name)),
        providers: (mode, name) => crashingProvider(deps.providers(mode, name)),
      },
      run(work) {
        return process.run(work(this.deps));
      },
    };
  };

  return {
    faultCounts,
    /** Changes the odds of lives that begin from now on. */
    setOdds: (next: LifeOdds): void => {
      odds = next;
    },
    begin,
    /** Resolves when no call of any life, killed or not, is under way. */
    idle: async (): Promise<void> => {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
};
export type Lives = ReturnType<typeof createLives>;
