import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { inRole } from '#test/support/permissions/roles.ts';
import { lambdaContext } from './api-event.ts';

/* Runs a function in a process that a test kills: the real handler, with calls, at the time of the test's world. */

interface Given {
  readonly now: number;
  readonly work: 'accounts' | 'checkout';
  readonly events: readonly APIGatewayProxyEventV2[];
}

const { now, work, events } = JSON.parse(process.argv[2] ?? '') as Given;
// Before the import, because handlers read the clock function as they are composed.
Date.now = () => now;
const { handler } =
  work === 'accounts'
    ? await import('#functions/create-virtual-accounts/handler.ts')
    : await import('#functions/initialize-checkout/handler.ts');
const run = inRole(work === 'accounts' ? 'create-virtual-accounts' : 'initialize-checkout', handler);
await Promise.all(events.map((event) => run(event, lambdaContext())));
