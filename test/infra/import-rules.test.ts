import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { findViolation } from '#infra/lint/import-rules.ts';
import { readImports } from '#infra/lint/imports.ts';

/** Folders or files, and imports that they must not have. */
const FORBIDDEN_IMPORTS: readonly (readonly [from: string, imported: string])[] = [
  // Capabilities.
  ['shared/new-capability/domain', '#shared/payments/domain/payment.ts'],
  ['shared/platform/table', '#shared/payments/domain/payment.ts'],
  ['shared/platform/contract', '#shared/businesses/domain/business.ts'],
  ['shared/providers/domain', '#shared/checkouts/domain/checkout.ts'],
  ['shared/virtual-accounts/domain', '#shared/checkouts/domain/checkout.ts'],
  ['shared/members/use-cases', '#shared/webhooks/use-cases/announce.ts'],
  ['shared/payments/use-cases', '#shared/sweeps/ports.ts'],
  ['shared/payments/store', '#shared/erasure/domain/personal-fields.ts'],
  ['shared/client', '#shared/platform/kernel/money.ts'],
  // Layers.
  ['shared/payments/new-layer', '#shared/platform/kernel/money.ts'],
  ['shared/payments/domain', '#shared/payments/ports.ts'],
  ['shared/payments/domain', '#shared/platform/table/keys.ts'],
  ['shared/payments/domain', 'zod'],
  ['shared/payments/domain', '@aws-sdk/client-dynamodb'],
  ['shared/payments/contract', '#shared/payments/use-cases/land-money.ts'],
  ['shared/payments/use-cases', '#shared/payments/store/ledger.ts'],
  ['shared/payments/use-cases', '#shared/payments/compose.ts'],
  ['shared/payments/use-cases', '#shared/checkouts/contract/verify-checkout.ts'],
  ['shared/payments/use-cases', '#shared/platform/table/table.ts'],
  ['shared/payments/use-cases', '@smithy/node-http-handler'],
  ['shared/payments/store', '#shared/payments/use-cases/land-money.ts'],
  ['shared/payments/ports.ts', '#shared/payments/store/ledger.ts'],
  ['shared/payments/compose.ts', '@aws-sdk/client-sqs'],
  ['shared/payments/compose.ts', '@middy/core'],
  ['shared/payments/compose.ts', '#infra/functions.ts'],
  ['shared/payments/compose.ts', '#shared/payments/use-cases/land-money.ts'],
  ['shared/payments/env.ts', '#shared/payments/store/ledger.ts'],
  ['shared/checkouts/api', '#shared/checkouts/store/checkout-store.ts'],
  ['shared/webhooks/http-out', '#shared/webhooks/store/event-store.ts'],
  ['shared/webhooks/http-out', '@aws-sdk/client-sqs'],
  ['shared/webhooks/queue', '#shared/api/api.ts'],
  ['shared/webhooks/queue', '@middy/core'],
  ['shared/providers/paystack', '#shared/providers/monnify/client.ts'],
  ['shared/providers/paystack', '#shared/providers/registry.ts'],
  ['shared/providers/paystack', '#shared/providers/paystack/simulator/provider.ts'],
  ['shared/providers/paystack', '#shared/platform/table/table.ts'],
  ['shared/providers/paystack/simulator', '#shared/providers/paystack/client.ts'],
  ['shared/providers/common', '#shared/providers/paystack/client.ts'],
  ['shared/platform/kernel', '#shared/platform/observability/log.ts'],
  ['shared/platform/observability', '#shared/platform/kernel/time.ts'],
  ['shared/platform/requests', '#shared/platform/table/table.ts'],
  ['shared/api/middlewares', '#shared/businesses/store/key-store.ts'],
  ['shared/api', '#shared/payments/use-cases/land-money.ts'],
  ['shared/pages/checkout/client', 'node:fs/promises'],
  ['shared/pages/checkout/client', '#shared/platform/kernel/money.ts'],
  ['shared/pages/dashboard', '#shared/client/client.ts'],
  // Outside shared.
  ['functions/verify-checkout', '#shared/checkouts/store/checkout-store.ts'],
  ['functions/verify-checkout', '#shared/platform/table/table.ts'],
  ['functions/verify-checkout', '#functions/list-checkouts/handler.ts'],
  ['functions/verify-checkout', '@aws-sdk/client-sqs'],
  ['functions/verify-checkout', 'zod'],
  ['infra/stacks', '#shared/api/compose.ts'],
  ['infra/stacks', '#shared/payments/use-cases/land-money.ts'],
  ['infra/local', '#shared/api/compose.ts'],
  ['infra/local', 'aws-cdk-lib/aws-dynamodb'],
  ['infra/local/gateway', '#functions/verify-checkout/handler.ts'],
  ['infra/local/simulator', '#shared/platform/kernel/money.ts'],
  ['infra/local/simulator', '#infra/local/errors.ts'],
  ['infra/ops', '#functions/verify-checkout/handler.ts'],
  ['infra/ops', '#infra/stacks/data-stack.ts'],
  ['infra/ops', 'aws-cdk-lib'],
  ['infra/openapi', '#test/support/worlds/keys.ts'],
];

/** Allowed imports that are close to forbidden ones. */
const ALLOWED_IMPORTS: readonly (readonly [from: string, imported: string])[] = [
  ['shared/payments/domain', '#shared/checkouts/domain/checkout.ts'],
  ['shared/payments/domain', '#shared/platform/kernel/money.ts'],
  ['shared/payments/domain', 'zod/mini'],
  ['shared/payments/use-cases', '#shared/checkouts/contract/checkout-view.ts'],
  ['shared/payments/store', '@aws-sdk/client-dynamodb'],
  ['shared/payments/compose.ts', '#shared/sweeps/store/due-index.ts'],
  ['shared/api', '#shared/api/middlewares/validate.ts'],
  ['shared/providers', '#shared/providers/paystack/client.ts'],
  ['shared/new-folder', '#shared/new-folder/other.ts'],
];

const readError = ([from, imported]: readonly [from: string, imported: string]): string | undefined =>
  findViolation(from.endsWith('.ts') ? from : `${from}/file.ts`, imported.replace('#', ''));

test.each(FORBIDDEN_IMPORTS)('%s may not import %s', (...pair) => {
  expect(readError(pair)).toContain(pair[0]);
});

test.each(ALLOWED_IMPORTS)('%s may import %s', (...pair) => {
  expect(readError(pair)).toBeUndefined();
});

test('every import of functions, shared and infra is allowed', () => {
  const pairs = [...readImports('functions', 'shared', 'infra')].flatMap(([file, targets]) =>
    targets.map((target) => [file, target] as const),
  );
  expect(pairs.length).toBeGreaterThan(4_000);
  expect(pairs.map((pair) => findViolation(...pair)).filter((sentence) => sentence !== undefined)).toEqual([]);
});

test('every file in the table of rules exists', () => {
  const named =
    readFileSync('infra/lint/import-rules.ts', 'utf8').match(/(?<![\w/])(?:shared|infra)\/[\w/-]+\.ts\b/g) ?? [];
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((file) => !existsSync(file))).toEqual([]);
});

test('test folders have the names of capabilities', () => {
  /** Parts of infra/: the local stack, and the tools of operators. */
  const others = ['local', 'operations'];
  const tests = globSync('test/{unit,integration}/**/*.test.ts');
  expect(tests.length).toBeGreaterThan(200);
  const known = [...readdirSync('shared'), ...others];
  expect(tests.filter((file) => !known.includes(file.split('/')[2] ?? ''))).toEqual([]);
});
