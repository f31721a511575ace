import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BuiltFunctions, buildFunctions } from '#infra/build/build-functions.ts';
import { knowsProviders } from '#infra/constructs/environment.ts';
import { FUNCTIONS } from '#infra/functions.ts';
import { ENVIRONMENT } from '#test/support/worlds/function-environment.ts';

const run = promisify(execFile);

/** Bytes, minified: the budgets of architecture.md section 9. */
const BUDGET = 350_000;
const BUDGET_WITH_PROVIDERS = 450_000;
/** The whole build, on a busy machine. */
const BUILD_LIMIT_MS = 120_000;

let outDir: string;
let built: BuiltFunctions;
beforeAll(async () => {
  outDir = await mkdtemp(join(tmpdir(), 'payments-build-'));
  built = await buildFunctions(outDir);
}, BUILD_LIMIT_MS);
afterAll(() => rm(outDir, { recursive: true, force: true }));

describe('the bundles', () => {
  test.each(FUNCTIONS.map((spec) => [spec.name, knowsProviders(spec) ? BUDGET_WITH_PROVIDERS : BUDGET] as const))(
    '%s has at most %i bytes',
    (name, budget) => {
      expect(built.bytesOf(name)).toBeLessThanOrEqual(budget);
      expect(built.bytesOf(name)).toBeGreaterThan(10_000);
    },
  );

  test('hold code and nothing else; the source maps lie beside them', async () => {
    const files = await Promise.all(FUNCTIONS.map(({ name }) => readdir(built.folderOf(name))));
    const assets: Record<string, string[]> = { 'serve-docs': ['page.html.br'] };
    expect(files).toEqual(FUNCTIONS.map(({ name }) => ['index.js', ...(assets[name] ?? [])]));
    expect((await readdir(join(outDir, 'maps'))).sort()).toEqual(FUNCTIONS.map(({ name }) => `${name}.map`).sort());
  });

  test(
    'start as Lambda starts them, and export their handler',
    async () => {
      const files = FUNCTIONS.map(({ name }) => join(built.folderOf(name), 'index.js'));
      // Each that knows providers also says in its log that they have no credentials here.
      const script = `console.log('loaded ' + JSON.stringify(${JSON.stringify(files)}.map((file) => typeof require(file).handler)))`;
      // Outside the repository, where no node_modules could help out.
      const { stdout } = await run(process.execPath, ['-e', script], { cwd: outDir, env: ENVIRONMENT });
      const loaded = stdout.split('\n').find((line) => line.startsWith('loaded '));
      expect(JSON.parse(loaded?.slice('loaded '.length) ?? '')).toEqual(FUNCTIONS.map(() => 'function'));
    },
    BUILD_LIMIT_MS,
  );

  test('leave out what is never reached', () => {
    const inputs = Object.values(built.metafile.outputs).flatMap(({ inputs: held }) =>
      Object.entries(held).filter(([, { bytesInOutput }]) => bytesInOutput > 0),
    );
    const names = [...new Set(inputs.map(([name]) => name))];
    expect(names.filter((name) => /credential-provider-(sso|ini|process|web-identity|http|imds)/.test(name))).toEqual(
      [],
    );
    // No texts of zod's: every message that somebody reads is ours. And nothing of its larger half.
    expect(names.filter((name) => /zod\/v4\/(classic|locales)\//.test(name) && !name.endsWith('/index.js'))).toEqual(
      [],
    );
  });

  test('hold code of providers only where they know providers', () => {
    const loading = FUNCTIONS.filter(({ name }) => {
      const [, output] =
        Object.entries(built.metafile.outputs).find(([file]) => file.endsWith(`/${name}/index.js`)) ?? [];
      return Object.keys(output?.inputs ?? {}).some((input) => input.includes('shared/adapters/providers/'));
    });
    expect(loading.map(({ name }) => name)).toEqual(FUNCTIONS.filter(knowsProviders).map(({ name }) => name));
  });
});
