import { inRole } from '#test/support/permissions/roles.ts';
import { lambdaContext } from './api-event.ts';

/**
 * Runs one function in its own process, which a test may kill. The real handler is composed from the environment. The arguments are the
 * function's name and its event. Prints the log lines and then the answer, as JSON.
 */
const [name = '', event = ''] = process.argv.slice(2);
const { handler } = await import(`#functions/${name}/handler.ts`);
const answer = await inRole(name, handler as (...args: unknown[]) => Promise<unknown>)(
  JSON.parse(event),
  lambdaContext(),
);
process.stdout.write(`${JSON.stringify(answer)}\n`);
