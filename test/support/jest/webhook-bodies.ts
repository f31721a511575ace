import { isDeepStrictEqual } from 'node:util';

/*
 * Compares each webhook that a receiver got (receiver.ts), and each event that was recorded (world.ts), with the contract's body for
 * its type, and reports the types to the coordinator (start.ts): a full run fails when no test brought one about.
 */

/** What was recorded or has arrived since the last test, each body once. */
const bodies = new Set<string>();
const checkedTypes = new Set<string>();
/** A benchmark measures, and checks nothing. */
const isTest = typeof afterEach === 'function';

/** Notes the body of a webhook; the test that runs now fails when it ends, should the body differ from the contract. */
export const checkWebhook = (body: string): void => {
  if (isTest) bodies.add(body);
};

/** How a webhook's body differs from the contract; empty when it does not. */
const deviations = (
  { WEBHOOKS, webhookBody }: typeof import('#shared/webhooks/contract/webhooks.ts'),
  body: string,
): string[] => {
  const received = JSON.parse(body);
  const { type } = received;
  if (!Object.hasOwn(WEBHOOKS, type)) return [`${type} is no type of event`];
  checkedTypes.add(type);
  const { success, data, error } = webhookBody(type).safeParse(received);
  if (!success) return error.issues.map(({ path, message }) => `${type} ${path.join('.')}: ${message}`);
  // A schema leaves out the fields that it does not know.
  return isDeepStrictEqual(data, received) ? [] : [`${type} has fields that are not in the contract`];
};

/** @throws Error with how the webhooks since the last test differ from the contract. */
export const failIfDeviating = async (): Promise<void> => {
  if (bodies.size === 0) return;
  const contract = await import('#shared/webhooks/contract/webhooks.ts');
  const sentences = new Set([...bodies].flatMap((body) => deviations(contract, body)));
  bodies.clear();
  if (sentences.size > 0) throw new Error(`Not as the contract says:\n${[...sentences].join('\n')}`);
};

/** Reports the types that this test file has compared with the contract. */
export const reportTypes = async (file: string): Promise<void> => {
  const types = [...checkedTypes];
  checkedTypes.clear();
  const { TEST_COORDINATOR } = process.env;
  if (TEST_COORDINATOR)
    await fetch(`${TEST_COORDINATOR}/reports`, { method: 'POST', body: JSON.stringify({ file, types }) });
};
