import { existsSync, readFileSync } from 'node:fs';
import { importsBelow } from '#infra/lint/imports.ts';
import { refusal } from '#infra/lint/rooms.ts';

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
  ['infra/ops', 'aws-cdk-lib'],
  ['infra/local', 'aws-cdk-lib/aws-dynamodb'],
  ['infra/openapi', '#test/support/worlds/keys.ts'],
  ['functions/verify-checkout', '#functions/list-checkouts/handler.ts'],
  ['functions/verify-checkout', 'zod'],
  ['shared/domain/money', 'zod'],
  ['shared/domain/money', '@aws-sdk/client-dynamodb'],
  ['shared/use-cases/money', '@smithy/node-http-handler'],
  ['shared/adapters/sqs', '@middy/core'],
  ['shared/composition', '@middy/core'],
  ['shared/pages/checkout/client', 'node:fs/promises'],
  ['shared/pages/checkout/client', '#shared/domain/kernel/money.ts'],
  ['shared/pages/dashboard', '#shared/client/client.ts'],
  ['shared/client', '#shared/domain/kernel/money.ts'],
];

/** Imports that stand beside refused ones. */
const ALLOWED: readonly (readonly [from: string, imported: string])[] = [
  ['shared/http', '#shared/http/middlewares/validate.ts'],
  ['shared/domain/money', '#shared/domain/kernel/money.ts'],
  ['shared/domain/money', 'zod/mini'],
  ['shared/adapters/dynamodb/table', '@aws-sdk/client-dynamodb'],
  ['shared/adapters/providers', '#shared/adapters/providers/paystack/client.ts'],
  ['shared/new-folder', '#shared/new-folder/other.ts'],
];

const refusalOf = ([from, imported]: readonly [from: string, imported: string]): string | undefined =>
  refusal(from.endsWith('.ts') ? from : `${from}/file.ts`, imported.replace('#', ''));

test.each(REFUSED)('%s may not import %s', (...arrow) => {
  expect(refusalOf(arrow)).toContain(arrow[0]);
});

test.each(ALLOWED)('%s may import %s', (...arrow) => {
  expect(refusalOf(arrow)).toBeUndefined();
});

test('every import of functions, shared and infra is allowed', () => {
  const arrows = [...importsBelow('functions', 'shared', 'infra')].flatMap(([file, targets]) =>
    targets.map((target) => [file, target] as const),
  );
  expect(arrows.length).toBeGreaterThan(4_000);
  expect(arrows.map((arrow) => refusal(...arrow)).filter((sentence) => sentence !== undefined)).toEqual([]);
});

test('every file that the table names is there', () => {
  const named = readFileSync('infra/lint/rooms.ts', 'utf8').match(/(?<![\w/])(?:shared|infra)\/[\w/-]+\.ts\b/g) ?? [];
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((file) => !existsSync(file))).toEqual([]);
});
