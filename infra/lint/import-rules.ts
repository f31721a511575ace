import { dirname, matchesGlob } from 'node:path';

/*
 * The rules for imports, in two tables. CAPABILITIES says which folders of shared/ may import each other. LAYERS says what each layer may
 * import, in its own capability and in others. In LAYERS, folders, files and packages are globs. The last row that matches a file is its rule.
 * In that row, the last glob that matches the target decides; a glob with `!` forbids the import. Every file may import from its own folder.
 */

/** Capabilities, each with the others that it may import. All may import platform, which imports none. */
const CAPABILITIES: Readonly<Record<string, string>> = {
  platform: '',
  providers: '',
  members: 'businesses',
  businesses: 'members webhooks',
  payments: 'businesses checkouts providers virtual-accounts webhooks',
  'virtual-accounts': 'payments providers',
  checkouts: 'businesses payments providers virtual-accounts webhooks',
  webhooks: 'businesses checkouts members payments virtual-accounts',
  erasure: 'businesses checkouts payments virtual-accounts webhooks',
  sweeps: 'businesses checkouts members payments providers virtual-accounts webhooks',
  api: 'businesses members pages',
  pages: 'businesses checkouts client providers webhooks',
  client: '',
};
/** Layers that may import any capability: composition, environment and HTTP. */
const WIRING = ['shared/*/compose*.ts', 'shared/*/env*.ts', 'shared/*/api'];

/** A layer may import these packages only if its row names them. Every layer may import any other package. */
const PACKAGES = ['@aws-sdk', '@smithy', '@middy', 'aws-cdk-lib', 'zod', 'node:*'];
const SDK = '@aws-sdk @smithy';
const DOMAIN = 'node:* zod/mini shared/*/domain shared/platform/kernel';
const PORTS = `${DOMAIN} shared/*/*ports.ts shared/platform/*.ts shared/platform/requests shared/platform/observability`;
const ADAPTER = `${PORTS} shared/platform`;
const HTTP = `${PORTS} shared/*/contract @middy shared/api`;
const INFRA = 'node:* zod infra';

const LAYERS: readonly (readonly [files: string, mayImport: string])[] = [
  ['functions', 'node:* zod/mini shared infra/openapi/published infra/pages !shared/*/store !shared/platform/table'],
  ['shared/providers/*', `${PORTS} shared/providers/common !shared/providers/*/simulator`],
  ['shared/*/domain', DOMAIN],
  ['shared/*/contract', `${DOMAIN} shared/*/contract`],
  ['shared/*/*ports.ts', PORTS],
  ['shared/*/use-cases', `${PORTS} shared/*/use-cases shared/*/contract/*-view.ts`],
  ['shared/*/store', `${ADAPTER} shared/*/store ${SDK}`],
  ['shared/webhooks/http-out', ADAPTER],
  ['shared/{members/mail,members/passkeys,payments/queue,webhooks/queue}', `${ADAPTER} ${SDK}`],
  ['shared/{api,*/api}', HTTP],
  ['shared/api/payer-page.ts', `${HTTP} shared/pages`],
  ['shared/providers/*.ts', `${PORTS} shared/providers shared/platform/secrets`],
  ['shared/providers/*/simulator', 'node:* zod shared/providers/common/simulator shared/providers/domain/provider.ts'],
  ['shared/*/env*.ts', `${PORTS} shared/*/env*.ts shared/providers/settings.ts`],
  ['shared/*/compose*.ts', 'node:* zod/mini shared !shared/*/use-cases !shared/pages'],
  ['shared/platform/*.ts', 'node:* zod/mini shared/platform/kernel shared/platform/requests'],
  ['shared/platform/kernel', 'node:* zod/mini'],
  ['shared/platform/contract', `${DOMAIN} shared/platform/contract`],
  ['shared/platform/observability', 'node:*'],
  ['shared/platform/requests', PORTS],
  ['shared/platform/{queues,secrets,table}', `${PORTS} ${SDK}`],
  ['shared/pages', `${DOMAIN} shared/pages`],
  ['shared/pages/*/client', 'shared/pages'],
  [
    'shared/pages/dashboard/client',
    'shared/pages shared/client shared/platform/kernel/{csv,grace,mode,time}.ts shared/*/domain/{names,event-types}.ts shared/businesses/domain/{contrast,logo-limits}.ts shared/businesses/contract/deeds.ts',
  ],
  ['shared/client', ''],
  [
    'infra',
    `${INFRA} aws-cdk-lib @aws-sdk/client-lambda shared/*/contract shared/*/env*.ts shared/pages ` +
      'shared/webhooks/domain/{retry-schedule,delivery}.ts shared/checkouts/domain/example-checkout.ts shared/payments/domain/reconciliation.ts shared/platform/kernel/{money,time}.ts shared/platform/table/families.ts ' +
      'shared/platform/observability/metrics.ts shared/providers/{registry,settings,domain/names}.ts',
  ],
  ['infra/local', `${INFRA} ${SDK} shared !shared/*/compose*.ts !infra/{ops,stacks,constructs,watch}`],
  [
    'infra/local/simulator',
    'node:* zod infra/local/simulator infra/local/gateway/browser-requests.ts infra/local/pages shared/providers/simulators.ts ' +
      'shared/providers/common/simulator shared/providers/domain/provider.ts',
  ],
  ['infra/ops', `${INFRA} ${SDK} shared !infra/{stacks,watch}`],
];

const isBelow = (path: string, pattern: string): boolean =>
  matchesGlob(path, pattern) || matchesGlob(path, `${pattern}/**`);
const findCapability = (path: string): string | undefined => /^shared\/([^/]+)\//.exec(path)?.[1];

/** Says why a capability may not import another; undefined if it may. */
const findCapabilityViolation = (file: string, target: string): string | undefined => {
  const [from, to] = [findCapability(file), findCapability(target)];
  if (from === undefined || to === undefined || from === to || to === 'platform') return undefined;
  const others = CAPABILITIES[from];
  if (others === undefined) return `${file}: add shared/${from} to CAPABILITIES in infra/lint/import-rules.ts.`;
  if (from !== 'platform' && WIRING.some((layer) => isBelow(file, layer))) return undefined;
  if (others.split(' ').includes(to)) return undefined;
  return `${file} imports ${target}. shared/${from} may import: ${others || 'only platform'}.`;
};

/** Says why a file may not import a target; undefined if it may. `target` is a path from the root, or a package. */
export const findViolation = (file: string, target: string): string | undefined => {
  const isOurs = /^(functions|shared|infra|test)\//.test(target);
  if (!isOurs && !PACKAGES.some((name) => isBelow(target, name))) return undefined;
  const other = findCapabilityViolation(file, target);
  if (other !== undefined) return other;
  if (isOurs && dirname(file) === dirname(target)) return undefined;
  const layer = LAYERS.findLast(([files]) => isBelow(file, files));
  if (layer === undefined)
    return `${file} imports ${target}, but its layer has no row in LAYERS. Add one in infra/lint/import-rules.ts.`;
  const [files, mayImport] = layer;
  const lastMatch = mayImport.split(/ +/).findLast((name) => name !== '' && isBelow(target, name.replace('!', '')));
  if (lastMatch !== undefined && !lastMatch.startsWith('!')) return undefined;
  return `${file} imports ${target}. ${files} may import: ${mayImport.trim() || 'nothing'}.`;
};
