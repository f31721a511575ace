import { chainOf, makeCall } from './chain.ts';

const BY_KEY = 'POST /api/v1/savings-plans';
const BY_SESSION = 'POST /api/dashboard/v1/savings-plans';

describe('the route that the gateway chose', () => {
  test('decides that an endpoint takes an API key, whatever the decoded path looks like', async () => {
    const { send } = chainOf();
    const odd = { ...makeCall(), routeKey: BY_KEY, rawPath: '/api/dashboard/v1/savings-plans' };
    expect(await send(odd)).toMatchObject({ status: 201 });
  });

  test('decides that an endpoint takes a session and reads no API key, whatever the decoded path looks like', async () => {
    const { send, lookedUp } = chainOf();
    const odd = { ...makeCall(), routeKey: BY_SESSION, rawPath: '/api/v1/savings-plans' };
    expect(await send(odd)).toMatchObject({ status: 403, body: { code: 'cross_site_request' } });
    expect(lookedUp).toEqual([]);
  });
});
