import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { App } from 'aws-cdk-lib';
import * as z from 'zod';
import { checkedOutCommit } from '#infra/build/commit.ts';
import { addStage } from '#infra/stacks/payments-app.ts';
import { makeDeployableStage } from '#test/support/deployable-stage.ts';
import { testRows } from '#test/support/jest/long.ts';

/** CDK's list of files that are published with a CDK stack. */
const manifest = z.object({
  files: z.record(
    z.string(),
    z.object({
      source: z.object({ path: z.string(), packaging: z.string() }),
      destinations: z.record(z.string(), z.object({ objectKey: z.string() })),
    }),
  ),
});

const scratch = mkdtempSync(join(tmpdir(), 'payments-maps-'));
const [code, maps, checkout] = ['code', 'maps', 'checkout'].map((name) => join(scratch, name)) as [
  string,
  string,
  string,
];
for (const folder of [code, maps, checkout]) mkdirSync(folder);
writeFileSync(join(code, 'index.js'), '');
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const git = (...words: string[]): string =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...words], {
    cwd: checkout,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null' },
  }).trim();

describe('the source maps of a release', () => {
  testRows([
    ['prod', true],
    ['dev', false],
  ])('stay in the account under the commit of the release if the stage retains data: %s %p', (stage, areKept) => {
    const outdir = mkdtempSync(join(scratch, 'out-'));
    const app = new App({ outdir, stackTraces: false, builtinCloudFormationValidation: false });
    const { api } = addStage(app, makeDeployableStage(stage), () => code, { folder: maps, commit: 'abc123' });
    app.synth();
    const { files } = manifest.parse(JSON.parse(readFileSync(join(outdir, `${api.stackName}.assets.json`), 'utf8')));
    const published = Object.values(files).flatMap(({ source, destinations }) =>
      Object.values(destinations).map(({ objectKey }) => [objectKey, source.packaging, resolve(outdir, source.path)]),
    );
    const ofMaps = published.filter(([key]) => key?.startsWith('source-maps-'));
    expect(ofMaps).toEqual(areKept ? [['source-maps-abc123.zip', 'zip', maps]] : []);
  });

  test('have the name of the checked-out commit, and no name outside of git', () => {
    expect(checkedOutCommit(checkout)).toBeUndefined();
    git('init', '--quiet');
    writeFileSync(join(checkout, 'file'), 'as committed');
    git('add', '.');
    git('commit', '--quiet', '--message', 'First');
    const commit = git('rev-parse', 'HEAD');
    expect(checkedOutCommit(checkout)).toBe(commit);
    writeFileSync(join(checkout, 'file'), 'changed since');
    expect(checkedOutCommit(checkout)).toBe(`${commit}-changed`);
  });
});
