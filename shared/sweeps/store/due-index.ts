import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { reconciliationAt } from '#shared/payments/store/keys.ts';
import type { DueFamily } from '#shared/platform/due-family.ts';
import { duePartition, dueUntil, parseDueAt } from '#shared/platform/table/due-keys.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { providerName } from '#shared/providers/domain/provider.ts';
import type { DueIndex, DueWork } from '#shared/sweeps/ports.ts';

/**
 * Returns the work that an index entry stands for. Its family, key and position tell enough, so no item is read. Undefined for a kind that this
 * release does not know.
 */
export const parseWork = (family: DueFamily, pk: string, sk: string, position: string): DueWork | undefined => {
  const mode = family.startsWith('test_') ? ('test' as const) : ('live' as const);
  const due = { family, mode, dueAt: parseDueAt(position), position, pk, sk };
  const [kind, id = ''] = [pk.slice(0, pk.indexOf('#')), pk.slice(pk.indexOf('#') + 1)];
  if (kind === 'EVT' && sk.startsWith('DLV#')) {
    return { kind: 'delivery', eventId: id, endpointId: sk.slice('DLV#'.length), ...due };
  }
  if (kind === 'WHE' && sk === 'BREAKER') return { kind: 'breaker', endpointId: id, ...due };
  if (kind === 'CHK') return { kind: 'checkout', reference: id, ...due };
  if (kind === 'VA') return { kind: 'virtual_account', id, ...due };
  const [name, rest = ''] = id.split('#');
  const provider = providerName.safeParse(name).data;
  if (kind === 'SENT') return provider && { kind: 'sent_report', provider, reference: rest, ...due };
  if (kind === 'NTF') return provider && { kind: 'notification', provider, hash: rest, ...due };
  if (kind === 'RECON') {
    const list = reconciliationAt({ pk, sk });
    return list && { kind: 'reconciliation', ...list, ...due };
  }
  if (kind === 'DAILY') return { kind: 'summary', businessId: id, ...due };
  if (kind === 'MAIL') return { kind: 'notice', id, ...due };
  if (kind === 'PAY') return { kind: family === 'reviews' ? 'review' : 'unmatched', at: pk, ...due };
  return undefined;
};

/** Reads the due-work index, which has entries for due items only. */
export const dueIndex = (table: Table): DueIndex => ({
  shards: table.dueShards,
  due: async (family, shard, now, limit, after) => {
    const { Items = [] } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        IndexName: 'gsi2',
        KeyConditionExpression: 'gsi2pk = :shard AND gsi2sk BETWEEN :after AND :now',
        ExpressionAttributeValues: {
          ':shard': duePartition(family, shard),
          ':now': dueUntil(now),
          ':after': after === null ? ' ' : `${after} `,
        },
        Limit: limit,
      }),
    );
    const works = Items.map(({ pk, sk, gsi2sk }) => parseWork(family, pk, sk, gsi2sk)).filter(
      (work) => work !== undefined,
    );
    // Entries that we cannot read were written by a newer release before a roll-back. They are skipped, so that they do not block their shard,
    // and stay due.
    if (works.length < Items.length) table.unreadable('DUE', Items.length - works.length);
    return { works, next: Items.length === limit ? String(Items.at(-1)?.gsi2sk) : null };
  },
});
