import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { localKey } from '#infra/local/environment.ts';
import { businessStore } from '#shared/businesses/store/business-store.ts';
import { usageStore } from '#shared/businesses/store/usage-store.ts';
import { createBusiness } from '#shared/businesses/use-cases/create-business.ts';
import { setProfile } from '#shared/businesses/use-cases/set-profile.ts';
import { userReader } from '#shared/members/store/user-store.ts';
import { inviteMember } from '#shared/members/use-cases/change-members.ts';
import { keyKind } from '#shared/platform/kernel/key-kind.ts';
import { type Mode, mode } from '#shared/platform/kernel/mode.ts';
import { runtime } from '#shared/platform/runtime.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { targetChecker } from '#shared/webhooks/http-out/target-checker.ts';
import { endpointKey } from '#shared/webhooks/store/keys.ts';
import { createWebhookEndpoint } from '#shared/webhooks/use-cases/create-webhook-endpoint.ts';
import { fileIn, readIfThere, writePrivately } from './data-dir.ts';

const endpoint = z.object({ id: z.string(), url: z.string(), secret: z.string() });

const demo = z.object({
  business: z.object({ id: z.string(), name: z.string() }),
  keys: z.array(z.object({ id: z.string(), mode, kind: keyKind, key: z.string() })),
  endpoint,
  liveEndpoint: endpoint,
});
/** The demo business. Its keys and webhook secrets are stored here, because the service shows them only once. */
export type Demo = z.infer<typeof demo>;

const BUSINESS_NAME = 'Ada Stores Limited';
/** The e-mail address of the owner, who may sign in to the dashboard of the demo business. */
export const DEMO_OWNER = 'ada@ada-stores.example.com';
/** The profile: the support address and the colour that payers see. `isRouted` turns routing on; the variable ROUTING_ORDER has the order. */
const PROFILE = { support: 'help@ada-stores.example.com', brandColor: '#0b5c8f', isRouted: true };
const OPERATOR = 'npm start';

const readDemo = (path: string): Demo | undefined => {
  try {
    return demo.parse(JSON.parse(readIfThere(path) ?? ''));
  } catch {
    return undefined;
  }
};

const createDemo = async (table: Table, hashKey: string, url: string): Promise<Demo> => {
  const webhookKeys = async () => [localKey(hashKey, 'webhooks')] as const;
  const deps = {
    ...runtime,
    webhookKeys,
    businesses: businessStore(table),
    usage: usageStore(table),
    checkTarget: targetChecker('any'),
  };
  const { business, keys } = await createBusiness(deps, { name: BUSINESS_NAME, actor: OPERATOR });
  await setProfile(deps, { businessId: business.id, change: PROFILE, actor: OPERATOR });
  const members = { ...deps, users: userReader(table) };
  await inviteMember(members, { businessId: business.id, email: DEMO_OWNER, role: 'owner', actor: OPERATOR });
  const addEndpoint = async (endpointMode: Mode): Promise<Demo['endpoint']> => {
    const created = await createWebhookEndpoint(
      deps,
      { businessId: business.id, mode: endpointMode },
      { url, events: ['*'] },
      OPERATOR,
    );
    return { id: created.endpoint.id, url, secret: created.secret };
  };
  return {
    business: { id: business.id, name: business.name },
    keys: keys.map(({ id, mode: keyMode, kind, key }) => ({ id, mode: keyMode, kind, key })),
    endpoint: await addEndpoint('test'),
    liveEndpoint: await addEndpoint('live'),
  };
};

/** Sets the endpoints' URL after the port has changed, so that waiting deliveries arrive. */
const changeUrl = async (table: Table, stored: Demo, url: string): Promise<Demo> => {
  for (const { id } of [stored.endpoint, stored.liveEndpoint]) {
    await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: { ...endpointKey(id) },
        UpdateExpression: 'SET #url = :url',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeNames: { '#url': 'url' },
        ExpressionAttributeValues: { ':url': url },
      }),
    );
  }
  return { ...stored, endpoint: { ...stored.endpoint, url }, liveEndpoint: { ...stored.liveEndpoint, url } };
};

/**
 * Returns the demo business of a data directory. If there is none yet, or if the table lacks it, creates one. In each mode it has an endpoint
 * at `url`, which gets every event.
 */
export const prepareDemo = async (
  { table, hashKey }: { readonly table: Table; readonly hashKey: string },
  dataDir: string,
  url: string,
): Promise<Demo> => {
  const path = fileIn(dataDir, 'demo');
  const stored = readDemo(path);
  const exists = stored && (await businessStore(table).find(stored.business.id));
  if (stored && exists && stored.endpoint.url === url) return stored;
  const current = stored && exists ? await changeUrl(table, stored, url) : await createDemo(table, hashKey, url);
  writePrivately(path, JSON.stringify(current, null, 2));
  return current;
};

/** Returns a key of the demo business. */
export const demoKey = ({ keys }: Pick<Demo, 'keys'>, kind: 'secret' | 'public', keyMode: Mode = 'test'): string =>
  keys.find((key) => key.mode === keyMode && key.kind === kind)?.key ?? '';
