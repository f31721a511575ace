import { readFileSync } from 'node:fs';
import { writeClientTypes } from '#infra/client/types.ts';
import { makeDocument } from '#infra/openapi/document.ts';
import { Payments } from '#shared/client/index.ts';

/* The TypeScript client follows the API document. */

test('the client’s types are those of the document (if not, run npm run client:types)', () => {
  expect(readFileSync('shared/client/types.ts', 'utf8')).toBe(writeClientTypes());
});

interface Operation {
  readonly responses?: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }>
  >;
  readonly tags?: readonly string[];
  readonly parameters?: readonly { readonly $ref?: string }[];
}

interface Schema {
  readonly $ref?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const parseRefName = (schema: Schema | undefined): string => (schema?.items ?? schema)?.$ref?.split('/').at(-1) ?? '';

/** Finds the name of the schema of an endpoint's answer: of its `data`, or of its whole body. */
const findAnswerName = (paths: Record<string, Record<string, Operation>>, name: string): string => {
  const [method = '', path = ''] = name.split(' ');
  const [, operations] =
    Object.entries(paths).find(([documented]) => documented.replaceAll(/\{\w+\}/g, '{}') === path) ?? [];
  const responses = Object.entries(operations?.[method.toLowerCase()]?.responses ?? {});
  const [, success] = responses.find(([status]) => status.startsWith('2')) ?? [];
  const body = parseRefName(success?.content?.['application/json']?.schema);
  const schemas = makeDocument().components?.schemas as Readonly<Record<string, Schema>> | undefined;
  return parseRefName(schemas?.[body]?.properties?.data) || body;
};

test('the client calls every endpoint with the type of its answer, and with an idempotency key if the endpoint takes one', async () => {
  const called = new Map<string, boolean>();
  const answers: typeof fetch = async (address, init) => {
    const { pathname } = new URL(String(address));
    const headers = new Headers(init?.headers);
    called.set(`${init?.method} ${pathname.replaceAll(/ID/g, '{}')}`, headers.has('idempotency-key'));
    return new Response(JSON.stringify({ data: [], meta: { next_cursor: null } }));
  };
  const api = new Payments('sk_test_of_nobody', { baseUrl: 'https://payments.example.com/', fetch: answers });
  const amount = 8_500.75;
  const url = 'https://hooks.adastores.example/payments';
  await api.checkouts.initialize({ amount, payer_email: 'tunde.bakare@example.com' });
  await api.checkouts.verify('ID');
  await api.checkouts.list().page();
  await api.checkouts.expire('ID');
  await api.checkouts.openAnotherAccount('ID');
  await api.checkouts.requery('ID');
  await api.checkouts.simulate({ reference: 'ID' });
  await api.virtualAccounts.create({ customer_name: 'Adaeze Okafor', banks: ['paystack'] });
  await api.virtualAccounts.list().page();
  await api.virtualAccounts.get('ID');
  await api.virtualAccounts.deactivate('ID');
  await api.virtualAccounts.payments('ID').page();
  await api.virtualAccounts.simulate('ID', { amount });
  await api.payments.list().page();
  await api.payments.get('ID');
  for await (const _ of api.payments.export()) break;
  await api.payments.totals({ from: '2026-11-01', to: '2026-11-30' });
  await api.providers.list();
  await api.webhookEndpoints.create({ url });
  await api.webhookEndpoints.list().page();
  await api.webhookEndpoints.get('ID');
  await api.webhookEndpoints.deliveries('ID', { status: 'parked' }).page();
  await api.webhookEndpoints.update('ID', { enabled: false });
  await api.webhookEndpoints.delete('ID');
  await api.webhookEndpoints.rotateSecret('ID');
  await api.webhookEndpoints.test('ID');
  await api.webhookEndpoints.recover('ID', { since: '2026-11-20T00:00:00Z' });
  await api.events.list().page();
  await api.events.get('ID');
  await api.events.redeliver('ID');

  const paths = makeDocument().paths as unknown as Record<string, Record<string, Operation>>;
  const documented = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { tags = [] }]) => !tags.includes('Service'))
      .map(([method, { parameters = [] }]): [string, boolean] => [
        `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}')}`,
        parameters.some(({ $ref = '' }) => $ref.endsWith('/IdempotencyKey')),
      ]),
  );
  // The types of the answers, in the order of the client's methods and of the calls above.
  const typeNames = [
    ...readFileSync('shared/client/payments.ts', 'utf8').matchAll(/(?:fetchData|parseBody|List)<api\.(\w+)/g),
  ];
  const withTypes = [...called.keys()].filter((name) => !name.endsWith('/payments/export'));
  const expected = withTypes.map((name) => [name, findAnswerName(paths, name)]);
  expect(withTypes.map((name, i) => [name, typeNames[i]?.[1]])).toEqual(expected);
  // The client uses DELETE instead.
  const unused = new Set(['POST /api/v1/virtual-accounts/{}/delete']);
  expect(Object.fromEntries(called)).toEqual(Object.fromEntries(documented.filter(([name]) => !unused.has(name))));
});
