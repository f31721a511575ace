import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { businessStore } from '#shared/adapters/dynamodb/business-store.ts';
import { endpointKey } from '#shared/adapters/dynamodb/keys.ts';
import type { Table } from '#shared/adapters/dynamodb/table.ts';
import { targetChecker } from '#shared/adapters/http-out/target-checker.ts';
import { nature } from '#shared/adapters/nature.ts';
import { keyKind } from '#shared/domain/api-key.ts';
import { mode } from '#shared/domain/mode.ts';
import { createBusiness } from '#shared/use-cases/create-business.ts';
import { createEndpointByOperator } from '#shared/use-cases/create-endpoint-by-operator.ts';
import { fileIn, readIfThere, writePrivately } from './data-dir.ts';

const demo = z.object({
  business: z.object({ id: z.string(), name: z.string() }),
  keys: z.array(z.object({ id: z.string(), mode, kind: keyKind, key: z.string() })),
  endpoint: z.object({ id: z.string(), url: z.string(), secret: z.string() }),
});
/** The demo business, with what the service itself shows only once: its keys and its webhook secret. */
export type Demo = z.infer<typeof demo>;

const NAME = 'Ada Stores Limited';
const WHO = 'npm start';

const readDemo = (path: string): Demo | undefined => {
  try {
    return demo.parse(JSON.parse(readIfThere(path) ?? ''));
  } catch {
    return undefined;
  }
};

const create = async (table: Table, url: string): Promise<Demo> => {
  const deps = { ...nature, businesses: businessStore(table), checkTarget: targetChecker('any') };
  const { business, keys } = await createBusiness(deps, { name: NAME, who: WHO });
  const { endpoint, secret } = await createEndpointByOperator(deps, {
    businessId: business.id,
    mode: 'test',
    url,
    events: ['*'],
    who: WHO,
  });
  return {
    business: { id: business.id, name: business.name },
    keys: keys.map(({ id, mode: keyMode, kind, key }) => ({ id, mode: keyMode, kind, key })),
    endpoint: { id: endpoint.id, url, secret },
  };
};

/** The port has changed: the endpoint moves with it, so that what is still owed to it arrives. */
const move = async (table: Table, kept: Demo, url: string): Promise<Demo> => {
  await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: { ...endpointKey(kept.endpoint.id) },
      UpdateExpression: 'SET #url = :url',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: { '#url': 'url' },
      ExpressionAttributeValues: { ':url': url },
    }),
  );
  return { ...kept, endpoint: { ...kept.endpoint, url } };
};

/**
 * The demo business of a data directory, made at its first start, with one test endpoint at `url` that hears of everything.
 * A table that does not know it (another engine, say) gets a new one.
 */
export const prepareDemo = async (table: Table, dataDir: string, url: string): Promise<Demo> => {
  const path = fileIn(dataDir, 'demo');
  const kept = readDemo(path);
  const known = kept && (await businessStore(table).find(kept.business.id));
  if (kept && known && kept.endpoint.url === url) return kept;
  const fresh = kept && known ? await move(table, kept, url) : await create(table, url);
  writePrivately(path, JSON.stringify(fresh, null, 2));
  return fresh;
};

/** One of the demo business's test keys. */
export const testKey = ({ keys }: Demo, kind: 'secret' | 'public'): string =>
  keys.find((key) => key.mode === 'test' && key.kind === kind)?.key ?? '';
