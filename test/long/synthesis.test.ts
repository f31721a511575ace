import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { buildFunctions } from '#infra/build/build-functions.ts';
import { addStage } from '#infra/stacks/payments-app.ts';
import { deployableStage } from '#test/support/deployable-stage.ts';

const scratch = mkdtempSync(join(tmpdir(), 'payments-synthesis-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Reports for people, which name the folder that they were made in. Nothing of them is deployed. */
const REPORT = /\.metadata\.json$|validation-report\.json$/;

/** Builds and synthesizes stages in a folder of its own, and gives every file that is deployed. */
const synthesized = async (name: string): Promise<ReadonlyMap<string, string>> => {
  const build = join(scratch, name, 'build');
  const { folderOf } = await buildFunctions(build);
  const files = new Map<string, string>();
  for (const stage of ['dev', 'prod']) {
    const outdir = join(scratch, name, stage);
    const app = new App({ outdir, builtinCloudFormationValidation: false });
    addStage(app, deployableStage(stage), folderOf, { folder: join(build, 'maps'), commit: 'abc123' });
    app.synth();
    for (const file of readdirSync(outdir, { recursive: true, encoding: 'utf8' })) {
      const path = join(outdir, file);
      if (statSync(path).isFile() && !REPORT.test(file)) files.set(join(stage, file), readFileSync(path, 'latin1'));
    }
  }
  return files;
};

test('a commit is built and synthesized byte for byte the same, wherever that is', async () => {
  const one = await synthesized('one');
  const two = await synthesized('another');
  expect([...one.keys()].filter((name) => name.endsWith('.template.json'))).toHaveLength(8);
  expect([...two.keys()].sort()).toEqual([...one.keys()].sort());
  expect([...one.keys()].filter((name) => one.get(name) !== two.get(name))).toEqual([]);
});
