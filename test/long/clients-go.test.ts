import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isLongRun } from '#test/support/jest/long.ts';
import { SEED } from '#test/support/jest/seed.ts';
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
import { hasLanguages, type Play, testWith } from '#test/support/worlds/other-tools.ts';

/* Go clients that three third-party tools generate from the published document. Each makes a payment on a running service. */

describeClient('Go', () => {
  let world: ClientWorld;
  let module: string;
  beforeAll(async () => {
    if (!isLongRun || !hasLanguages(['Go'])) return;
    world = await startClientWorld();
    module = join(world.folder, 'go');
    await cp(join(TOOLS, 'go'), module, { recursive: true });
  }, LIMIT_MS);
  afterAll(() => world?.stop());

  /** Compiles and runs the command that pays with a client. */
  const expectPayment = async (name: string): Promise<void> => {
    await run('go', ['build', '-o', `bin/${name}`, `./${name}_pay`], { cwd: module });
    const { stdout } = await run(join(module, 'bin', name), [], { env: world.env });
    expect(stdout).toMatch(world.printed);
  };

  // Each client takes most of a minute to compile, so the seed of a run chooses between openapi-generator and ogen. The client of
  // oapi-codegen always runs, because the guide names it.
  const isOgen = SEED % 2 === 0;
  const skip: Play = (name) => test.skip(`${name}, which another seed runs`, () => {});

  (isOgen ? skip : testWith(['Go', 'Java'], { isLong: true }))(
    'the client of openapi-generator compiles, takes a payment to the kobo, and reads values that a later version adds',
    async () => {
      const properties = 'packageName=openapi,enumClassPrefix=true,withGoMod=false';
      await generate('go', world.document, join(module, 'openapi'), [`--additional-properties=${properties}`]);
      await expectPayment('openapi');
    },
    LIMIT_MS,
  );

  testWith(['Go'], { isLong: true })(
    'the client of oapi-codegen compiles, takes a payment to the kobo, and reads values that a later version adds',
    async () => {
      await mkdir(join(module, 'oapi'));
      const options = ['-generate', 'types,client', '-package', 'oapi', '-o', 'oapi/client.go'];
      await run('go', ['tool', 'oapi-codegen', ...options, world.document], { cwd: module });
      await expectPayment('oapi');
      // Run the guide's program with this module's import path.
      const text = await readFile('infra/openapi/guide/programs/generated.go', 'utf8');
      await mkdir(join(module, 'guide'));
      await writeFile(
        join(module, 'guide/main.go'),
        text.replace('"example.com/shop/payments"', 'payments "clients/oapi"'),
      );
      const { stdout } = await run('go', ['run', './guide'], { cwd: module, env: world.env });
      expect(stdout).toMatch(OPENED);
    },
    LIMIT_MS,
  );

  (isOgen ? testWith(['Go'], { isLong: true }) : skip)(
    'the client of ogen compiles, takes a payment to the kobo, and reads values that a later version adds',
    async () => {
      const options = ['--target', 'ogen', '--package', 'ogen', '--clean'];
      await run('go', ['tool', 'ogen', ...options, world.document], { cwd: module });
      await expectPayment('ogen');
    },
    LIMIT_MS,
  );
});
