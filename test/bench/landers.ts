import { Agent, request } from 'node:http';
import { FUNCTIONS } from '#infra/functions.ts';
import { describeStage, useLocalAws } from '#infra/local/environment.ts';
import { loadLambda } from '#infra/local/lambda.ts';
import { readStackFile } from '#infra/local/stack-file.ts';
import { logTo } from '#shared/log.ts';
import { apiEvent } from '#test/support/api-event.ts';
import type { Stack } from '#test/support/stack.ts';

/** Pays a test checkout: the status of the answer, null when the connection was refused. */
export type Lander = (key: string, reference: string) => Promise<number | null>;

const PATH = '/api/v1/checkout/sandbox/simulate';

/** Over HTTP, as cheaply as this machine can ask: fetch would cost more than what is measured. */
export const landOverHttp = ({ baseUrl }: Stack): Lander => {
  const agent = new Agent({ keepAlive: true });
  return (key, reference) =>
    new Promise((resolve) => {
      const body = JSON.stringify({ reference });
      const headers = {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      };
      const outgoing = request(`${baseUrl}${PATH}`, { method: 'POST', agent, headers });
      outgoing.on('response', (incoming) => {
        incoming.resume();
        incoming.on('end', () => resolve(incoming.statusCode ?? null));
      });
      outgoing.on('error', () => resolve(null));
      outgoing.end(body);
    });
};

/** By the endpoint's own function in this process, as Lambda would call it: without a gateway that shares the machine. For one stack a process. */
export const landByFunction = async ({ dataDir }: Stack): Promise<Lander> => {
  const stage = readStackFile(dataDir);
  const spec = FUNCTIONS.find(({ name }) => name === 'simulate-checkout-payment');
  if (!stage || !spec) throw new Error('The stack does not say where its engines are.');
  useLocalAws(stage);
  describeStage({
    ...stage,
    providers: { settings: '{}', credentials: {}, defaultProvider: 'paystack', payUrl: undefined },
  });
  logTo(() => {});
  const { invoke } = await loadLambda(spec);
  return async (key, reference) => {
    const headers = { authorization: `Bearer ${key}` };
    const { statusCode } = (await invoke(apiEvent({ path: PATH, headers, body: { reference } }))) as {
      statusCode: number;
    };
    return statusCode;
  };
};
