import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isLongRun } from '#test/support/jest/long.ts';
import {
  type ClientWorld,
  describeClient,
  LIMIT_MS,
  OPENED,
  run,
  startClientWorld,
  TOOLS,
} from '#test/support/worlds/generated-client.ts';
import { generate } from '#test/support/worlds/openapi-generator.ts';
import { hasLanguages, testWith } from '#test/support/worlds/other-tools.ts';

/* The PHP client that openapi-generator makes from the published document makes a payment on a running service, with Debian's Guzzle. */

describeClient('PHP', () => {
  let world: ClientWorld;
  beforeAll(async () => {
    if (!isLongRun || !hasLanguages(['PHP', 'Java'])) return;
    world = await startClientWorld();
  }, LIMIT_MS);
  afterAll(() => world?.stop());

  testWith(['PHP', 'Java'], { isLong: true })(
    'the client of openapi-generator takes a payment to the kobo, and reads values that a later version adds',
    async () => {
      const { folder, document, env } = world;
      await generate('php', document, join(folder, 'client'), ['--additional-properties=invokerPackage=Payments']);
      await mkdir(join(folder, 'vendor'));
      await copyFile(join(TOOLS, 'php/autoload.php'), join(folder, 'vendor/autoload.php'));
      await copyFile(join(TOOLS, 'php/pay.php'), join(folder, 'pay.php'));
      await copyFile('infra/openapi/guide/programs/generated.php', join(folder, 'generated.php'));
      const strict = ['-d', 'zend.assertions=1', '-d', 'error_reporting=-1', '-d', 'display_errors=stderr'];
      const { stdout, stderr } = await run('php', [...strict, join(folder, 'pay.php')], { env });
      expect(stderr.replaceAll(/.*(?:Guzzle|Psr).*deprecated.*\n/gi, '')).toBe('');
      expect(stdout).toMatch(world.printed);
      const example = await run('php', ['generated.php'], { cwd: folder, env });
      expect(example.stdout).toMatch(OPENED);
    },
    LIMIT_MS,
  );
});
