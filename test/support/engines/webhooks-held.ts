import { isDeepStrictEqual } from 'node:util';
import type { EventType } from '#shared/domain/webhooks/event.ts';

/*
 * Runs in every test file (jest.config.js): holds each webhook that a receiver got (receiver.ts), and each event that was recorded
 * (world.ts), against the contract's body for its type, and says which file brings about which type.
 */

/** A file that must have held an event of the type when its last test is through. A type that is missing fails the type check. */
export const HELD_IN: Readonly<Record<EventType, string>> = {
  'checkout.paid': 'test/contract/openapi.test.ts',
  'checkout.overpaid': 'test/integration/money/live-outcomes.test.ts',
  'checkout.underpaid': 'test/contract/openapi.test.ts',
  'checkout.payment_rejected': 'test/contract/openapi.test.ts',
  'checkout.payment_reversed': 'test/integration/money/live-outcomes.test.ts',
  'checkout.failed': 'test/contract/openapi.test.ts',
  'checkout.expired': 'test/contract/openapi.test.ts',
  'virtual_account.payment_received': 'test/contract/openapi.test.ts',
  'virtual_account.payment_reversed': 'test/integration/money/live-outcomes.test.ts',
  'virtual_account.activated': 'test/contract/openapi.test.ts',
  'virtual_account.failed': 'test/integration/providers/refused-requests.test.ts',
  'endpoint.disabled': 'test/long/three-days.test.ts',
  'endpoint.test': 'test/contract/openapi.test.ts',
};

/** What was recorded or has arrived since the last test, each body once. */
const bodies = new Set<string>();
const held = new Set<string>();
/** A benchmark measures, and checks nothing. */
const isTest = typeof afterEach === 'function';

/** Notes the body of a webhook; the test that runs now fails when it ends, should the body not be as the contract tells. */
export const holdWebhook = (body: string): void => {
  if (isTest) bodies.add(body);
};

/** How a webhook's body is not as the contract has it; empty when it is. */
const deviations = (
  { WEBHOOK_DATA, webhookBody }: typeof import('#shared/contract/webhooks/webhooks.ts'),
  body: string,
) => {
  const told = JSON.parse(body);
  const type: EventType = told.type;
  if (!Object.hasOwn(WEBHOOK_DATA, type)) return [`${type} is no type of event`];
  held.add(type);
  const { success, data, error } = webhookBody(type).safeParse(told);
  if (!success) return error.issues.map(({ path, message }) => `${type} ${path.join('.')}: ${message}`);
  // A schema leaves out the fields that it does not know.
  return isDeepStrictEqual(data, told) ? [] : [`${type} has fields that are not in the contract`];
};

const failIfDeviating = async (): Promise<void> => {
  if (bodies.size === 0) return;
  const contract = await import('#shared/contract/webhooks/webhooks.ts');
  const sentences = new Set([...bodies].flatMap((body) => deviations(contract, body)));
  bodies.clear();
  if (sentences.size > 0) throw new Error(`Not as the contract tells:\n${[...sentences].join('\n')}`);
};

if (isTest) {
  afterEach(failIfDeviating);
  afterAll(async () => {
    // What came after the last test.
    await failIfDeviating();
    if (process.env.SOME_TESTS_ONLY) return;
    const { testPath = '' } = expect.getState();
    const missing = Object.entries(HELD_IN).filter(([type, file]) => testPath.endsWith(file) && !held.has(type));
    if (missing.length > 0) {
      const types = missing.map(([type]) => type).join(', ');
      throw new Error(
        `This file held no event of ${types}. Let it, or name another in test/support/engines/webhooks-held.ts.`,
      );
    }
  });
}
