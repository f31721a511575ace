import { createWriteStream } from 'node:fs';
import { isPayersRoute } from '#infra/function-spec.ts';
import { FUNCTIONS } from '#infra/functions.ts';
import { apiOf } from '#infra/local/gateway/api.ts';
import { openGateway } from '#infra/local/gateway/server.ts';
import { type Lambda, loadLambda } from '#infra/local/lambda/lambda.ts';
import { connectTable } from '#shared/adapters/dynamodb/table/table.ts';
import { connectQueue } from '#shared/adapters/sqs/delivery-queue.ts';
import { apiEnv } from '#shared/env/api.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { logTo } from '#shared/observability/log.ts';
import { bareFunctions } from './bare-functions.ts';
import type { ServeOrder } from './functions-process.ts';

/* A child process of functions-process.ts: the functions behind the local gateway, and the bare ones beside them. */

// A line is logged for every request, as on Lambda, and discarded.
const nowhere = createWriteStream('/dev/null');
logTo((line) => nowhere.write(`${line}\n`));

const endpoints = FUNCTIONS.filter(({ trigger }) => trigger.kind === 'endpoint');
/** A payer's page beside them: it needs the same table. */
const pages = FUNCTIONS.filter(({ trigger }) => trigger.kind === 'route' && isPayersRoute(trigger.route));
const fallback = FUNCTIONS.filter(({ trigger }) => trigger.kind === 'route' && trigger.route === '$default');
const lambdas = await Promise.all([...endpoints, ...pages, ...fallback].map((spec) => loadLambda(spec)));

/** The bare function beside each that has one: the same route under another prefix, through the same gateway. */
const bareLambdas = ({ templates }: ServeOrder): Lambda[] => {
  if (!templates) return [];
  const env = readEnv(apiEnv, process.env);
  const bare = bareFunctions(connectTable(env), connectQueue(), process.env.FIRST_QUEUE_URL ?? '', templates);
  return endpoints.flatMap((spec): Lambda[] => {
    const { trigger } = spec;
    const handler = bare[spec.name];
    if (!handler || trigger.kind !== 'endpoint') return [];
    const contract = { ...trigger.contract, path: `/bare${trigger.contract.path}` } as typeof trigger.contract;
    const moved = { ...spec, trigger: { ...trigger, contract } };
    return [{ spec: moved, invoke: (event) => handler(event as Parameters<typeof handler>[0]) }];
  });
};

// A section that throws does not stop it.
process.once('disconnect', () => process.exit());
process.once('message', async (order: ServeOrder) => {
  const gateway = await openGateway({ host: '127.0.0.1', port: 0 });
  gateway.serve(apiOf([...lambdas, ...bareLambdas(order)]), () => {});
  process.send?.({ baseUrl: gateway.baseUrl });
});
