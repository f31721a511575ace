import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeStackFile } from '#infra/local/data/stack-file.ts';
import type { Stage } from '#infra/ops/connect.ts';
import { erasePayer } from '#shared/erasure/use-cases/erase-payer.ts';
import { asReversed, payment } from '#shared/payments/domain/payment.ts';
import { emailHash } from '#shared/platform/table/email-hash.ts';
import type { Item } from '#shared/platform/table/table.ts';
import { type FaultProxy, startFaultProxy } from '#test/support/emulators/fault-proxy.ts';
import { isLongRun, longerTest, longTest } from '#test/support/jest/long.ts';
import { SEED } from '#test/support/jest/seed.ts';
import { inNoRole } from '#test/support/permissions/roles.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { type LiveWorld, makeLiveWorld } from '#test/support/worlds/live-world.ts';
import { runOpsAsJson, runOpsAsText } from '#test/support/worlds/operations.ts';
import { hasTrace, makePayerWorld, readText, TUNDE, writeItem } from '#test/support/worlds/payer-records.ts';
import { putAll } from '#test/support/worlds/table.ts';
import { makeWorld, type World } from '#test/support/worlds/world.ts';

const ERASED = /^erased-[0-9a-z]{26}@erased\.invalid$/;

let world: LiveWorld;
let stage: Stage;
let payerWorld: Awaited<ReturnType<typeof makePayerWorld>>;
/** All items that were stored before the first erasure. */
let before: Item[];
beforeAll(async () => {
  world = await makeLiveWorld();
  stage = { ...world.deps, operator: async () => 'amaka' };
  payerWorld = await makePayerWorld(world);
  before = await world.itemsOf('');
});
afterAll(() => world.stop());

const keyOf = ({ pk, sk }: Item): string => `${pk} ${sk}`;
const isAudit = ({ pk }: Item): boolean => String(pk).startsWith('AUDIT#');
/** Whether an item of the payer belongs to the other business. Such an item names that business, a checkout or an account of it. */
const isElsewhere = (item: Item): boolean =>
  [payerWorld.other.id, ...payerWorld.elsewhere.references, ...payerWorld.elsewhere.accounts].some((id) =>
    readText(item).toLowerCase().includes(id.toLowerCase()),
  );

