import { callOf, stackOf } from './stack.ts';

const BY_KEY = 'POST /api/v1/savings-plans';
const BY_SESSION = 'POST /api/dashboard/v1/savings-plans';

describe('whether a key or a session opens an endpoint', () => {
  test('is decided by the route that the gateway chose, not by the path as it decoded it', async () => {
    const { send } = stackOf();
    const odd = { ...callOf(), routeKey: BY_KEY, rawPath: '/api/dashboard/v1/savings-plans' };
    expect(await send(odd)).toMatchObject({ status: 201 });
  });

  test('leaves a key unread on a route of sessions, whatever the path looks like', async () => {
    const { send, lookedUp } = stackOf();
    const odd = { ...callOf(), routeKey: BY_SESSION, rawPath: '/api/v1/savings-plans' };
    expect(await send(odd)).toMatchObject({ status: 403, body: { code: 'cross_site_request' } });
    expect(lookedUp).toEqual([]);
  });
});
