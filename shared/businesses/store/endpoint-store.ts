import { business } from '#shared/businesses/domain/business.ts';
import { belongsTo } from '#shared/platform/kernel/tenant.ts';
import { readItem } from '#shared/platform/table/readable.ts';
import { getItem, getItems, getParsed, type Table } from '#shared/platform/table/table.ts';
import { breaker } from '#shared/webhooks/domain/breaker.ts';
import { webhookEndpoint } from '#shared/webhooks/domain/endpoint.ts';
import type { EndpointReader } from '#shared/webhooks/ports.ts';
import { breakerKey, endpointKey } from '#shared/webhooks/store/keys.ts';
import { businessKey } from './keys.ts';

/** Reads webhook endpoints from the table. They are written together with their business. */
export const endpointStore = (table: Table): EndpointReader => ({
  find: async (tenant, id) => {
    const item = await getItem(table, endpointKey(id));
    const endpoint = readItem(table, webhookEndpoint, item);
    return endpoint && belongsTo(tenant, endpoint) ? endpoint : undefined;
  },
  findWithBreaker: async (tenant, id) => {
    const [item, breakerItem] = await getItems(table, [endpointKey(id), breakerKey(id)]);
    const endpoint = readItem(table, webhookEndpoint, item);
    if (!endpoint || !belongsTo(tenant, endpoint)) return undefined;
    return { endpoint, breaker: readItem(table, breaker, breakerItem) };
  },
  list: async (tenant) => {
    const owner = await getItem(table, businessKey(tenant.businessId));
    const heads = readItem(table, business, owner)?.endpoints.filter(({ mode }) => mode === tenant.mode) ?? [];
    return getParsed(
      table,
      webhookEndpoint,
      heads.map(({ id }) => endpointKey(id)),
    );
  },
});
