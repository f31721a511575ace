import { liveProviders } from '#shared/providers/live-providers.ts';
import { providerSettings } from '#shared/providers/settings.ts';
import { type Fault, type FaultProxy, startFaultProxy } from '#test/support/emulators/fault-proxy.ts';
import { type LiveWorld, LONG_TIMEOUTS } from './live-world.ts';
import { makeWorld, type World } from './world.ts';

/* Processes that are killed, or wait, at one of their calls to the table, the queue or a provider. */

export type Callee = 'table' | 'queue' | 'provider';

/** The call at which a process is killed, counted from 1 over all its calls, and whether that call still has its effect. */
export interface Death {
  readonly at: number;
  readonly when: 'before' | 'after';
}

/** The simulator of a world with live providers. */
type Live = Pick<LiveWorld, 'settings' | 'stageUrl' | 'simulator'>;

/** Watches each call before the emulator or the provider gets it: waits for `hold`, then applies `fault`. */
interface Watch {
  readonly fault?: (callee: Callee) => Fault | undefined;
  readonly hold?: () => Promise<void> | undefined;
}

/** Makes processes that are killed or wait. A killed process does nothing more until `stop` removes the proxies. */
export const createMortalProcesses = () => {
  const proxies: FaultProxy[] = [];

  /** Starts a process on the table, the queues and the clock of a world. */
  const start = async (world: World & Partial<Live>, { fault, hold }: Watch): Promise<World> => {
    const startProxy = async (upstream: string | undefined, callee: Callee): Promise<string> => {
      const proxy = await startFaultProxy(upstream ?? '');
      proxies.push(proxy);
      if (fault) proxy.inject(() => fault(callee));
      if (hold) proxy.hold(hold);
      return proxy.endpoint;
    };
    const { settings, stageUrl = '', simulator } = world;
    const origin = simulator && (await startProxy(simulator.origin, 'provider'));
    const atProxy = providerSettings.parse(
      JSON.parse(JSON.stringify(settings ?? {}).replaceAll(simulator?.origin ?? '\0', origin ?? '')),
    );
    return makeWorld({
      dynamoDbEndpoint: await startProxy(process.env.AWS_ENDPOINT_URL_DYNAMODB, 'table'),
      sqsEndpoint: await startProxy(process.env.AWS_ENDPOINT_URL_SQS, 'queue'),
      sandboxWait: async () => {},
      providerSettings: atProxy,
      ...(simulator && {
        liveProviders: (around) => liveProviders(atProxy, { ...around, stageUrl, timeouts: LONG_TIMEOUTS }),
      }),
      joins: world,
    });
  };

  return {
    /**
     * Runs work in a process on the table, the queues and the clock of a world, and kills it. Returns whom the process was calling
     * when it was killed, or undefined if its work ended before.
     */
    kill: async (
      world: World & Partial<Live>,
      { at, when }: Death,
      work: (dying: World) => Promise<unknown>,
    ): Promise<Callee | undefined> => {
      let calls = 0;
      let die = (_: Callee): void => {};
      const dead = new Promise<Callee>((resolve) => {
        die = resolve;
      });
      const fault = (callee: Callee): Fault | undefined => {
        calls += 1;
        if (calls < at) return undefined;
        if (calls > at) return 'hang';
        if (when === 'after') return { onAnswer: () => die(callee) };
        die(callee);
        return 'hang';
      };
      const dying = await start(world, { fault });
      return Promise.race([dead, work(dying).then(() => undefined)]);
    },
    /** Starts a process whose call `at`, counted from 1, waits until `meanwhile` is done. */
    startWaiting: (world: World & Partial<Live>, at: number, meanwhile: () => Promise<void>): Promise<World> => {
      let calls = 0;
      return start(world, {
        hold: () => {
          calls += 1;
          return calls === at ? meanwhile() : undefined;
        },
      });
    },
    stop: async (): Promise<void> => {
      await Promise.all(proxies.splice(0).map((proxy) => proxy.stop()));
    },
  };
};
export type MortalProcesses = ReturnType<typeof createMortalProcesses>;
