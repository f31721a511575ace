import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { FUNCTIONS } from '#infra/functions.ts';
import { type Code, listErrorCodes } from '#infra/openapi/errors.ts';
import type { Contract } from '#shared/platform/contract/contract.ts';
import { API_ERRORS } from '#shared/platform/contract/errors.ts';
import { isLongRun, isRestOfRun } from '#test/support/jest/long.ts';
import { SEED } from '#test/support/jest/seed.ts';
import { type Merchant, type OperatorKey, openBusiness } from '#test/support/worlds/merchant.ts';
import { hasPython, pythonTest, pythonTools } from '#test/support/worlds/python.ts';
import { type Stack, startStack } from '#test/support/worlds/stack.ts';

/*
 * A third-party tool sends requests that the published document allows and requests that the document does not allow. The tool checks every
 * answer against the document. The allowed answers to a valid request depend on the key, and are configured for each operation.
 */

const run = promisify(execFile);
const TOOLS = resolve('test/tools/schemathesis');
const LIMIT_MS = 600_000;
/** No rate limits, because this test checks only the answers. */
const RATE_LIMITS = JSON.stringify({ live: 0, test: 0, publicAddress: 0 });

/** Errors that must not occur: the tool sends the right key, header, address, media type and size, and nothing is overloaded or broken. */
const NEVER: ReadonlySet<Code> = new Set<Code>([
  'missing_api_key',
  'invalid_api_key',
  'business_id_required',
  'business_id_mismatch',
  'public_key_not_permitted',
  'ip_not_whitelisted',
  'simulation_requires_test_key',
  'unsupported_media_type',
  'payload_too_large',
  'malformed_json',
  'service_unavailable',
  'internal_error',
]);

/** Lists the statuses with which the contract allows to answer a valid request. */
const listStatuses = (contract: Contract, { kind, mode }: OperatorKey): readonly (string | number)[] => {
  if (!contract.keys.includes(kind)) return [API_ERRORS.public_key_not_permitted.status];
  if (contract.testOnly && mode === 'live') return [API_ERRORS.simulation_requires_test_key.status];
  const codes = listErrorCodes(contract).filter((code) => !NEVER.has(code));
  // Keys have no rate limit here, but sends by hand and exports are still limited.
  const isSent = contract.method !== 'GET' && /webhook-endpoints|events/.test(contract.path);
  const isLimited = isSent || contract.path.endsWith('/payments/export');
  const errorStatuses = codes
    .filter((code) => code !== 'rate_limited' || isLimited)
    .map((code) => API_ERRORS[code].status);
  return ['2xx', ...new Set(errorStatuses)];
};

const selectFailures = (statuses: readonly (string | number)[]) =>
  statuses.filter((status) => typeof status === 'number' && status >= 500);

/** Providers sign their notifications. The tool cannot. */
const UNSIGNED = ['POST /providers/{provider}/notifications', [401]] as const;

/** Makes the tool's configuration for a key. 304 answers a request whose client already has the published text. */
const makeConfig = (key: OperatorKey): string =>
  [
    '[checks.positive_data_acceptance]',
    'expected-statuses = ["2xx", 304]',
    ...[
      UNSIGNED,
      ...FUNCTIONS.flatMap(({ trigger }) => (trigger.kind === 'endpoint' ? [trigger.contract] : [])).map(
        (contract) => [`${contract.method} ${contract.path}`, listStatuses(contract, key)] as const,
      ),
    ].flatMap(([name, statuses]) => [
      '[[operations]]',
      `include-name = "${name}"`,
      `checks.positive_data_acceptance.expected-statuses = ${JSON.stringify(statuses)}`,
      // 503 with Retry-After is a valid answer if this business has used up its provider quota.
      `checks.not_a_server_error.expected-statuses = ${JSON.stringify(['2xx', '3xx', '4xx', ...selectFailures(statuses)])}`,
      // A deactivated virtual account stays visible, because money may still arrive. In sequences the tool would take it for deleted.
      ...(name.startsWith('DELETE') && name.includes('/virtual-accounts/') ? ['phases.stateful.enabled = false'] : []),
    ]),
  ].join('\n');

describe('schemathesis finds nothing in any phase, with all checks, with a', () => {
  let stack: Stack;
  let folder: string;
  let bin: string;
  let merchant: Merchant;
  beforeAll(async () => {
    if (!isLongRun || !hasPython) return;
    stack = await startStack({ args: ['--live-simulator'], env: { RATE_LIMITS } });
    merchant = await openBusiness(stack, 'Ada Stores Limited');
    folder = await mkdtemp(join(tmpdir(), 'payments-schemathesis-'));
    bin = await pythonTools(folder, TOOLS);
  }, LIMIT_MS);
  afterAll(async () => {
    await stack?.stop();
    if (folder) await rm(folder, { recursive: true });
  });

  /** Runs the tool. @throws Error with its findings. */
  const search = async (key: OperatorKey): Promise<void> => {
    const config = join(folder, `${key.id}.toml`);
    await writeFile(config, makeConfig(key));
    const { stdout } = await run(
      join(bin, 'schemathesis'),
      [
        ...['--config-file', config, 'run', `${stack.baseUrl}/api/v1/openapi.json`, '--checks', 'all'],
        ...['--header', `Authorization: Bearer ${key.key}`, '--header', `X-Business-ID: ${merchant.id}`],
        ...['--max-examples', isRestOfRun ? '2' : '4', '--no-color'],
      ],
      { cwd: folder, maxBuffer: 50_000_000 },
    ).catch(({ stdout: output, stderr }) => {
      throw new Error(`${output.slice(Math.max(0, output.indexOf('= FAILURES =')))}${stderr}`);
    });
    for (const phase of ['Examples', 'Coverage', 'Fuzzing', 'Stateful']) expect(stdout).toContain(`✅ ${phase}`);
  };

  /** A search with one key takes a minute, so the seed of a run chooses one key. */
  const KEYS = [
    ['secret test key', ({ secretTest }: Merchant) => secretTest],
    ['public test key', ({ publicTest }: Merchant) => publicTest],
    ['secret live key', ({ secretLive }: Merchant) => secretLive],
  ] as const;
  const [name, selectKey] = KEYS[Math.abs(SEED) % KEYS.length] ?? KEYS[0];
  pythonTest(name, () => search(selectKey(merchant)), LIMIT_MS);
});
