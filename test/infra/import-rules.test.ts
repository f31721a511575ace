import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import * as z from 'zod';

/** What a file of a folder, or one file, must not import. */
const REFUSED: readonly (readonly [from: string, imported: string])[] = [
  ['functions/verify-checkout', '#shared/adapters/runtime.ts'],
  ['functions/verify-checkout', '@aws-sdk/client-sqs'],
  ['shared/new-folder', '#shared/domain/kernel/money.ts'],
  ['shared/domain/new-room', '#shared/domain/kernel/money.ts'],
  ['shared/domain/money', '#shared/ports/money.ts'],
  ['shared/domain/kernel', '#shared/domain/money/payment.ts'],
  ['shared/domain/money', '#shared/domain/checkouts/checkout.ts'],
  ['shared/contract/money', '#shared/contract/checkouts/checkout-view.ts'],
  ['shared/use-cases/kernel', '#shared/use-cases/businesses/create-key.ts'],
  ['shared/use-cases/webhooks', '#shared/use-cases/money/land-money.ts'],
  ['shared/use-cases/money', '#shared/use-cases/checkouts/initialize-checkout.ts'],
  ['shared/use-cases/money', '#shared/adapters/runtime.ts'],
  ['shared/use-cases/money', '#shared/composition/money.ts'],
  ['shared/ports', '#shared/adapters/runtime.ts'],
  ['shared/adapters', '#shared/adapters/sqs/health.ts'],
  ['shared/adapters', '#shared/use-cases/money/land-money.ts'],
  ['shared/adapters/http-out', '#shared/adapters/dynamodb/table/table.ts'],
  ['shared/adapters/http-out', '#shared/http/api.ts'],
  ['shared/adapters/http-out', '@aws-sdk/client-sqs'],
  ['shared/adapters/sqs', '#shared/adapters/dynamodb/table/table.ts'],
  ['shared/adapters/sqs', '#shared/composition/queues.ts'],
  ['shared/adapters/secrets', '#shared/adapters/providers/registry.ts'],
  ['shared/adapters/secrets', '#shared/use-cases/money/land-money.ts'],
  ['shared/adapters/providers', '#shared/adapters/dynamodb/table/table.ts'],
  ['shared/adapters/providers', '#shared/http/api.ts'],
  ['shared/adapters/providers/paystack', '#shared/adapters/providers/monnify/client.ts'],
  ['shared/adapters/providers/paystack', '#shared/adapters/providers/registry.ts'],
  ['shared/adapters/providers/paystack', '#shared/adapters/providers/paystack/twin/provider.ts'],
  ['shared/adapters/providers/paystack/twin', '#shared/adapters/providers/paystack/client.ts'],
  ['shared/adapters/providers/common', '#shared/adapters/providers/paystack/client.ts'],
  ['shared/adapters/dynamodb/money', '#shared/adapters/sqs/health.ts'],
  ['shared/adapters/dynamodb/webhooks', '#shared/adapters/dynamodb/money/ledger.ts'],
  ['shared/adapters/dynamodb/table', '#shared/adapters/dynamodb/requests/answers.ts'],
  ['shared/http', '#shared/adapters/runtime.ts'],
  ['shared/http', '#shared/use-cases/money/land-money.ts'],
  ['shared/http', '#shared/composition/api.ts'],
  ['shared/http/kernel', '#shared/http/middlewares/validate.ts'],
  ['shared/http/deactivate-virtual-account.ts', '#shared/use-cases/money/land-money.ts'],
  ['shared/queue', '#shared/adapters/sqs/health.ts'],
  ['shared/queue', '#shared/http/api.ts'],
  ['shared/env', '#shared/adapters/providers/registry.ts'],
  ['shared/env', '#shared/ports/money.ts'],
  ['shared/observability', '#shared/domain/kernel/time.ts'],
  ['shared/composition', '@aws-sdk/client-sqs'],
  ['shared/composition', '#infra/functions.ts'],
  ['shared/composition', '#shared/use-cases/money/land-money.ts'],
  ['infra/stacks', '#shared/composition/api.ts'],
  ['infra/stacks', '#shared/use-cases/money/land-money.ts'],
  ['infra/local', '#shared/composition/api.ts'],
  ['infra/local/gateway', '#functions/verify-checkout/handler.ts'],
  ['infra/local/twin', '#shared/domain/kernel/money.ts'],
  ['infra/local/twin', '#infra/local/errors.ts'],
  ['infra/ops', '#functions/verify-checkout/handler.ts'],
  ['infra/ops', '#infra/stacks/data-stack.ts'],
];

const report = z.object({ diagnostics: z.array(z.object({ location: z.object({ path: z.string() }) })) });

const scratch = mkdtempSync(join(tmpdir(), 'payments-imports-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(scratch, path)), { recursive: true });
  writeFileSync(join(scratch, path), text);
};

/** The files of a scratch folder whose imports the linter refuses, under the rules of this repository. */
const refusedFiles = (): readonly string[] => {
  const { vcs: _, $schema: __, ...rules } = JSON.parse(readFileSync('biome.json', 'utf8'));
  write('biome.json', JSON.stringify(rules));
  write('infra/lint/rooms.json', readFileSync('infra/lint/rooms.json', 'utf8'));
  const options = ['--only=style/noRestrictedImports', '--reporter=json', '--max-diagnostics=none'];
  const { stdout } = spawnSync(resolve('node_modules/.bin/biome'), ['lint', ...options, '.'], {
    cwd: scratch,
    encoding: 'utf8',
  });
  return report.parse(JSON.parse(stdout)).diagnostics.map(({ location }) => location.path);
};

test('the linter refuses each wrong import, and no right one', () => {
  const files = REFUSED.map(([from], n) => (from.endsWith('.ts') ? from : `${from}/case-${n}.ts`));
  for (const [n, [, imported]] of REFUSED.entries()) write(files[n] ?? '', `import '${imported}';\n`);
  write('shared/http/right.ts', "import '#shared/http/middlewares/validate.ts';\n");
  expect(refusedFiles().toSorted()).toEqual(files.toSorted());
});
