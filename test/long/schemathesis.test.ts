import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { longTest } from '#test/support/jest/long.ts';
import { openBusiness } from '#test/support/worlds/merchant.ts';
import { startStack } from '#test/support/worlds/stack.ts';

/* A tool of others sends what the published document allows, and what it does not, and checks every answer against it. */

const run = promisify(execFile);
const TOOLS = resolve('test/tools/schemathesis');
const LIMIT_MS = 300_000;
/** Debian has Python without what makes environments, unless it is asked for. */
const hasPython = spawnSync('python3', ['-c', 'import venv, ensurepip']).status === 0;
/** No limits: it is the answers that are checked. */
const RATE_LIMITS = JSON.stringify({ live: 0, test: 0, publicAddress: 0 });

(hasPython ? longTest : test.skip)(
  'schemathesis finds nothing, in all phases with all checks',
  async () => {
    const stack = await startStack({ env: { RATE_LIMITS } });
    const folder = await mkdtemp(join(tmpdir(), 'payments-schemathesis-'));
    try {
      const merchant = await openBusiness(stack, 'Ada Stores Limited');
      await run('python3', ['-m', 'venv', join(folder, 'venv')]);
      const pip = ['-m', 'pip', 'install', '--quiet', '--requirement', join(TOOLS, 'requirements.txt')];
      await run(join(folder, 'venv/bin/python'), pip);
      const { stdout } = await run(
        join(folder, 'venv/bin/schemathesis'),
        [
          ...['--config-file', join(TOOLS, 'schemathesis.toml'), 'run', `${stack.baseUrl}/api/v1/openapi.json`],
          ...['--header', `Authorization: Bearer ${merchant.secretTest.key}`, '--checks', 'all'],
          ...['--max-examples', '8', '--no-color'],
        ],
        { cwd: folder, maxBuffer: 50_000_000 },
      ).catch((error) => error);
      const [, summary = stdout] = stdout.split('SUMMARY');
      expect(summary).not.toMatch(/❌|Failures:|Errors:/);
      for (const phase of ['Examples', 'Coverage', 'Fuzzing', 'Stateful']) expect(summary).toContain(`✅ ${phase}`);
    } finally {
      await stack.stop();
      await rm(folder, { recursive: true });
    }
  },
  LIMIT_MS,
);
