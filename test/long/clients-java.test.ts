import { mkdir, readdir } from 'node:fs/promises';
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
import { classPath, generate } from '#test/support/worlds/openapi-generator.ts';
import { hasLanguages, testWith } from '#test/support/worlds/other-tools.ts';

/* The Java client that openapi-generator makes from the published document makes a payment on a running service. */

/** Uses the HTTP client of the JDK and Jackson: nothing else is needed. */
const OPTIONS = [
  '--library=native',
  '--additional-properties=invokerPackage=payments,apiPackage=payments.api,modelPackage=payments.model,openApiNullable=false',
];

const listSources = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true }))
    .filter((name) => name.endsWith('.java'))
    .map((name) => join(folder, name));

describeClient('Java', () => {
  let world: ClientWorld;
  beforeAll(async () => {
    if (!isLongRun || !hasLanguages(['Java'])) return;
    world = await startClientWorld();
  }, LIMIT_MS);
  afterAll(() => world?.stop());

  testWith(['Java'], { isLong: true })(
    'the client of openapi-generator compiles, takes a payment to the kobo, and reads values that a later version adds',
    async () => {
      const { folder, document, env } = world;
      await generate('java', document, join(folder, 'client'), OPTIONS);
      const libraries = await classPath(join(TOOLS, 'java/pom.xml'), folder);
      const classes = join(folder, 'classes');
      await mkdir(classes);
      const programs = [join(TOOLS, 'java/Pay.java'), 'infra/openapi/guide/programs/Generated.java'];
      const sources = [...(await listSources(join(folder, 'client/src/main/java'))), ...programs];
      await run('javac', ['-nowarn', '-proc:none', '-d', classes, '-cp', libraries, ...sources]);
      const { stdout } = await run('java', ['-cp', `${classes}:${libraries}`, 'Pay'], { env });
      expect(stdout).toMatch(world.printed);
      const example = await run('java', ['-cp', `${classes}:${libraries}`, 'Generated'], { env });
      expect(example.stdout).toMatch(OPENED);
    },
    LIMIT_MS,
  );
});
