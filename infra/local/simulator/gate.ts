import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Ledger } from '#shared/providers/common/simulator/ledger.ts';
import type { SimulatedProvider } from '#shared/providers/common/simulator/provider.ts';
import { type Answer, type Call, readCall, sendAnswer } from '#shared/providers/common/simulator/wire.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { mapSimulators } from '#shared/providers/simulators.ts';
import type { Bank } from './bank.ts';
import type { CallFault, Faults } from './faults.ts';
import type { Limits } from './limits.ts';

/** Makes the counters of calls to a provider: all, over the limit, under way now, and the most under way at once. */
const newTraffic = () => ({ requests: 0, limited: 0, concurrent: 0, maxConcurrent: 0 });

const GATEWAY_PAGE = '<html><body><h1>The service is temporarily unavailable</h1></body></html>';

const makeLimitedAnswer = (
  { rateLimited, waitHeader = 'retry-after' }: SimulatedProvider,
  retryAfter: string | undefined,
): Answer => ({
  ...rateLimited,
  ...(retryAfter !== undefined && { headers: { [waitHeader]: retryAfter } }),
});

/** Returns the answer of a fault; undefined if the provider itself answers. */
const answerWithFault = (fault: CallFault | undefined, provider: SimulatedProvider): Answer | undefined => {
  switch (fault?.kind) {
    case 'server_fault':
      return provider.serverFault;
    case 'gateway_fault':
      return { status: fault.status, html: GATEWAY_PAGE };
    case 'unauthorised':
      return provider.unauthorised();
    case 'rate_limited':
      return makeLimitedAnswer(provider, fault.retryAfter);
    default:
      return undefined;
  }
};

/** Makes the entrance to the providers. It counts calls, applies limits and faults, and passes the other calls on. */
export const newGate = (
  providers: Record<ProviderName, SimulatedProvider>,
  ledger: Ledger,
  { faults, limits }: { readonly faults: Faults; readonly limits: Limits },
  bank: Bank,
) => {
  const traffic = mapSimulators(newTraffic);

  const work = async (provider: ProviderName, call: Call): Promise<Answer> => {
    const before = ledger.accounts().length;
    const answer = providers[provider].serve(call);
    if (answer.transfers) await bank.pay({ provider, ...answer.transfers });
    await bank.payEarly(ledger.accounts().slice(before));
    return answer;
  };
  const handle = async (
    provider: ProviderName,
    prefix: string,
    incoming: IncomingMessage,
    response: ServerResponse,
    leave: () => void,
  ): Promise<void> => {
    const call = await readCall(incoming, prefix);
    const seconds = limits.countCall(provider, call);
    if (seconds !== undefined) {
      traffic[provider].limited += 1;
      leave();
      sendAnswer(response, makeLimitedAnswer(providers[provider], String(seconds)));
      return;
    }
    const fault = faults.takeCallFault(provider, call.path);
    if (fault?.kind === 'hung') return;
    if (fault?.kind === 'slow') await wait(fault.ms);
    const answer = answerWithFault(fault, providers[provider]) ?? (await work(provider, call));
    leave();
    if (fault?.kind === 'lost_answer') incoming.socket.destroy();
    else sendAnswer(response, answer);
  };
  /** Counts a call as begun. Returns a function that counts the call as ended: call it before the answer is sent. Only its first call counts. */
  const enter = (provider: ProviderName): (() => void) => {
    const counters = traffic[provider];
    let isUnderWay = true;
    counters.requests += 1;
    counters.concurrent += 1;
    counters.maxConcurrent = Math.max(counters.maxConcurrent, counters.concurrent);
    return () => {
      if (isUnderWay) counters.concurrent -= 1;
      isUnderWay = false;
    };
  };

  return {
    traffic,
    /** Serves one call to a provider. */
    serve: (provider: ProviderName, prefix: string, incoming: IncomingMessage, response: ServerResponse): void => {
      const leave = enter(provider);
      response.once('close', leave);
      handle(provider, prefix, incoming, response, leave).catch(() => incoming.socket.destroy());
    },
  };
};

/** The entrance of a simulator. */
export type Gate = ReturnType<typeof newGate>;
