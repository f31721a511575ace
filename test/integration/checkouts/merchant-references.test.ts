import { MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { expectReplay } from '#test/support/worlds/answers.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { api, business, meter, openMerchantForEachTest, world } from '#test/support/worlds/test-merchant.ts';

/* Tests merchant references in test mode, where one transaction opens a checkout. Live mode is in live-merchant-references.test.ts. */

const ORDER = { amount: 8_500, payer_email: 'ngozi.eze@example.com', merchant_reference: 'INV-2026-1120-0042' };
const KEY = { 'idempotency-key': 'order-2026-11-20-0042' };
const DUPLICATE = { status: 409, json: { code: 'duplicate_merchant_reference' } };

openMerchantForEachTest({ metered: true });
let server: typeof api;
beforeEach(() => {
  server = api;
});

const browser = {
  initialize: (body: unknown, headers: Record<string, string> = {}) =>
    createApiClient(world, business.keys.public_test).initialize(body, { 'x-business-id': business.id, ...headers }),
};
const list = (query: Record<string, string>) => server.listCheckouts(undefined, {}, query);
const named = async (limit = 25, cursor?: string) => {
  const { merchant_reference } = ORDER;
  return (await list({ merchant_reference, limit: String(limit), ...(cursor && { cursor }) })).json;
};
const readReference = (answer: { json: { data: { reference: string } } }): string => answer.json.data.reference;
const owner = async (): Promise<unknown> => (await world.itemsOf('MREF'))[0]?.reference;

/** Calls `work` once, before the next transaction that takes the reference over from an ended checkout. */
const beforeTakeOver = (work: () => Promise<void>): void => {
  const { checkouts, transactions } = world.deps;
  const { opening } = checkouts;
  const { commit } = transactions;
  let isNext = false;
  let isDone = false;
  checkouts.opening = (checkout, former) => {
    isNext = former !== null && !isDone;
    return opening(checkout, former);
  };
  transactions.commit = async (...transaction) => {
    if (isNext) {
      [isNext, isDone] = [false, true];
      await work();
    }
    return commit(...transaction);
  };
};

describe('a merchant_reference from a public key', () => {
  test('never collides with a server’s or another browser’s', async () => {
    const first = await browser.initialize(ORDER);
    const own = await server.initialize(ORDER);
    const second = await browser.initialize(ORDER);
    expect([first, own, second].map(({ status }) => status)).toEqual([201, 201, 201]);
    expect([first, own, second].map(({ json }) => json.data.created_with)).toEqual(['public', 'secret', 'public']);
    expect(await server.initialize(ORDER)).toMatchObject(DUPLICATE);
    expect(await owner()).toBe(readReference(own));
  });

  test('reveals nothing: the answer is the same for a used and an unused reference', async () => {
    await server.initialize(ORDER);
    const shape = async (merchant_reference: string) => {
      const { status, json, headers } = await browser.initialize({ ...ORDER, merchant_reference });
      return { status, fields: Object.keys(json.data), headers: Object.keys(headers), message: json.message };
    };
    expect(await shape(ORDER.merchant_reference)).toEqual(await shape('INV-1999'));
  });

  test('comes after those of servers in the list, newest first, page by page', async () => {
    const opened: string[] = [];
    const open = async (client: typeof browser) => {
      world.clock.advance(SECOND);
      opened.push(readReference(await client.initialize(ORDER)));
    };
    for (const client of [browser, server, browser, browser]) await open(client);
    await server.expire(opened[1] ?? '');
    for (const client of [server, browser]) await open(client);
    const expected = [4, 1, 5, 3, 2, 0].map((i) => opened[i]);
    expect((await named()).data.map((checkout: { reference: string }) => checkout.reference)).toEqual(expected);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await named(2, cursor);
      seen.push(...page.data.map((checkout: { reference: string }) => checkout.reference));
      expect(page.meta.has_more).toBe(seen.length < expected.length);
      cursor = page.meta.next_cursor ?? undefined;
    } while (cursor);
    expect(seen).toEqual(expected);
    const { next_cursor } = (await named(2)).meta;
    for (const query of [{ cursor: next_cursor }, { cursor: next_cursor, merchant_reference: 'INV-1999' }]) {
      expect((await list(query)).status).toBe(422);
    }
  });
});