describe('payer erase', () => {
  test('leaves no trace of the payer at the business, and changes nobody else', async () => {
    const kinds = new Set(
      before.filter((item) => hasTrace(item) && !isElsewhere(item)).map(({ sk }) => String(sk).split('#')[0]),
    );
    // Items that point to a customer by a hash show no trace.
    expect([...kinds].sort()).toEqual(['ATT', 'CHK', 'DLV', 'EVT', 'IDEM', 'NTF', 'PAY', 'VA']);
    const { test: api, live, references, accounts, order, key } = payerWorld.payer;
    const paid = (await live.verify(references[1] ?? '')).json.data;

    const answer = await runOpsAsJson(
      stage,
      'payer',
      'erase',
      payerWorld.business.id,
      ` ${TUNDE.email.toUpperCase()} `,
      '--also',
      TUNDE.phone,
    );
    expect(answer).toEqual({
      done: true,
      replaced_by: expect.stringMatching(ERASED),
      items_read: before.length + 2,
      erased: { checkouts: 3, virtual_accounts: 2, payments: 4, events: 4, stored_answers: 6, notifications: 3 },
      left: { opening: 0, unsettled_notifications: 0, unreadable: 0 },
      open_virtual_accounts: expect.arrayContaining(accounts),
    });

    const after = await world.itemsOf('');
    expect(after.filter((item) => hasTrace(item) && !isElsewhere(item)).map(keyOf)).toEqual([]);
    expect(after.filter(({ sk }) => sk === 'ERASE')).toEqual([]);
    // No index may have a hash that finds the address.
    const hash = emailHash(world.deps.hashKey, TUNDE.email);
    const hashed = (items: readonly Item[]) =>
      items.filter((item) => !isElsewhere(item) && writeItem(item).includes(hash));
    expect([hashed(before).length > 0, hashed(after).map(keyOf)]).toEqual([true, []]);
    // Items without a trace stay as they were, except pointers to the customer by a hash, and notifications about the payer.
    const stored = new Map(after.map((item) => [keyOf(item), item]));
    const untouched = before.filter((item) => (!hasTrace(item) || isElsewhere(item)) && !isAudit(item));
    const isAbout = (item: Item) =>
      item.sk === 'NTF' && [...references, ...accounts].some((id) => readText(item).includes(id));
    const changed = untouched
      .filter((item) => !isAbout(item))
      .filter((item) => writeItem(stored.get(keyOf(item)) ?? {}) !== writeItem(item));
    expect(changed.map(({ pk, sk }) => [String(pk).split('#')[0], sk])).toEqual(
      expect.arrayContaining(accounts.map((id) => ['CUST', `VA#${id}`])),
    );
    const pointers = changed.map(({ pk }) => String(pk).split('#')[0]).toSorted();
    expect(pointers).toEqual(['ACCT', 'ACCT', 'ACCT', 'CUST', 'CUST']);
    // A checkout leaves its payer's list, but its account number still finds the checkout.
    for (const item of changed.filter(({ pk }) => String(pk).startsWith('ACCT#'))) {
      const { gsi1pk: _, gsi1sk: __, ...left } = item;
      expect(stored.get(keyOf(item))).toEqual(left);
    }

    // The money and its objects stay; the API shows them as before.
    const erased = (await live.verify(references[1] ?? '')).json.data;
    const { payments, metadata, ...rest } = erased;
    expect(rest).toEqual({
      ...Object.fromEntries(Object.entries(paid).filter(([name]) => name !== 'payments' && name !== 'metadata')),
      payer_email: answer.replaced_by,
      payer_name: null,
      account_name: 'Erased',
      accounts: paid.accounts.map((account: object) => ({ ...account, account_name: 'Erased' })),
      sender_name: null,
      sender_bank: null,
      version: paid.version + 1,
    });
    expect(payments).toEqual(paid.payments.map((part: object) => ({ ...part, sender_name: null, sender_bank: null })));
    expect(metadata).toEqual({ cart: 'ankara-6-yards', contact: { mail: '***', tel: '***' }, tags: ['***', 'new'] });
    expect((await live.getAccount(accounts[1] ?? '')).json.data).toMatchObject({
      customer_name: 'Erased',
      customer_phone: null,
      customer_email: answer.replaced_by,
      status: 'active',
    });
    expect((await live.listPayments(accounts[1] ?? '')).json.data).toMatchObject([
      { amount: 1_250.5, sender_name: null },
    ]);
    const byEmail = await live.listAccounts(undefined, {}, { customer_email: TUNDE.email });
    expect(byEmail.json.data).toEqual([]);
    for (const { id } of (await live.listEvents()).json.data) expect((await live.getEvent(id)).status).toBe(200);
    const replayed = await api.initialize(order, key);
    expect(replayed.headers['idempotent-replayed']).toBe('true');
    expect(replayed.json.data).toMatchObject({ reference: references[0], payer_email: answer.replaced_by });

    const { changes } = await runOpsAsJson(stage, 'audit', 'list', payerWorld.business.id);
    // Both changes have the same millisecond, so their order is not known.
    expect(changes.map(({ who, what }: { who: string; what: string }) => `${who} ${what}`).sort()).toEqual([
      `amaka erased a payer, whose address is ${answer.replaced_by} now: 3 checkouts, 2 virtual accounts, 4 payments, 4 events, 6 stored answers, 3 notifications`,
      `amaka started the erasure of a payer, whose address becomes ${answer.replaced_by}`,
    ]);
  });

  test('finds nothing the second time, and erases later data by the address that replaced the payer’s', async () => {
    const [, id = ''] = payerWorld.payer.accounts;
    const traces = async () => (await world.itemsOf('')).filter((item) => hasTrace(item) && !isElsewhere(item));
    const again = await runOpsAsJson(stage, 'payer', 'erase', payerWorld.business.id, TUNDE.email);
    expect(new Set(Object.values(again.erased))).toEqual(new Set([0]));
    expect(await traces()).toEqual([]);
    const { account_number: number, customer_email: placeholder } = (await payerWorld.payer.live.getAccount(id)).json
      .data;
    await world.pay('korapay', number, 70_000, { senderName: TUNDE.sender, senderBank: TUNDE.bank });
    expect((await traces()).map(({ sk }) => sk).sort()).toEqual(['EVT', 'NTF', 'PAY']);
    const later = await runOpsAsJson(stage, 'payer', 'erase', payerWorld.business.id, placeholder);
    expect(later).toMatchObject({ replaced_by: placeholder, erased: { checkouts: 3, payments: 5, events: 5 } });
    expect(await traces()).toEqual([]);
    const { data } = (await payerWorld.payer.live.listPayments(id)).json;
    expect(data.map(({ amount }: { amount: number }) => amount)).toEqual([700, 1_250.5]);
  });

  test('says where data of the payer may be left, and refuses a malformed address or business id', async () => {
    const text = await runOpsAsText(stage, 'payer', 'erase', payerWorld.other.id, 'nobody@payer.example');
    expect(text).toContain('Logs, backups, the business and the provider may still have data of the payer');
    await expect(runOpsAsJson(stage, 'payer', 'erase', payerWorld.other.id, 'nobody')).rejects.toThrow(
      'That is not an e-mail address.',
    );
    await expect(runOpsAsJson(stage, 'payer', 'erase', 'biz_1', TUNDE.email)).rejects.toThrow(
      'not the id of a business',
    );
  });

  test('cannot be undone by a reversal that read the payment before the erasure', async () => {
    const item = before.find((stored) => stored.sk === 'PAY' && hasTrace(stored) && !isElsewhere(stored));
    const read = payment.parse(item);
    expect(read.senderName).not.toBeNull();
    expect(await world.deps.ledger.record({ reversed: [asReversed(read)] })).toBe('conflict');
  });
});

