import { PassThrough } from 'node:stream';
import { askOn } from '#infra/ops/confirm.ts';
import { operationsProgram } from '#infra/ops/program.ts';

import { createBusiness } from '#shared/businesses/use-cases/create-business.ts';
import { landMoney } from '#shared/payments/use-cases/land-money.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { makeWorld, type World } from '#test/support/worlds/world.ts';
import { naira } from '#test/unit/api/examples.ts';
import { transferOf } from '#test/unit/payments/reported.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});

/** Runs a command on a stage with a person at the terminal who gives the answer. Returns the questions and errors. */
const runOn =
  (stage: string, answer: boolean) =>
  async (...args: string[]): Promise<string[]> => {
    const lines: string[] = [];
    await operationsProgram({
      connect: () => ({ ...world.deps, operator: async () => 'amaka' }),
      ask: async (question) => {
        lines.push(question);
        return answer;
      },
      out: () => {},
      err: () => {},
    })
      .parseAsync(['node', 'ops', '--stage', stage, ...args])
      .catch((error: Error) => lines.push(error.message));
    return lines;
  };
const yes = runOn('prod', true);
const no = runOn('prod', false);
const NOTHING = 'Nothing was done, because the answer was not yes.';

const newBusiness = async () => {
  const { business, keys } = await createBusiness(world.deps, { name: 'Ada Stores', actor: 'amaka' });
  const key = keys.find(({ mode, kind }) => mode === 'live' && kind === 'secret');
  if (!key) throw new Error('The business came without a secret live key.');
  return { id: business.id, keyId: key.id, last4: key.key.slice(-4) };
};
const findKey = async (id: string) => world.deps.businesses.findKey(id);

describe('a terminal shows one question, which says what will happen, before', () => {
  test('business suspend', async () => {
    const { id } = await newBusiness();
    const question = `Stage prod: suspend Ada Stores (${id})? None of its keys will work from the next request on.`;
    expect(await no('business', 'suspend', id)).toEqual([question, NOTHING]);
    expect(await world.deps.businesses.find(id)).toMatchObject({ suspended: false });
    expect(await yes('business', 'suspend', id)).toEqual([question]);
    expect(await world.deps.businesses.find(id)).toMatchObject({ suspended: true });
  });

  test('key revoke and key roll without grace', async () => {
    const { id, keyId, last4 } = await newBusiness();
    const key = `the live secret key sk_live_…${last4} (${keyId}) of business ${id}`;
    const roll = `Stage prod: replace ${key}? It will stop working at once.`;
    expect(await no('key', 'roll', keyId, '--grace', '0')).toEqual([roll, NOTHING]);
    const revoke = `Stage prod: revoke ${key}? It will stop working at once, for good.`;
    expect(await no('key', 'revoke', keyId)).toEqual([revoke, NOTHING]);
    expect(await findKey(keyId)).toMatchObject({ revokedAt: null });
    expect(await yes('key', 'revoke', keyId)).toEqual([revoke]);
    expect(await findKey(keyId)).toMatchObject({ revokedAt: expect.any(Number) });
  });

  test('whitelist set and clear', async () => {
    const { id, keyId } = await newBusiness();
    const key = `Stage prod: let the live key ${keyId} of business ${id} be used`;
    const set = `${key} only from 10.0.0.0/8? Now it may be used from any address.`;
    expect(await no('whitelist', 'set', keyId, '10.0.0.0/8')).toEqual([set, NOTHING]);
    expect(await findKey(keyId)).toMatchObject({ ipWhitelist: [] });
    expect(await yes('whitelist', 'set', keyId, '10.0.0.0/8')).toEqual([set]);
    const clear = `${key} from any address? Now it may be used only from 10.0.0.0/8.`;
    expect(await no('whitelist', 'clear', keyId)).toEqual([clear, NOTHING]);
    expect(await findKey(keyId)).toMatchObject({ ipWhitelist: ['10.0.0.0/8'] });
  });

  test('unmatched assign', async () => {
    const payee = { by: 'account_number', accountNumber: '7799999999' } as const;
    await landMoney(world.deps, 'korapay', transferOf({ payee, amount: naira(8_500.75), senderName: 'Chidi Eze' }));
    const [payment] = await world.unmatched();
    const to = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';
    expect(await no('unmatched', 'assign', payment?.id ?? '', to)).toEqual([
      `Stage prod: record 8500.75 naira from Chidi Eze through korapay on ${to}, and send a webhook to its business?`,
      NOTHING,
    ]);
    expect(await world.unmatched()).toEqual([payment]);
  });

  test('event redeliver', async () => {
    const business = await world.addBusiness(['https://ada.example/']);
    const endpointId = business.endpoints[0]?.id ?? '';
    const { id } = (await createApiClient(world, business.keys.secret_test).testEndpoint(endpointId)).json.data;
    await world.takeJobs();
    const event = `Stage prod: send the test event endpoint.test of business ${business.id} again, to`;
    expect(await no('event', 'redeliver', id)).toEqual([`${event} every endpoint that got it?`, NOTHING]);
    expect(await world.takeJobs()).toEqual([]);
    expect(await yes('event', 'redeliver', id, '--endpoint', endpointId)).toEqual([`${event} ${endpointId}?`]);
    expect(await world.takeJobs()).toHaveLength(1);
  });
});

