import * as z from 'zod/mini';
import { type ApiKey, apiKey, type ProfileOnKeys } from '#shared/businesses/domain/api-key.ts';
import { type Business, business } from '#shared/businesses/domain/business.ts';
import { type OperatorChange, operatorChange } from '#shared/businesses/domain/operator-change.ts';
import type { BusinessEntry, BusinessStore } from '#shared/businesses/ports.ts';
import {
  AUDIT,
  apiKeyById,
  apiKeyKey,
  auditPartition,
  BUSINESSES,
  businessKey,
  inApiKeys,
  inAudit,
  inBusinesses,
  lastUseKey,
  logoKey,
  operatorChangeKey,
} from '#shared/businesses/store/keys.ts';
import { auditItem } from '#shared/members/store/change-item.ts';
import { noticeWrites } from '#shared/members/store/notice-item.ts';
import { userItem } from '#shared/members/store/user-store.ts';
import { millis, text } from '#shared/platform/kernel/schemas.ts';
import { readItem } from '#shared/platform/table/readable.ts';
import { getItem, getParsed, listItems, listPointed, type Table } from '#shared/platform/table/table.ts';
import { ABSENT, transact, versionIs, type Write } from '#shared/platform/table/transact.ts';
import { buildUpdate } from '#shared/platform/table/update-expression.ts';
import { type WebhookEndpoint, webhookEndpoint } from '#shared/webhooks/domain/endpoint.ts';
import { deliveryItem, eventItem } from '#shared/webhooks/store/items.ts';
import { breakerKey, endpointKey } from '#shared/webhooks/store/keys.ts';
import { businessReader } from './business-reader.ts';
import { summaryItem } from './summary-item.ts';

const lastUse = z.object({ pk: text, usedAt: millis });

const businessItem = (owner: Business) => ({
  ...owner,
  ...businessKey(owner.id),
  ...inBusinesses(owner.createdAt, owner.id),
});
const apiKeyItem = (key: ApiKey) => ({ ...key, ...apiKeyKey(key.hash), ...inApiKeys(key.id) });
const endpointItem = (endpoint: WebhookEndpoint) => ({ ...endpoint, ...endpointKey(endpoint.id) });
/** Makes the item of an operator's change. */
export const operatorChangeItem = (change: OperatorChange) => ({
  ...change,
  ...operatorChangeKey(change.businessId, change.id),
  ...inAudit(change.at, change.id),
});

const conflict = () => 'conflict' as const;

const userWrite = ({ before, after }: NonNullable<BusinessEntry['user']>): Write<'conflict'> => ({
  put: userItem(after),
  when: before ? versionIs(before.version) : ABSENT,
  otherwise: conflict,
});

/**
 * Lists the updates of the copies of a profile on keys. They are updates and not puts, so that the IAM role of a function can be limited to
 * these fields.
 */
const profileWrites = ({ displayName, isRouted, hashes }: ProfileOnKeys): Write<never>[] => {
  const set = { businessDisplayName: displayName, businessIsRouted: isRouted };
  const by = buildUpdate<ApiKey>({ expect: {}, set }, {});
  return hashes.map((hash) => ({ update: apiKeyKey(hash), by }));
};

/** Lists the writes of logos. The id of a logo is derived from its content, so an existing logo with this id is the same logo. */
const logoWrites = ({ newLogo, removedLogoId }: Pick<BusinessEntry, 'newLogo' | 'removedLogoId'>): Write<never>[] => [
  ...(newLogo ? [{ put: { ...newLogo, ...logoKey(newLogo.id) } }] : []),
  ...(removedLogoId ? [{ delete: logoKey(removedLogoId) }] : []),
];

/** Keeps businesses in the table, with their keys, endpoints and the records of their changes. */
export const businessStore = (table: Table): BusinessStore => ({
  ...businessReader(table),
  list: (page) => listItems(table, business, BUSINESSES, page),
  create: async (created, keys, change) => {
    const items = [businessItem(created), ...keys.map(apiKeyItem), operatorChangeItem(change)];
    await transact<never>(
      table,
      items.map((put) => ({ put, when: ABSENT })),
    );
  },
  save: async ({ business: { before, after }, newKeys = [], changedKeys = [], namedKeys, ...entry }) => {
    const { newEndpoint, changedEndpoint, goneEndpoint, event, deliveries = [], user, change, notice, summary } = entry;
    const writes: Write<'conflict'>[] = [
      { put: businessItem(after), when: versionIs(before.version), otherwise: conflict },
      ...newKeys.map((key) => ({ put: apiKeyItem(key), when: ABSENT })),
      // The business's version guards its keys too, because no key changes without it.
      ...changedKeys.map((key) => ({ put: apiKeyItem(key) })),
      ...(namedKeys ? profileWrites(namedKeys) : []),
      ...logoWrites(entry),
      ...(newEndpoint ? [{ put: endpointItem(newEndpoint), when: ABSENT }] : []),
      // The business's version guards its endpoints, as it guards its keys.
      ...(changedEndpoint ? [{ put: endpointItem(changedEndpoint) }] : []),
      ...(goneEndpoint ? [{ delete: endpointKey(goneEndpoint.id) }, { delete: breakerKey(goneEndpoint.id) }] : []),
      ...(event ? [{ put: eventItem(event, deliveries), when: ABSENT }] : []),
      ...deliveries.map((delivery) => ({ put: deliveryItem(table, delivery), when: ABSENT })),
      ...(user ? [userWrite(user)] : []),
      ...(change ? [{ put: 'who' in change ? operatorChangeItem(change) : auditItem(change), when: ABSENT }] : []),
      ...noticeWrites(table, notice),
      ...(summary ? [{ put: summaryItem(table, summary) }] : []),
    ];
    return (await transact(table, writes)) === undefined;
  },
  recordChange: async (change) => {
    await transact<never>(table, [{ put: operatorChangeItem(change), when: ABSENT }]);
  },
  listChanges: (page, businessId) =>
    businessId === undefined
      ? listItems(table, operatorChange, AUDIT, page)
      : listPointed(table, operatorChange, auditPartition(businessId), page, (key) => key),
  keys: (owner) =>
    getParsed(
      table,
      apiKey,
      owner.keys.map(({ hash }) => apiKeyKey(hash)),
    ),
  lastUses: async (keys) => {
    const uses = await getParsed(
      table,
      lastUse,
      keys.map(({ id }) => lastUseKey(id)),
    );
    return new Map(uses.map(({ pk, usedAt }) => [pk.slice(pk.indexOf('#') + 1), usedAt]));
  },
  findKey: async (id) => {
    const { items } = await listItems(table, apiKey, apiKeyById(id), { limit: 1, after: null });
    return items[0];
  },
  endpoints: (owner) =>
    getParsed(
      table,
      webhookEndpoint,
      owner.endpoints.map(({ id }) => endpointKey(id)),
    ),
  findEndpoint: async (id) => {
    const item = await getItem(table, endpointKey(id));
    return readItem(table, webhookEndpoint, item);
  },
});
