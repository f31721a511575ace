import { dirname, matchesGlob } from 'node:path';

/*
 * Which folder may import which others. The last row that names a file's folder decides; a folder without a row may import nothing,
 * and every file may import its own folder. A target is a folder with all below it, a file, or a package; the last match decides, and
 * `!` refuses. Packages outside PACKAGES are open to all.
 */

/** Packages that a row must name. */
const PACKAGES = ['@aws-sdk', '@smithy', '@middy', 'aws-cdk-lib', 'zod', 'node:*'];
const SDK = '@aws-sdk @smithy';
const BACKEND = 'node:* zod/mini';

const USE_CASE = `${BACKEND} shared/domain shared/ports shared/observability shared/contract/*/*-view.ts`;
const ADAPTER = `${BACKEND} shared/domain shared/ports shared/observability shared/adapters/*.ts`;
const STACK = `${BACKEND} shared/domain shared/contract shared/ports shared/observability shared/use-cases/kernel @middy`;
const INFRA = 'node:* zod infra';

/** The rows of a layer: its rooms, each with the others that it may import, and what all of them may import. */
const layer = (folder: string, all: string, rooms: Readonly<Record<string, string>>) =>
  Object.entries(rooms).map(([room, others]): [string, string] => [
    `${folder}/${room}`,
    [all, ...others.split(' ').map((other) => other && `${folder}/${other}`)].join(' '),
  ]);

const RULES: readonly (readonly [folder: string, mayImport: string])[] = [
  ['functions', `${BACKEND} shared !shared/adapters infra/openapi/published infra/pages`],
  ...layer('shared/domain', BACKEND, {
    kernel: '',
    providers: 'kernel',
    requests: 'kernel',
    webhooks: 'kernel',
    money: 'kernel providers',
    businesses: 'kernel webhooks',
    members: 'kernel businesses',
    'virtual-accounts': 'kernel money providers',
    checkouts: 'kernel money providers webhooks',
  }),
  ...layer('shared/contract', `${BACKEND} shared/domain`, {
    kernel: '',
    dashboard: 'kernel',
    members: 'kernel',
    money: 'kernel',
    'virtual-accounts': 'kernel money',
    checkouts: 'kernel money virtual-accounts',
    webhooks: 'kernel money virtual-accounts checkouts',
  }),
  ['shared/ports', `${BACKEND} shared/domain shared/observability`],
  ...layer('shared/use-cases', USE_CASE, {
    kernel: '',
    requests: '',
    businesses: 'kernel',
    members: 'kernel',
    webhooks: 'kernel',
    money: 'kernel webhooks',
    'virtual-accounts': 'kernel money requests webhooks',
    checkouts: 'kernel money requests',
    sweeps: 'kernel money checkouts virtual-accounts webhooks',
  }),
  ['shared/adapters/*.ts', ADAPTER],
  ['shared/adapters/http-out', ADAPTER],
  ['shared/adapters/passkeys', ADAPTER],
  ['shared/adapters/sqs', `${ADAPTER} ${SDK}`],
  ['shared/adapters/ses', `${ADAPTER} ${SDK}`],
  ['shared/adapters/secrets', `${ADAPTER} ${SDK} shared/adapters/providers/common`],
  ['shared/adapters/providers/*', `${ADAPTER} shared/adapters/providers/common !shared/adapters/providers/*/twin`],
  [
    'shared/adapters/providers/*/twin',
    'node:* zod shared/adapters/providers/common/twin shared/domain/providers/provider.ts',
  ],
  ['shared/adapters/providers/*.ts', `${ADAPTER} shared/adapters/providers shared/adapters/secrets`],
  ...layer('shared/adapters/dynamodb', `${ADAPTER} ${SDK}`, {
    table: '',
    members: 'table',
    providers: 'table',
    requests: 'table',
    'virtual-accounts': 'table requests',
    checkouts: 'table requests',
    webhooks: 'table requests',
    businesses: 'table members webhooks',
    money: 'table requests checkouts virtual-accounts webhooks',
  }),
  ['shared/http/*.ts', `${STACK} shared/http`],
  ['shared/http/payer-page.ts', `${STACK} shared/http shared/pages`],
  ['shared/http/deactivate-virtual-account.ts', `${STACK} shared/http shared/use-cases/virtual-accounts`],
  ...layer('shared/http', STACK, { kernel: '', middlewares: 'kernel' }),
  ['shared/pages', `${BACKEND} shared/domain shared/pages`],
  ['shared/pages/*/client', 'shared/pages'],
  [
    'shared/pages/dashboard/client',
    'shared/pages shared/client shared/domain/kernel/csv.ts shared/domain/kernel/grace.ts shared/domain/kernel/time.ts shared/domain/providers/names.ts shared/domain/webhooks/event-types.ts',
  ],
  ['shared/client', ''],
  ['shared/queue', `${BACKEND} shared/domain shared/ports shared/observability`],
  ['shared/env', `${BACKEND} shared/domain shared/adapters/providers/settings.ts`],
  ['shared/observability', BACKEND],
  [
    'shared/composition',
    `${BACKEND} shared/adapters shared/domain shared/env shared/http shared/observability shared/ports shared/queue`,
  ],
  [
    'infra',
    `${INFRA} aws-cdk-lib @aws-sdk/client-lambda shared/contract shared/env shared/pages shared/domain/webhooks/retry-schedule.ts ` +
      'shared/domain/webhooks/delivery.ts shared/domain/kernel/money.ts shared/domain/checkouts/example-checkout.ts shared/adapters/providers/registry.ts ' +
      'shared/adapters/providers/settings.ts shared/adapters/dynamodb/table/families.ts shared/observability/metrics.ts',
  ],
  ['infra/local', `${INFRA} ${SDK} shared !shared/composition !infra/ops !infra/stacks !infra/constructs !infra/watch`],
  [
    'infra/local/twin',
    'node:* zod infra/local/twin infra/local/gateway/browser-requests.ts infra/local/pages shared/adapters/providers/twins.ts ' +
      'shared/adapters/providers/common/twin shared/domain/providers/provider.ts',
  ],
  ['infra/ops', `${INFRA} ${SDK} shared !infra/stacks !infra/watch`],
];

const isBelow = (path: string, pattern: string): boolean =>
  matchesGlob(path, pattern) || matchesGlob(path, `${pattern}/**`);

/** Why a file may not import something, as a sentence; undefined when it may. `target` is a path from the root, or a package. */
export const refusal = (file: string, target: string): string | undefined => {
  const isOurs = /^(functions|shared|infra|test)\//.test(target);
  if (!isOurs && !PACKAGES.some((name) => isBelow(target, name))) return undefined;
  if (isOurs && dirname(file) === dirname(target)) return undefined;
  const row = RULES.findLast(([folder]) => isBelow(file, folder));
  if (row === undefined) return `${file} imports ${target}, but its folder has no row in infra/lint/rooms.ts yet.`;
  const [folder, mayImport] = row;
  const decides = mayImport.split(/ +/).findLast((name) => name !== '' && isBelow(target, name.replace('!', '')));
  if (decides !== undefined && !decides.startsWith('!')) return undefined;
  return `${file} imports ${target}. ${folder} may import: ${mayImport.trim() || 'nothing'}.`;
};
