import { inRole } from '#test/support/permissions/roles.ts';
import { lambdaContext } from './api-event.ts';

/**
 * A function in a process of its own, which a test may kill: the real handler, composed of its environment, given one event; the two
 * are named by the arguments. Prints its log lines and, last, its answer, as JSON.
 */
const [name = '', event = ''] = process.argv.slice(2);
const { handler } = await import(`#functions/${name}/handler.ts`);
const answer = await inRole(name, handler as (...given: unknown[]) => Promise<unknown>)(
  JSON.parse(event),
  lambdaContext(),
);
process.stdout.write(`${JSON.stringify(answer)}\n`);
