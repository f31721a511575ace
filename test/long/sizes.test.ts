import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { App } from 'aws-cdk-lib';
import { type BuiltFunctions, buildFunctions } from '#infra/build/build-functions.ts';
import { knowsProviders } from '#infra/constructs/environment.ts';
import { ALL_FUNCTIONS } from '#infra/dashboard-functions.ts';
import type { FunctionSpec } from '#infra/function-spec.ts';
import { addStage } from '#infra/stacks/payments-app.ts';
import { makeDeployableStage } from '#test/support/deployable-stage.ts';
import { ENVIRONMENT } from '#test/support/worlds/function-environment.ts';

const run = promisify(execFile);

/** Bytes of minified code: the budgets of performance.md. */
const BUDGET = 380_000;
const BUDGET_WITH_PROVIDERS = 475_000;
/** The budget of functions that verify passkeys. It is larger, because these functions are called only a few times a day. */
const BUDGET_WITH_PASSKEYS = 900_000;
const findBudget = (spec: FunctionSpec): number => {
  if (['add-passkey', 'use-passkey'].includes(spec.name)) return BUDGET_WITH_PASSKEYS;
  return knowsProviders(spec) ? BUDGET_WITH_PROVIDERS : BUDGET;
};
/** Milliseconds for the whole build, on a busy machine. */
const BUILD_LIMIT_MS = 120_000;

let outDir: string;
let built: BuiltFunctions;
beforeAll(async () => {
  outDir = await mkdtemp(join(tmpdir(), 'payments-build-'));
  built = await buildFunctions(outDir);
}, BUILD_LIMIT_MS);
afterAll(() => rm(outDir, { recursive: true, force: true }));

const PROVIDER_CODE =
  /shared\/providers\/(?:registry|live-providers|(?!contract|domain|store|use-cases)[\w-]+\/(?!description\.ts|money\.ts))/;

describe('the bundles', () => {
  test.each(ALL_FUNCTIONS.map((spec) => [spec.name, findBudget(spec)] as const))(
    'have a budget each: %s has at most %i bytes',
    (name, budget) => {
      expect(built.countBytes(name)).toBeLessThanOrEqual(budget);
      expect(built.countBytes(name)).toBeGreaterThan(10_000);
    },
  );

  test('contain only code and assets; the source maps are in a separate folder', async () => {
    const files = await Promise.all(ALL_FUNCTIONS.map(({ name }) => readdir(built.findFolder(name))));
    const assets: Record<string, string[]> = {
      'serve-docs': ['site.json.br'],
      'serve-openapi': ['openapi.json.br'],
      'serve-openapi-yaml': ['openapi.yaml.br'],
      'serve-postman-collection': ['postman.json.br'],
      'serve-llms-txt': ['llms.txt.br'],
    };
    expect(files).toEqual(ALL_FUNCTIONS.map(({ name }) => ['index.js', ...(assets[name] ?? [])]));
    expect((await readdir(join(outDir, 'maps'))).sort()).toEqual(ALL_FUNCTIONS.map(({ name }) => `${name}.map`).sort());
  });

  test(
    'load as in Lambda, and export their handler',
    async () => {
      const files = ALL_FUNCTIONS.map(({ name }) => join(built.findFolder(name), 'index.js'));
      // Functions with providers also log that there are no credentials.
      const script = `console.log('loaded ' + JSON.stringify(${JSON.stringify(files)}.map((file) => typeof require(file).handler)))`;
      // Run outside the repository, so that no node_modules is found.
      const { stdout } = await run(process.execPath, ['-e', script], { cwd: outDir, env: ENVIRONMENT });
      const loaded = stdout.split('\n').find((line) => line.startsWith('loaded '));
      expect(JSON.parse(loaded?.slice('loaded '.length) ?? '')).toEqual(ALL_FUNCTIONS.map(() => 'function'));
    },
    BUILD_LIMIT_MS,
  );

  test('leave out code that is never used', () => {
    const inputs = Object.values(built.metafile.outputs).flatMap(({ inputs: modules }) =>
      Object.entries(modules).filter(([, { bytesInOutput }]) => bytesInOutput > 0),
    );
    const names = [...new Set(inputs.map(([name]) => name))];
    expect(names.filter((name) => /credential-provider-(sso|ini|process|web-identity|http|imds)/.test(name))).toEqual(
      [],
    );
    // zod's message texts are left out, because all messages are ours. So is zod's larger classic API.
    expect(names.filter((name) => /zod\/v4\/(classic|locales)\//.test(name) && !name.endsWith('/index.js'))).toEqual(
      [],
    );
  });

  test('contain no simulator of a provider', () => {
    const inputs = Object.values(built.metafile.outputs).flatMap(({ inputs: modules }) => Object.keys(modules));
    expect(inputs.filter((input) => /\/simulators?[/.]/.test(input))).toEqual([]);
  });

  test('contain provider code only for functions that call providers', () => {
    const withProviderCode = ALL_FUNCTIONS.filter(({ name }) => {
      const [, output] =
        Object.entries(built.metafile.outputs).find(([file]) => file.endsWith(`/${name}/index.js`)) ?? [];
      // The descriptions of providers are only data.
      return Object.keys(output?.inputs ?? {}).some((input) => PROVIDER_CODE.test(input));
    });
    expect(withProviderCode.map(({ name }) => name)).toEqual(
      ALL_FUNCTIONS.filter(knowsProviders).map(({ name }) => name),
    );
  });
});

/** Matches reports for people. They name the folder of the build, and are not deployed. */
const REPORT = /\.metadata\.json$|validation-report\.json$/;

/** Synthesizes a stage of a build in a folder. Returns every file that is deployed. */
const synthesize = (folder: string, { findFolder }: BuiltFunctions): ReadonlyMap<string, string> => {
  const files = new Map<string, string>();
  const outdir = join(folder, 'synthesized');
  const app = new App({ outdir, builtinCloudFormationValidation: false });
  addStage(app, makeDeployableStage('prod'), findFolder, { folder: join(folder, 'maps'), commit: 'abc123' });
  app.synth();
  for (const file of readdirSync(outdir, { recursive: true, encoding: 'utf8' })) {
    const path = join(outdir, file);
    if (statSync(path).isFile() && !REPORT.test(file)) files.set(file, readFileSync(path, 'latin1'));
  }
  return files;
};

test(
  'the same commit is built and synthesized to the same bytes in any folder',
  async () => {
    const another = join(outDir, 'another');
    const first = synthesize(outDir, built);
    const second = synthesize(another, await buildFunctions(another));
    expect([...first.keys()].filter((name) => name.endsWith('.template.json'))).toHaveLength(4);
    expect([...second.keys()].sort()).toEqual([...first.keys()].sort());
    expect([...first.keys()].filter((name) => first.get(name) !== second.get(name))).toEqual([]);
  },
  BUILD_LIMIT_MS,
);
