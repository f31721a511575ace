import { runtime } from '#shared/platform/runtime.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { healthReader } from '#shared/providers/store/health-store.ts';
import { healthyFirst } from './healthy-first.ts';

/** Composes routing: the stage's order of providers, and the use case that sorts them by health. */
export const routingDeps = (table: Table, env: { readonly ROUTING_ORDER: readonly ProviderName[] }) => ({
  routingOrder: env.ROUTING_ORDER,
  healthyFirst: healthyFirst({ ...runtime, health: healthReader(table) }),
});
