import { type ProviderSimulator, RETURNED } from '#shared/providers/common/simulator/provider.ts';
import { defineTrial } from '#shared/providers/common/simulator/tried-provider.ts';

const fault = (status: number) => ({ status, json: { error: status } });

/** The minimal simulator of the fourth provider: it answers no call. */
export const examplepaySimulator = {
  path: '',
  numberPrefix: '44',
  credentials: { secretWord: 'simulator of examplepay' },
  settings: { beneficiary: '4920299492' },
  preference: {},
  trial: defineTrial(
    { answers: {}, rows: {} },
    { sandboxSettings: {}, objection: () => undefined, cannot: {}, calls: [] },
  ),
  play: () => ({
    serve: () => fault(404),
    receive: () => RETURNED,
    reverse: () => null,
    reinstate: () => {},
    unauthorised: () => fault(401),
    rateLimited: fault(429),
    serverFault: fault(500),
  }),
} satisfies ProviderSimulator;