test('money that lands during an erasure of its payer counts once', async () => {
  const own = await makeWorld();
  const { id, keys } = await own.addBusiness();
  const api = createApiClient(own, keys.secret_test);
  const { data } = (await api.initialize({ amount: 10_000, payer_email: TUNDE.email, payer_name: TUNDE.name })).json;
  const { reference } = data;
  const pay = () => api.simulate({ reference, amount: 1_000, sender_name: TUNDE.sender });
  const erase = () =>
    erasePayer(own.deps, { businessId: id, email: TUNDE.email, operator: 'amaka' }, () => {}, {
      itemsAPage: 3,
      pages: 100,
    });
  const [erased, ...paid] = await Promise.all([erase(), ...Array.from({ length: 6 }, pay)]);
  expect(paid.map(({ status }) => status)).toEqual(Array(6).fill(200));
  const after = (await api.verify(reference)).json.data;
  expect(after).toMatchObject({ paid_amount: 6_000, payer_email: erased.replacement, payer_name: null });
  expect(new Set(after.payments.map((part: { id: string }) => part.id)).size).toBe(6);
  // Data that came during the erasure is found by the address that replaced the payer's.
  const input = { businessId: id, email: erased.replacement, operator: 'amaka' };
  await erasePayer(own.deps, input, () => {});
  await erasePayer(own.deps, { ...input, email: TUNDE.email }, () => {});
  expect((await own.itemsOf('')).filter(hasTrace)).toEqual([]);
});

