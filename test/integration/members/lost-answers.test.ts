import { startFaultProxy } from '#test/support/emulators/fault-proxy.ts';
import { createAccountClient } from '#test/support/worlds/account-client.ts';
import { createAuthenticator } from '#test/support/worlds/authenticator.ts';
import { invite, signIn } from '#test/support/worlds/dashboard.ts';
import { makeWorld } from '#test/support/worlds/world.ts';

const OWNER = 'ada@ada-stores.example.com';

test('a member signs in by code and by passkey although each first answer to a write is lost and the SDK repeats the write', async () => {
  const proxy = await startFaultProxy(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
  const world = await makeWorld({ dynamoDbEndpoint: proxy.endpoint });
  await invite(world, (await world.addBusiness()).id, OWNER, 'owner');
  const lost: string[] = [];
  proxy.inject((operation, input) => {
    const call = `${operation} ${JSON.stringify(input)}`;
    // A count is never repeated: its request fails, and the member sends it again.
    const isCount = String(input.UpdateExpression).startsWith('ADD');
    if (!/^(Put|Update|Delete|Transact)/.test(operation) || isCount || lost.includes(call)) return undefined;
    lost.push(call);
    return 'lose-answer';
  });
  const browser = createAccountClient(world, await signIn(world, OWNER));
  const key = createAuthenticator();
  expect((await browser.addPasskey(key)).status).toBe(201);
  expect((await createAccountClient(world).usePasskey(key, OWNER)).status).toBe(200);
  expect(lost.filter((call) => call.includes('CHAL#'))).toHaveLength(4);
  expect(lost.some((call) => call.includes('SGN#'))).toBe(true);
  await proxy.stop();
});
