import { isDeepStrictEqual } from 'node:util';

/*
 * Compares each received webhook (receiver.ts) and each recorded event (world.ts) with the contract's body for its type, and reports the
 * types to the coordinator (start.ts). A full run fails if no test caused a webhook of some type.
 */

/** The bodies since the last test, each once. */
const bodies = new Set<string>();
const checkedTypes = new Set<string>();
/** False in a benchmark, which checks nothing. */
const isTest = typeof afterEach === 'function';

/** Records the body of a webhook. The current test fails at its end if the body differs from the contract. */
export const checkWebhook = (body: string): void => {
  if (isTest) bodies.add(body);
};

/** Lists the differences between a webhook's body and the contract. */
const findDeviations = (
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

/** @throws Error with the differences between the webhooks since the last test and the contract. */
export const failIfDeviating = async (): Promise<void> => {
  if (bodies.size === 0) return;
  const contract = await import('#shared/webhooks/contract/webhooks.ts');
  const sentences = new Set([...bodies].flatMap((body) => findDeviations(contract, body)));
  bodies.clear();
  if (sentences.size > 0) throw new Error(`These webhooks differ from the contract:\n${[...sentences].join('\n')}`);
};

/** Reports the types that this test file has compared with the contract. */
export const reportTypes = async (file: string): Promise<void> => {
  const types = [...checkedTypes];
  checkedTypes.clear();
  const { TEST_COORDINATOR } = process.env;
  if (TEST_COORDINATOR)
    await fetch(`${TEST_COORDINATOR}/reports`, { method: 'POST', body: JSON.stringify({ file, types }) });
};