describe('an interrupted erasure', () => {
  let proxy: FaultProxy;
  beforeAll(async () => {
    proxy = await startFaultProxy(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
  });
  afterAll(() => proxy.stop());
  beforeEach(() => proxy.inject(() => undefined));

  /** Makes a new stage with all items that were stored before the first erasure. */
  const restore = async (): Promise<World> => {
    const copy = await makeWorld({ dynamoDbEndpoint: proxy.endpoint });
    await inNoRole(() => putAll(copy.table, before));
    return copy;
  };
  const BOUNDS = { itemsAPage: 20, pages: 1_000 };
  const erase = (stageWorld: World, bounds = BOUNDS) =>
    erasePayer(
      stageWorld.deps,
      { businessId: payerWorld.business.id, email: TUNDE.email, also: [TUNDE.phone], operator: 'amaka' },
      () => {},
      bounds,
    );
  /** Reads all items except records of changes, with one text in place of every replaced address. */
  const readOutcome = async (stageWorld: World): Promise<Map<string, string>> =>
    new Map(
      (await stageWorld.itemsOf(''))
        .filter((item) => !isAudit(item))
        .map((item) => [keyOf(item), writeItem(item).replaceAll(/erased-[0-9a-z]{26}@/g, 'erased@')]),
    );
  /** Compares the items with the result of an erasure that nothing interrupted. Lists the keys of the items that differ. */
  const listDeviations = async (stageWorld: World): Promise<string[]> => {
    const stored = await readOutcome(stageWorld);
    return [...new Set([...stored.keys(), ...whole.keys()])].filter((key) => stored.get(key) !== whole.get(key));
  };
  let whole: Map<string, string>;
  let calls: number;

  longerTest('makes more than forty calls to the table if nothing interrupts it', async () => {
    const copy = await restore();
    calls = 0;
    proxy.inject(() => {
      calls += 1;
      return undefined;
    });
    expect(await erase(copy)).toMatchObject({ isDone: true, erased: { checkouts: 3, payments: 4, events: 4 } });
    whole = await readOutcome(copy);
    expect(calls).toBeGreaterThan(40);
  });

  longerTest('continues where it was interrupted, whichever call was the last, and changes nothing twice', async () => {
    const REFUSED = { status: 400, body: { __type: 'com.amazon.coral.service#AccessDeniedException', Message: 'No.' } };
    // The long run tests every third call. Its seed chooses the first call, so that three seeds in a row test each call.
    const step = isLongRun ? 3 : Math.ceil(calls / 2);
    for (let last = isLongRun ? Math.abs(SEED) % step : 0; last < calls; last += step) {
      const copy = await restore();
      let answered = 0;
      proxy.inject(() => {
        answered += 1;
        return answered > last ? REFUSED : undefined;
      });
      await expect(erase(copy)).rejects.toThrow('No.');
      proxy.inject(() => undefined);
      expect(await erase(copy)).toMatchObject({ isDone: true });
      expect({ last, deviations: await listDeviations(copy) }).toEqual({ last, deviations: [] });
    }
  });

  test('reads a bounded number of pages in one run of the command, and each run is recorded', async () => {
    const copy = await restore();
    const bounds = { itemsAPage: 40, pages: 2 };
    const first = await erase(copy, bounds);
    expect(first).toMatchObject({ isDone: false, read: 80 });
    let last = first;
    let calls = 1;
    while (!last.isDone) {
      last = await erase(copy, bounds);
      calls += 1;
    }
    expect(last).toMatchObject({ replacement: first.replacement, erased: { checkouts: 3, payments: 4, events: 4 } });
    expect(await listDeviations(copy)).toEqual([]);
    expect((await copy.itemsOf('LOG#')).filter(({ businessId }) => businessId === payerWorld.business.id)).toHaveLength(
      calls + 1,
    );
  });

  test('repeats a write that conflicted with a transaction', async () => {
    const copy = await restore();
    const type = 'com.amazonaws.dynamodb.v20120810#TransactionConflictException';
    const conflicts = new Set<string>();
    proxy.inject((operation, { Key, Item }) => {
      const target = JSON.stringify(Key ?? Item);
      if (!/^(Put|Update|Delete)Item$/.test(operation) || conflicts.has(target)) return undefined;
      conflicts.add(target);
      return { status: 400, body: { __type: type, message: 'Transaction is ongoing for the item' } };
    });
    expect(await erase(copy)).toMatchObject({ isDone: true });
    expect(conflicts.size).toBeGreaterThan(20);
    expect(await listDeviations(copy)).toEqual([]);
  });

  test('does not change unfinished objects, and counts them', async () => {
    const copy = await restore();
    const unfinished = before
      .filter((item) => hasTrace(item) && !isElsewhere(item))
      .flatMap((item): Item[] => {
        if (item.sk === 'NTF') return [{ ...item, dueAt: copy.clock.now() }];
        return item.sk === 'VA' || item.sk === 'CHK' ? [{ ...item, status: 'opening' }] : [];
      });
    await inNoRole(() => putAll(copy.table, unfinished));
    const { left, erased, openAccounts } = await erase(copy);
    expect(left).toEqual({ opening: 5, unsettledNotifications: 2, unreadable: 0 });
    expect([erased.checkouts, erased.virtualAccounts, openAccounts]).toEqual([0, 0, []]);
    const stored = new Map((await copy.itemsOf('')).map((item) => [keyOf(item), writeItem(item)]));
    for (const item of unfinished) expect(stored.get(keyOf(item))).toBe(writeItem(item));
  });

  test('does not run twice at the same time', async () => {
    const copy = await restore();
    const both = await Promise.allSettled([erase(copy), erase(copy)]);
    const failed = both.filter(({ status }) => status === 'rejected');
    for (const { reason } of failed as PromiseRejectedResult[])
      expect(String(reason)).toContain('Another call is erasing the same payer');
    if (failed.length === 2) await erase(copy);
    expect(await listDeviations(copy)).toEqual([]);
  });

  longTest('continues after its process was killed halfway', async () => {
    const copy = await restore();
    const dataDir = mkdtempSync(join(tmpdir(), 'erase-'));
    const queueUrls = copy.queueUrls;
    writeStackFile(dataDir, {
      pid: process.pid,
      baseUrl: 'http://127.0.0.1:3000',
      dynamodbEndpoint: proxy.endpoint,
      sqsEndpoint: 'http://127.0.0.1:9',
      accessKeyId: process.env.AWS_ACCESS_KEY_ID ?? '',
      queueUrls,
      tableName: copy.table.name,
      dueShards: copy.table.dueShards,
      hashKey: copy.deps.hashKey,
    });
    const run = () => {
      const { PATH, HOME } = process.env;
      const args = [
        'infra/ops/main.ts',
        '--json',
        'payer',
        'erase',
        payerWorld.business.id,
        TUNDE.email,
        '--also',
        TUNDE.phone,
      ];
      return spawn(process.execPath, args, {
        env: { PATH, HOME, DATA_DIR: dataDir },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
    };
    const killed = run();
    let writes = 0;
    proxy.inject((operation) => {
      if (/Put|Update|Delete|TransactWrite/.test(operation)) writes += 1;
      if (writes < 10) return undefined;
      killed.kill('SIGKILL');
      return 'hang';
    });
    expect(await once(killed, 'exit')).toEqual([null, 'SIGKILL']);
    const halfway = (await copy.itemsOf('')).filter((item) => hasTrace(item) && !isElsewhere(item));
    expect(halfway).not.toEqual([]);
    expect(halfway.length).toBeLessThan(before.filter((item) => hasTrace(item) && !isElsewhere(item)).length);

    proxy.inject(() => undefined);
    const second = run();
    let printed = '';
    second.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
    expect(await once(second, 'close')).toEqual([0, null]);
    expect(JSON.parse(printed)).toMatchObject({ done: true, erased: { checkouts: 3, payments: 4, events: 4 } });
    expect(await listDeviations(copy)).toEqual([]);
    rmSync(dataDir, { recursive: true, force: true });
  });
});
