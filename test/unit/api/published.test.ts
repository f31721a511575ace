import { type Template, templateApi } from '#shared/api/published.ts';
import { log } from '#shared/platform/observability/log.ts';
import { apiEvent, lambdaContext } from '#test/support/worlds/api-event.ts';
import { chainOf } from './chain.ts';
import { NOON } from './examples.ts';

const TEXT: Template = {
  type: 'text/html; charset=utf-8',
  text: '<p>SERVER/docs, SERVER/llms.txt. Contact: NOBODY.</p>',
  placeholders: { server: 'SERVER', contact: 'NOBODY' },
};

const get = async (contact = 'ada@payments.example', template = TEXT, headers: Record<string, string> = {}) => {
  chainOf();
  const handler = templateApi({ now: () => NOON, log, metrics: () => {}, contact }, () => template);
  return handler(apiEvent({ method: 'GET', path: '/docs', headers }), lambdaContext());
};

describe('a published text', () => {
  test('has the address of the request and the contact of the stage in place of its placeholders', async () => {
    expect((await get('integrations@payments.example')).body).toBe(
      '<p>https://api.example.com/docs, https://api.example.com/llms.txt. Contact: integrations@payments.example.</p>',
    );
  });

  test('has another ETag with another contact, and is not sent again under its own', async () => {
    const [first, other] = [await get('ada@payments.example'), await get('tunde@payments.example')];
    expect(first.headers?.etag).toMatch(/^W\/"[\w-]{22}"$/);
    expect(other.headers?.etag).not.toBe(first.headers?.etag);
    const known = { 'if-none-match': String(first.headers?.etag) };
    expect((await get('ada@payments.example', TEXT, known)).statusCode).toBe(304);
    expect((await get('tunde@payments.example', TEXT, known)).statusCode).toBe(200);
  });

  test('gets a 404 each time, and is not cached, if it is the text for a missing page', async () => {
    const missing = { ...TEXT, statusCode: 404 };
    const first = await get(undefined, missing);
    expect([first.statusCode, first.headers?.['cache-control']]).toEqual([404, 'no-store']);
    expect((await get(undefined, missing, { 'if-none-match': '*' })).statusCode).toBe(404);
  });
});
