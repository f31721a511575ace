import { copyFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isLongRun, longTest } from '#test/support/jest/long.ts';
import {
  type ClientWorld,
  describeClient,
  LIMIT_MS,
  run,
  startClientWorld,
  TOOLS,
} from '#test/support/worlds/generated-client.ts';

/* The types that openapi-typescript makes from the published document make a payment on a running service, with openapi-fetch. */

const BIN = join(TOOLS, 'node_modules/.bin');

describeClient('TypeScript', () => {
  let world: ClientWorld;
  beforeAll(async () => {
    if (!isLongRun) return;
    world = await startClientWorld();
    await run('npm', ['ci', '--prefix', TOOLS]);
    await symlink(join(TOOLS, 'node_modules'), join(world.folder, 'node_modules'));
  }, LIMIT_MS);
  afterAll(() => world?.stop());

  longTest(
    'openapi-typescript compiles, narrows an event by its type, and takes a payment',
    async () => {
      const { folder, document, env } = world;
      await run(join(BIN, 'openapi-typescript'), [document, '--output', join(folder, 'api.d.ts')]);
      await copyFile(join(TOOLS, 'pay.ts'), join(folder, 'pay.ts'));
      await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
      const options = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
      const types = ['--typeRoots', resolve('node_modules/@types')];
      await run(join(BIN, 'tsc'), [...options, ...types, join(folder, 'pay.ts')], { cwd: folder });
      const { stdout } = await run(process.execPath, [join(folder, 'pay.js')], { env });
      expect(stdout).toMatch(world.printed);
    },
    LIMIT_MS,
  );
});
