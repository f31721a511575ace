import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { providerName } from '#shared/providers/domain/provider.ts';

const FOLDERS = 'shared/providers';
const NAMES = new RegExp(providerName.options.join('|'), 'i');

/** The files that register providers, with the number of lines that name a provider. A fourth provider adds lines only to these files. */
const REGISTERED = {
  'shared/providers/domain/names.ts': 1,
  'shared/providers/descriptions.ts': 2 * providerName.options.length,
  'shared/providers/registry.ts': 2 * providerName.options.length,
  'shared/providers/simulators.ts': 2 * providerName.options.length,
};

/** Other files that may name a provider, with the reason. */
const ALLOWED = {
  'infra/config.ts': 'the providers of each stage',
  'infra/costs/steps.ts': 'the steps of a live payment at each provider',
  'infra/costs/tables.ts': 'the priced steps of a live payment',
  ...Object.fromEntries(
    ['limits', 'load', 'needed', 'needed-rows', 'quotas', 'reconciliation', 'tables'].map((file) => [
      `infra/costs/scaling/${file}.ts`,
      'the published limits of each provider, and the load of our calls to it',
    ]),
  ),
  'infra/local/welcome/tour.ts': 'a command to paste',
  'infra/local/settings.ts': 'an example of PROVIDERS',
  'infra/openapi/examples/objects.ts': 'the objects of every example',
  'shared/client/types.ts': 'written from the API document',
};

const providerFolders = providerName.options.map((name) => join(FOLDERS, name));
const sources = ['shared', 'functions', 'infra'].flatMap((top) =>
  readdirSync(top, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name)),
);
const lineCounts = Object.fromEntries(
  sources
    .filter((path) => !providerFolders.some((folder) => path.startsWith(`${folder}/`)))
    .map(
      (path) =>
        [
          path,
          readFileSync(path, 'utf8')
            .split('\n')
            .filter((line) => NAMES.test(line)).length,
        ] as const,
    )
    .filter(([, lines]) => lines > 0),
);

test('each provider has a folder, and the only other folders are the shared ones', () => {
  const folders = readdirSync(FOLDERS, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const shared = ['common', 'sandbox', 'contract', 'domain', 'store', 'use-cases'];
  expect(folders.map(({ name }) => name).sort()).toEqual([...providerName.options, ...shared].sort());
});

test('a provider is named only in its folder, in the files that register it, and in the allowed files', () => {
  expect(Object.keys(lineCounts).sort()).toEqual([...Object.keys(REGISTERED), ...Object.keys(ALLOWED)].sort());
  expect(lineCounts).toMatchObject(REGISTERED);
});
