import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { inRole } from '#test/support/permissions/roles.ts';
import { lambdaContext } from './api-event.ts';

/* Runs the real handler of a function in a process that a test kills. It handles the given events at the time of the test's world. */

interface Task {
  readonly now: number;
  readonly work: keyof typeof HANDLERS;
  readonly events: readonly APIGatewayProxyEventV2[];
}

const { now, work, events } = JSON.parse(process.argv[2] ?? '') as Task;
// Set the clock before the import, because handlers read it as they are composed.
Date.now = () => now;
/** The function of each kind of work. */
const HANDLERS = {
  accounts: ['create-virtual-accounts', () => import('#functions/create-virtual-accounts/handler.ts')],
  checkout: ['initialize-checkout', () => import('#functions/initialize-checkout/handler.ts')],
  'another account': ['open-another-account', () => import('#functions/open-another-account/handler.ts')],
} as const;
const [name, load] = HANDLERS[work];
const { handler } = await load();
const run = inRole(name, handler);
await Promise.all(events.map((event) => run(event, lambdaContext())));
