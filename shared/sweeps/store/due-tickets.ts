import { createHash, randomBytes } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dueTicket } from '#shared/platform/due-ticket.ts';
import { conditionHeld, resultIfHeld } from '#shared/platform/table/conditional-write.ts';
import { formatDueEntry } from '#shared/platform/table/due-keys.ts';
import type { Key } from '#shared/platform/table/keys.ts';
import { getItems, type Item, type Table } from '#shared/platform/table/table.ts';
import { providerName } from '#shared/providers/domain/provider.ts';
import type { DueTickets, DueWork } from '#shared/sweeps/ports.ts';
import { parseWork } from './due-index.ts';

const moneyFamily = dueTicket.shape.family;

/** Checks whether an item must be read to find its provider, because its key names none. */
const needsItem = ({ kind }: DueWork): boolean => kind === 'checkout' || kind === 'virtual_account';

/** Returns the provider that a key names. */
const providerIn = (work: DueWork): string | undefined =>
  'provider' in work ? work.provider : /^PAY#live#([^#]+)#/.exec(work.pk)?.[1];

/**
 * All work of such a kind has one group in the fair queue. So a lot of it does not delay other work: a review has days of time, and anybody can
 * press the button that reports sent money.
 */
const SHARED_GROUPS: readonly DueWork['kind'][] = ['review', 'reconciliation', 'sent_report'];

/** Returns the SQS message group of work, at most 128 characters. Work of no known business has a group of its own. */
const findGroup = ({ kind, pk }: DueWork, item: Item | undefined): string => {
  if (SHARED_GROUPS.includes(kind)) return kind;
  return typeof item?.businessId === 'string' ? item.businessId : createHash('sha256').update(pk).digest('hex');
};

/**
 * Moves an entry of the due-work index, unless another process has moved it. `sentAs` keeps the entry that the first ticket named. Returns
 * undefined if the entry was moved or the work was done meanwhile. If the call is repeated after a lost answer, it moves nothing more.
 */
const moveEntry = async (table: Table, key: Key, from: string, to: string): Promise<Item | undefined> => {
  const update = new UpdateCommand({
    TableName: table.name,
    Key: key,
    UpdateExpression: 'SET gsi2sk = :to, sentAs = if_not_exists(sentAs, :from)',
    ConditionExpression: 'gsi2sk = :from OR gsi2sk = :to',
    ExpressionAttributeValues: { ':from': from, ':to': to },
    ReturnValues: 'UPDATED_NEW',
  });
  return (await resultIfHeld(table.client.send(update)))?.Attributes;
};

/**
 * Addresses tickets, and records on the due item which ticket was sent (`sentAs`) and who leased the work (`leasedBy`, `leaseUntil`). A write that
 * replaces the item removes these attributes, because they belong to its earlier due time.
 */
export const dueTickets = (table: Table): DueTickets => ({
  address: async (works) => {
    const worksToRead = works.filter((work) => work.mode === 'live' && needsItem(work));
    const items = await getItems(table, worksToRead, { mayLag: true });
    return works.flatMap((work) => {
      const family = moneyFamily.safeParse(work.family).data;
      const item = items[worksToRead.indexOf(work)];
      const lane =
        work.mode === 'test' ? 'test' : providerName.safeParse(item?.lane ?? item?.provider ?? providerIn(work)).data;
      if (!family || !lane) return [];
      const ticket = { family, pk: work.pk, sk: work.sk, entry: work.position };
      return [{ kind: work.kind, ticket, lane, group: findGroup(work, item) }];
    });
  },
  take: async (ticket, now, until) => {
    const { family, pk, sk, entry } = ticket;
    const work = parseWork(family, pk, sk, entry);
    if (!work) return undefined;
    const update = new UpdateCommand({
      TableName: table.name,
      Key: { pk, sk },
      UpdateExpression: 'SET leaseUntil = :until, leasedBy = :own',
      // If the item has another entry, the ticket is out of date. If the sweeper only postponed the entry, `sentAs` is still the entry of the
      // ticket. If the call is repeated after a lost answer, it holds the lease already.
      ConditionExpression:
        '(gsi2sk = :entry OR sentAs = :entry) AND (attribute_not_exists(leaseUntil) OR leaseUntil <= :now OR leasedBy = :own)',
      ExpressionAttributeValues: {
        ':until': until,
        ':entry': entry,
        ':now': now,
        ':own': randomBytes(6).toString('base64url'),
      },
    });
    return (await conditionHeld(table.client.send(update))) ? work : undefined;
  },
  postpone: async ({ family, pk, sk, entry }, until) => {
    const moved = await moveEntry(table, { pk, sk }, entry, formatDueEntry({ pk, sk }, until));
    return moved && { family, pk, sk, entry: String(moved.sentAs ?? entry) };
  },
  giveBack: async ({ pk, sk, entry }, until) => {
    await moveEntry(table, { pk, sk }, formatDueEntry({ pk, sk }, until), entry);
  },
});
