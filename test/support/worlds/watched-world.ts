import type { RateLimits } from '#shared/platform/requests/rate-limit.ts';
import { requestCounter } from '#shared/platform/table/request-counter.ts';
import { type FaultProxy, type Faults, startFaultProxy } from '#test/support/emulators/fault-proxy.ts';
import { tableAt } from './table.ts';
import { makeWorld } from './world.ts';

/** Lists the families of the items in a call, such as `KEY` for `KEY#…`, each once. */
const familiesIn = (input: Record<string, unknown>): string[] => [
  ...new Set([...JSON.stringify(input).matchAll(/"pk":\{"S":"([A-Z]+)#/g)].map(([, family = '']) => family)),
];

/** Makes a world whose table calls are watched, and can be made to fail. `answerMs`: how long it waits for a count. */
export const watchedWorld = async (rateLimits: RateLimits, answerMs = 20_000) => {
  const proxy: FaultProxy = await startFaultProxy(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
  const worldBehindProxy = await makeWorld({ rateLimits, dynamoDbEndpoint: proxy.endpoint });
  const calls: { readonly operation: string; readonly families: readonly string[] }[] = [];
  const inject = (faults: Faults): void =>
    proxy.inject((operation, input) => {
      calls.push({ operation, families: familiesIn(input) });
      return faults(operation, input);
    });
  inject(() => undefined);
  const table = tableAt(worldBehindProxy.table.name, proxy.endpoint);
  const container = () => ({
    ...worldBehindProxy,
    deps: { ...worldBehindProxy.deps, countRequest: requestCounter(table, answerMs) },
  });
  return {
    world: container(),
    container,
    inject,
    /** Lists the operations since the last call, each with its families, such as `GetItem KEY`. */
    takeCalls: (): string[] =>
      calls.splice(0).map(({ operation, families }) => [operation, ...families].join(' ').trim()),
    stop: proxy.stop,
  };
};
