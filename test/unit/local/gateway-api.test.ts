import type { Answer } from '#infra/local/gateway/answer.ts';
import { serveApi } from '#infra/local/gateway/api.ts';
import type { HttpHead } from '#infra/local/gateway/request.ts';

const FUNCTIONS = [
  { name: 'initialize-checkout', routes: ['POST /api/v1/checkout/initialize'] },
  { name: 'verify-checkout', routes: ['GET /api/v1/checkout/verify/{reference}'] },
  { name: 'not-found', routes: ['$default'] },
];
const ORIGIN = 'https://shop.ada-stores.example.com';

const makeHead = (method: string, path: string): HttpHead => ({
  id: 'req-1',
  method,
  path,
  query: '',
  protocol: 'HTTP/1.1',
  headers: { host: '127.0.0.1:3000', origin: ORIGIN },
  sourceIp: '127.0.0.1',
  receivedAt: new Date('2026-11-25T09:00:00Z'),
});
const INITIALIZE = makeHead('POST', '/api/v1/checkout/initialize');

/** Makes an API with functions that never answer, and so many requests to one of them that no more may wait. */
const makeFloodedApi = () => {
  const called: string[] = [];
  const call = (name: string): Promise<Answer> => {
    called.push(name);
    return new Promise(() => {});
  };
  const service = serveApi(FUNCTIONS, call, 1);
  for (let n = 0; n < 4; n += 1) void service.answer({ ...INITIALIZE, body: Buffer.alloc(0) });
  return { service, called };
};

describe('the API of a local gateway', () => {
  test('refuses requests above the limit by their head alone, with an answer that pages in browsers can read', async () => {
    const { service } = makeFloodedApi();
    expect(service.answerHead(INITIALIZE)).toMatchObject({
      status: 503,
      headers: { 'retry-after': '1', 'x-request-id': 'req-1', 'access-control-allow-origin': '*' },
      body: expect.stringContaining('"code":"service_unavailable"'),
    });
  });

  test('answers preflights and passes requests to other functions on, even above the limit', async () => {
    const { service, called } = makeFloodedApi();
    expect(service.answerHead({ ...INITIALIZE, method: 'OPTIONS' })?.status).toBe(204);
    const verify = makeHead('GET', '/api/v1/checkout/verify/chk_01KQ5V7N3M');
    expect(service.answerHead(verify)).toBeUndefined();
    void service.answer({ ...verify, body: Buffer.alloc(0) });
    await new Promise((resolve) => setImmediate(resolve));
    expect(called).toEqual(['initialize-checkout', 'verify-checkout']);
  });
});
