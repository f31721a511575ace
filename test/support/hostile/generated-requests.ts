import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { FUNCTIONS } from '#infra/functions.ts';
import { crc32 } from '#shared/platform/kernel/crc32.ts';
import { PROVIDERS } from '#shared/providers/domain/names.ts';
import { SEED } from '#test/support/jest/seed.ts';
import { findResource, formatRoute, OPEN_ROUTES, PAGE_ROUTES, pathTo } from '#test/support/worlds/endpoints.ts';
import { type Stack, startStack } from '#test/support/worlds/stack.ts';
import {
  BY_ENDPOINT,
  generateOpenRequests,
  generatePageRequests,
  generateRequests,
  type HostileRequest,
  listSpoiledRequests,
  makeGoodBody,
  unroutedRequests,
} from './requests.ts';
import { slot } from './values.ts';
import { type HostileWorld, openHostileWorld } from './world.ts';

const { FUZZ_PATH } = process.env;

/** The query of a good request, if a contract requires one. */
const REQUIRED_QUERIES: Readonly<Record<string, string>> = {
  'GET /api/v1/totals': '?from=2026-11-01&to=2026-11-30',
};

/**
 * Describes the tests that generated requests, from the contracts of every endpoint, never get a 500, a word of our internals, an answer
 * outside the API document, or another business's data. Each route gets `runs` requests. To repeat a failure, set `--seed` and FUZZ_PATH,
 * which the failed run prints, and -t with the route's name.
 */
export const describeHostileRequests = (runs: number): void => {
  const limitMs = 120_000 + runs * 2_000;

  describe('generated requests', () => {
    let stack: Stack;
    let world: HostileWorld;
    const statuses = new Map<number, number>();

    beforeAll(async () => {
      stack = await startStack({ args: ['--live-simulator'], env: { ROUTING_ORDER: JSON.stringify(PROVIDERS) } });
      world = await openHostileWorld(stack);
    });
    afterAll(async () => {
      process.stdout.write(
        `generated requests, answers by status: ${JSON.stringify(Object.fromEntries([...statuses].sort()))}\n`,
      );
      await world?.stop();
      await stack?.stop();
    });

    // Each route has its own seed. A common seed would put the same texts into fields of one route and paths of another.
    const expectNoFaults = (route: string, requests: fc.Arbitrary<HostileRequest>) =>
      fc.assert(
        fc.asyncProperty(requests, async (request) => {
          const { faults, status } = await world.sendAndCheck(request);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          if (faults.length > 0) throw new Error(faults.join('\n'));
        }),
        { seed: (crc32(route) + SEED) | 0, numRuns: runs, ...(FUZZ_PATH && { path: FUZZ_PATH }) },
      );

    test.each(BY_ENDPOINT)(
      '%s',
      async (route, contract) => {
        const [tenant] = world.tenants;
        if (!tenant) throw new Error('The world has no tenants.');
        await world.fill(tenant);
        // Begin with a good request, so that the generated ones start in a state in which requests succeed.
        const resource = findResource(contract);
        const body = makeGoodBody(contract);
        const good = await world.sendAndCheck({
          method: contract.method,
          target: `${resource ? pathTo(contract, slot(resource, 'own', 0)) : contract.path}${REQUIRED_QUERIES[route] ?? ''}`,
          headers: [['content-type', 'application/json']],
          body: body ? JSON.stringify(body) : null,
          sender: { tenant: 0, with: 'secret' },
        });
        expect(good).toEqual({ faults: [], status: contract.success.status });
        for (const request of listSpoiledRequests(contract)) {
          expect([request.body?.slice(0, 200), (await world.sendAndCheck(request)).faults]).toEqual([
            expect.anything(),
            [],
          ]);
        }
        await expectNoFaults(route, generateRequests(contract));
      },
      limitMs,
    );

    test.each(OPEN_ROUTES)('%s', (route) => expectNoFaults(route, generateOpenRequests(route)), limitMs);
    test.each(PAGE_ROUTES)('%s', (route) => expectNoFaults(route, generatePageRequests(route)), limitMs);
    test('paths that do not exist', () => expectNoFaults('none', unroutedRequests), limitMs);

    test('every route of the manifest was tested', () => {
      const routed = FUNCTIONS.flatMap(({ trigger }) => {
        if (trigger.kind === 'endpoint') return [formatRoute(trigger.contract)];
        return trigger.kind === 'route' && trigger.route !== '$default' ? [trigger.route] : [];
      });
      expect([...BY_ENDPOINT.map(([route]) => route), ...OPEN_ROUTES, ...PAGE_ROUTES].sort()).toEqual(routed.sort());
    });

    test('no request is a fault in the log, and the service is healthy', async () => {
      expect((await fetch(`${stack.baseUrl}/health`)).status).toBe(200);
      // The last lines reach the log file when the stack ends.
      await stack.stop();
      const log = await readFile(join(stack.dataDir, 'service.log'), 'utf8');
      expect(log).toContain('"request_answered"');
      const faults = log.split('\n').filter((line) => /"level":"error"/.test(line));
      expect(faults).toEqual([]);
    });
  });
};
