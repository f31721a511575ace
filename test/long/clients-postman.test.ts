import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isLongRun, longTest } from '#test/support/jest/long.ts';
import { type ClientWorld, LIMIT_MS, run, startClientWorld, TOOLS } from '#test/support/worlds/generated-client.ts';

/* A collection for Postman that a tool of others makes of the published document, making a payment on a running service. */

const BIN = join(TOOLS, 'node_modules/.bin');
interface Pair {
  readonly key: string;
  readonly value: string;
  readonly disabled?: boolean;
}
interface Request {
  readonly method: string;
  readonly auth?: { readonly type: string; readonly bearer?: readonly Pair[] };
  readonly header: readonly Pair[];
  readonly body?: { readonly raw?: string };
  readonly url: {
    readonly host: readonly string[];
    readonly path: readonly string[];
    readonly query: readonly Pair[];
    readonly variable: readonly Pair[];
  };
}
interface Item {
  readonly name: string;
  readonly item?: readonly Item[];
  readonly request?: Request;
}

const requestsOf = (items: readonly Item[]): readonly Item[] =>
  items.flatMap((one) => (one.item ? requestsOf(one.item) : [one]));

describe('a collection of', () => {
  let world: ClientWorld;
  beforeAll(async () => {
    if (!isLongRun) return;
    world = await startClientWorld();
    await run('npm', ['ci', '--prefix', TOOLS]);
  }, LIMIT_MS);
  afterAll(() => world?.stop());

  longTest(
    'openapi-to-postmanv2 has example bodies, and its requests make a payment once its variables are filled',
    async () => {
      const { folder, document, env } = world;
      const collection = join(folder, 'postman.json');
      const options = ['-O', 'parametersResolution=Example,enableOptionalParameters=false'];
      await run(join(BIN, 'openapi2postmanv2'), ['-s', document, '-o', collection, ...options]);
      const { item } = JSON.parse(await readFile(collection, 'utf8'));
      const requests = requestsOf(item);
      const bodies = requests.flatMap(({ request }) => request?.body?.raw ?? []);
      expect(bodies.length).toBeGreaterThan(8);
      expect(bodies.filter((body) => /"<\w+>"/.test(body))).toEqual([]);

      /** Sends a request as Postman does: what is written in it, with the variables that its user fills, and no header of ours. */
      const send = async (name: string, changes: { body?: object; path?: Readonly<Record<string, string>> } = {}) => {
        const request = requests.find((one) => one.name === name)?.request;
        if (!request) throw new Error(`The collection has no request "${name}".`);
        const variables: Readonly<Record<string, string | undefined>> = { baseUrl: env.BASE_URL, bearerToken: env.KEY };
        const fill = (text: string): string => text.replace(/\{\{(\w+)\}\}/g, (_, key: string) => variables[key] ?? '');
        const path = request.url.path.map((part) => (part.startsWith(':') ? changes.path?.[part.slice(1)] : part));
        const [token] = request.auth?.type === 'bearer' ? (request.auth.bearer ?? []) : [];
        const headers = new Headers(request.header.filter((one) => !one.disabled).map((one) => [one.key, one.value]));
        if (token) headers.set('authorization', `Bearer ${fill(token.value)}`);
        const query = new URLSearchParams();
        for (const one of request.url.query) if (!one.disabled) query.append(one.key, one.value);
        const url = `${fill(request.url.host.join('.'))}/${path.join('/')}?${query}`;
        const raw = request.body?.raw;
        const body = raw === undefined ? {} : { body: JSON.stringify({ ...JSON.parse(raw), ...changes.body }) };
        const answer = await fetch(url, { method: request.method, headers, ...body });
        return (await answer.json()) as { data: { reference: string; status: string } };
      };
      const { reference } = (await send('Initialize a checkout')).data;
      expect((await send('Simulate a checkout’s payment', { body: { reference } })).data.status).toBe('paid');
      expect((await send('Verify a checkout', { path: { reference } })).data.status).toBe('paid');
      expect((await send('List checkouts')).data).toEqual(
        expect.arrayContaining([expect.objectContaining({ reference, status: 'paid' })]),
      );
    },
    LIMIT_MS,
  );
});