describe('the question before a change of a webhook endpoint', () => {
  test.each([
    ['update', 'change', ['--url', 'https://ada.example/new'], ''],
    ['disable', 'switch off', [], ''],
    ['rotate', 'end the secret of', ['--grace', '0'], ' at once'],
    ['delete', 'delete', [], ', for good'],
  ])('names the endpoint: endpoint %s', async (command, verb, options, rest) => {
    const { id, endpoints } = await world.addBusiness(['https://ada.example/hooks']);
    const [endpoint] = endpoints;
    const question = `Stage prod: ${verb} the test webhook endpoint ${endpoint?.id} of business ${id} (https://ada.example/hooks)${rest}?`;
    expect(await no('endpoint', command, endpoint?.id ?? '', ...options)).toEqual([question, NOTHING]);
    expect(await world.deps.businesses.findEndpoint(endpoint?.id ?? '')).toEqual(endpoint);
    expect(await yes('endpoint', command, endpoint?.id ?? '', ...options)).toEqual([question]);
    expect(await world.deps.businesses.findEndpoint(endpoint?.id ?? '')).not.toEqual(endpoint);
  });
});

test('the commands that a command suggests next name the same stage', async () => {
  const { id } = await newBusiness();
  const printed = async (...args: string[]): Promise<string> => {
    let text = '';
    const out = (more: string) => {
      text += more;
    };
    const connect = () => ({ ...world.deps, operator: async () => 'amaka' });
    await operationsProgram({ connect, colours: true, out, err: () => {} }).parseAsync(['node', 'ops', ...args]);
    return text;
  };
  const suspend = ['business', 'suspend', id];
  expect(await printed('--stage', 'prod', '--yes', ...suspend)).toContain(`ops -- --stage prod business resume ${id}`);
  expect(await printed(...suspend)).toContain(`ops -- business resume ${id}`);
  expect(await printed('business', 'show', id)).toContain('\u001b[31msuspended');
});

describe('no question is asked', () => {
  test.each([
    ['on the local stack', 'local', []],
    ['with --yes', 'prod', ['--yes']],
    ['with --yes and --json', 'prod', ['--yes', '--json']],
  ])('if the command runs %s', async (_, stage, options) => {
    const { id } = await newBusiness();
    expect(await runOn(stage, false)('business', 'suspend', id, ...options)).toEqual([]);
    expect(await world.deps.businesses.find(id)).toMatchObject({ suspended: true });
  });

  test('if --json is given without --yes; the command is then refused', async () => {
    const { id } = await newBusiness();
    expect(await yes('business', 'suspend', id, '--json')).toEqual([expect.stringContaining('Add --yes')]);
    expect(await world.deps.businesses.find(id)).toMatchObject({ suspended: false });
  });

  test('if the command only reads, or rolls a key with some grace', async () => {
    const { id, keyId } = await newBusiness();
    expect(await no('business', 'show', id)).toEqual([]);
    expect(await no('key', 'roll', keyId)).toEqual([]);
    expect(await findKey(keyId)).toMatchObject({ expiresAt: expect.any(Number) });
  });
});

describe('the question on a terminal', () => {
  const type = async (answer: string | null) => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const isYes = askOn(input, output)('Stage prod: suspend Ada Stores?');
    if (answer === null) input.end();
    else input.write(answer);
    return { isYes: await isYes, shown: String(output.read()) };
  };

  test.each([
    ['yes\n', true],
    [' Y \n', true],
    ['no\n', false],
    ['\n', false],
    ['yesterday\n', false],
    [null, false],
  ])('takes the answer %j as %s', async (answer, isYes) => {
    expect(await type(answer)).toEqual({ isYes, shown: expect.stringContaining('Stage prod: suspend Ada Stores?\n') });
  });
});
