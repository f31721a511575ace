import { createHash, randomBytes } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dueTicket } from '#shared/platform/due-ticket.ts';
import { conditionHeld } from '#shared/platform/table/conditional-write.ts';
import { entryAt } from '#shared/platform/table/due-keys.ts';
import type { Key } from '#shared/platform/table/keys.ts';
import { getItems, type Item, type Table } from '#shared/platform/table/table.ts';
import { providerName } from '#shared/providers/domain/provider.ts';
import type { DueTickets, DueWork } from '#shared/sweeps/ports.ts';
import { parseWork } from './due-index.ts';

const moneyFamily = dueTicket.shape.family;

/** The keys of checkouts and accounts do not say whose they are. Their items do: an account has one provider, a checkout a `lane`. */
const needsItem = ({ kind }: DueWork): boolean => kind === 'checkout' || kind === 'virtual_account';

/** The provider that a key names. */
const providerIn = (work: DueWork): string | undefined =>
  'provider' in work ? work.provider : /^PAY#live#([^#]+)#/.exec(work.pk)?.[1];

/** The kinds of work that share a place each: reviews have days, and reports that money was sent are made by anybody who presses a button. */
const TOGETHER: readonly DueWork['kind'][] = ['review', 'reconciliation', 'sent_report'];

/** Work of no known business has a place of its own; a queue takes 128 characters. */
const findGroup = ({ kind, pk }: DueWork, item: Item | undefined): string => {
  if (TOGETHER.includes(kind)) return kind;
  return typeof item?.businessId === 'string' ? item.businessId : createHash('sha256').update(pk).digest('hex');
};

/**
 * Moves an entry of the due-work index, as long as it stands where it was read. It keeps under which entry its work was sent first. Undefined
 * where it was moved or done meanwhile; a repeat of this very call, as after a lost answer, moves nothing.
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
  try {
    const { Attributes } = await table.client.send(update);
    return Attributes;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
};

/**
 * Tickets of due work. The two attributes stand beside the item's own: whoever writes the item anew takes them away, as its due time is
 * another one then.
 */
export const dueTickets = (table: Table): DueTickets => ({
  address: async (works) => {
    const unknown = works.filter((work) => work.mode === 'live' && needsItem(work));
    const items = await getItems(table, unknown, { mayLag: true });
    return works.flatMap((work) => {
      const family = moneyFamily.safeParse(work.family).data;
      const item = items[unknown.indexOf(work)];
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
      // Under another entry it is due at another time. In a backlog it has been moved on, and is still the work that was sent.
      // A repeat of this very call, as after a lost answer, holds the lease already.
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
    const moved = await moveEntry(table, { pk, sk }, entry, entryAt({ pk, sk }, until));
    return moved && { family, pk, sk, entry: String(moved.sentAs ?? entry) };
  },
  giveBack: async ({ pk, sk, entry }, until) => {
    await moveEntry(table, { pk, sk }, entryAt({ pk, sk }, until), entry);
  },
});