describe('an Idempotency-Key', () => {
  test('has separate answers for a browser and a server', async () => {
    const taken = await browser.initialize({ ...ORDER, amount: 1 }, KEY);
    const first = await server.initialize(ORDER, KEY);
    expect([taken.status, first.status]).toEqual([201, 201]);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(readReference(first)).not.toBe(readReference(taken));
    expect(await server.initialize(ORDER, KEY)).toMatchObject(expectReplay(first));
    // A browser does not get the answer of a server either.
    expect((await browser.initialize(ORDER, KEY)).json.code).toBe('idempotency_key_reused');
  });

  test('does not store the 409 for a reference that becomes free', async () => {
    const first = await server.initialize(ORDER);
    expect(await server.initialize(ORDER, KEY)).toMatchObject(DUPLICATE);
    await server.expire(readReference(first));
    expect(await server.initialize(ORDER, KEY)).toMatchObject({ status: 201 });
  });

  test('replays the answer of a checkout that took a reference over, even while others reuse it', async () => {
    await server.expire(readReference(await server.initialize(ORDER)));
    const answers = await Promise.all(Array.from({ length: 12 }, () => server.initialize(ORDER, KEY)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    expect((await named()).data).toHaveLength(2);
  });
});

describe('a merchant_reference from a server', () => {
  test('answers 409 while its checkout is pending, and names that checkout and how to end it', async () => {
    const reference = readReference(await server.initialize(ORDER));
    const duplicate = await server.initialize(ORDER);
    expect(duplicate).toMatchObject(DUPLICATE);
    const [, path] = /POST (\S+) ends it/.exec(duplicate.json.message) ?? [];
    expect(path).toBe(`/api/v1/checkouts/${reference}/expire`);
    expect((await server.expire(reference)).status).toBe(200);
    expect((await server.initialize(ORDER)).status).toBe(201);
  });

  test.each<[string, (reference: string) => Promise<unknown>, number]>([
    ['expired', async () => world.clock.advance(31 * MINUTE), 201],
    ['failed', (reference) => server.simulate({ reference, status: 'failed' }), 201],
    ['underpaid', (reference) => server.simulate({ reference, amount: 1 }), 409],
    ['paid', (reference) => server.simulate({ reference }), 409],
  ])('can be reused, or not, after a checkout that is %s', async (status, end, expected) => {
    const reference = readReference(await server.initialize(ORDER));
    await end(reference);
    await world.sweep();
    expect((await server.verify(reference)).json.data.status).toBe(status);
    expect((await server.initialize(ORDER)).status).toBe(expected);
    expect((await named()).data).toHaveLength(expected === 201 ? 2 : 1);
  });

  test('goes to exactly one of two or of twenty servers that reuse it at once', async () => {
    for (const servers of [2, 20]) {
      const current = String((await owner()) ?? readReference(await server.initialize(ORDER)));
      await server.expire(current);
      const answers = await Promise.all(Array.from({ length: servers }, () => server.initialize(ORDER)));
      const opened = answers.filter(({ status }) => status === 201);
      expect(opened).toHaveLength(1);
      expect(answers.filter(({ status }) => status !== 201)).toEqual(
        Array.from({ length: servers - 1 }, () => expect.objectContaining({ status: 409 })),
      );
      expect(await owner()).toBe(opened[0] && readReference(opened[0]));
    }
    expect((await named()).data).toHaveLength(3);
  });

  test('stays with a checkout that is paid meanwhile', async () => {
    const reference = readReference(await server.initialize(ORDER));
    await server.expire(reference);
    beforeTakeOver(async () => {
      expect((await server.simulate({ reference, late: true })).status).toBe(200);
    });
    const duplicate = await server.initialize(ORDER);
    expect(duplicate).toMatchObject(DUPLICATE);
    expect(duplicate.json.message).toContain(reference);
    expect((await named()).data).toMatchObject([{ reference, status: 'paid' }]);
  });

  test('leaves late money with the old checkout in any order, and both checkouts send their events', async () => {
    for (let round = 0; round < 12; round++) {
      const order = { ...ORDER, merchant_reference: `INV-${round}` };
      const old = readReference(await server.initialize(order));
      await server.expire(old);
      const [reused, late] = await Promise.all([
        server.initialize(order),
        server.simulate({ reference: old, late: true }),
      ]);
      expect([late.status, late.json.data.status]).toEqual([200, 'paid']);
      if (reused.status === 409) {
        expect(reused.json.message).toContain(old);
        continue;
      }
      const { reference } = reused.json.data;
      await server.simulate({ reference });
      const paid = (await world.events()).filter(({ type }) => type === 'checkout.paid');
      expect(paid.map(({ data }) => data.reference)).toEqual(expect.arrayContaining([old, reference]));
      expect((await server.verify(reference)).json.data.paid_amount).toBe(ORDER.amount);
    }
  });

  test('changes its checkout once even if the write’s answer is lost', async () => {
    await server.expire(readReference(await server.initialize(ORDER)));
    let lost = 0;
    meter.inject((operation, input) => {
      const isTakeOver = operation === 'TransactWriteItems' && JSON.stringify(input).includes('ConditionCheck');
      if (!isTakeOver || lost > 0) return undefined;
      lost += 1;
      return 'lose-answer';
    });
    expect((await server.initialize(ORDER, KEY)).status).toBe(201);
    expect(lost).toBe(1);
    expect((await named()).data).toHaveLength(2);
  });

  test('must be unique per business and mode', async () => {
    const other = await world.addBusiness([]);
    await server.initialize(ORDER);
    expect((await createApiClient(world, other.keys.secret_test).initialize(ORDER)).status).toBe(201);
    expect((await named()).data).toHaveLength(1);
  });

  test('may contain our separator # or look like a key of our table', async () => {
    for (const merchant_reference of ['a#LABEL', 'a', 'MREF', 'LABEL#SERVER#1#PAY-AAAAAAAAAAAAAAAAAAAA', '#']) {
      const { data } = (await server.initialize({ ...ORDER, merchant_reference })).json;
      expect((await list({ merchant_reference })).json.data).toEqual([data]);
    }
  });
});
