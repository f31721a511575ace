import { createWriteStream } from 'node:fs';
import { isPayersRoute } from '#infra/function-spec.ts';
import { FUNCTIONS } from '#infra/functions.ts';
import { serveLambdas } from '#infra/local/gateway/api.ts';
import { openGateway } from '#infra/local/gateway/server.ts';
import { loadLambda } from '#infra/local/lambda/lambda.ts';
import { logTo } from '#shared/platform/observability/log.ts';
import type { Serving } from './functions-process.ts';

/* A child process of functions-process.ts: serves the functions behind the local gateway. */

// A line is logged for every request, as on Lambda, and then discarded.
const nowhere = createWriteStream('/dev/null');
logTo((line) => nowhere.write(`${line}\n`));

const endpoints = FUNCTIONS.filter(({ trigger }) => trigger.kind === 'endpoint');
/** The functions of the payment page. They need the same table. */
const pages = FUNCTIONS.filter(({ trigger }) => trigger.kind === 'route' && isPayersRoute(trigger.route));
const fallback = FUNCTIONS.filter(({ trigger }) => trigger.kind === 'route' && trigger.route === '$default');
const lambdas = await Promise.all([...endpoints, ...pages, ...fallback].map((spec) => loadLambda(spec)));

// End with the parent process, even if a section of the bench throws.
process.once('disconnect', () => process.exit());
const gateway = await openGateway({ host: '127.0.0.1', port: 0 });
gateway.serve(serveLambdas(lambdas), () => {});
process.send?.({ baseUrl: gateway.baseUrl } satisfies Serving);
