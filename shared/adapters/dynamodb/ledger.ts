import * as z from 'zod';
import { business } from '#shared/domain/business.ts';
import { checkout } from '#shared/domain/checkout.ts';
import { mode } from '#shared/domain/mode.ts';
import { belongsTo } from '#shared/domain/tenant.ts';
import { virtualAccount } from '#shared/domain/virtual-account.ts';
import type { Ledger, LedgerEntry, Recorded } from '#shared/ports.ts';
import { answerWrite, checkoutItem, deliveryItem, eventItem, paymentItem, virtualAccountItem } from './items.ts';
import { businessKey, checkoutKey, receivingAccountKey, virtualAccountKey } from './keys.ts';
import { getItem, getItems, type Table } from './table.ts';
import { ABSENT, transact, versionIs, type Write } from './transact.ts';

const tenant = z.object({ businessId: z.string(), mode });

type Miss = Exclude<Recorded, 'recorded'>;
const stale = (): Miss => 'stale';

const writesOf = (table: Table, entry: LedgerEntry): Write<Miss>[] => {
  const { answer, payment, checkout: paid, virtualAccount: settled, event, deliveries = [] } = entry;
  return [
    // The answer first: a repeated request must hear its first answer, whatever else has changed since.
    ...(answer ? [answerWrite(answer)] : []),
    ...(payment ? [{ put: paymentItem(payment), when: ABSENT, otherwise: (): Miss => 'recorded_before' }] : []),
    ...(paid ? [{ put: checkoutItem(table, paid.after), when: versionIs(paid.before.version), otherwise: stale }] : []),
    ...(settled
      ? [{ put: virtualAccountItem(table, settled.after), when: versionIs(settled.before.version), otherwise: stale }]
      : []),
    ...(settled?.before.status === 'pending' && settled.after.status === 'active'
      ? [
          {
            put: {
              ...receivingAccountKey(settled.after.mode, settled.after.provider, settled.after.account.accountNumber),
              virtualAccountId: settled.after.id,
            },
            when: ABSENT,
            otherwise: stale,
          },
        ]
      : []),
    ...(event ? [{ put: eventItem(event), when: ABSENT }] : []),
    ...deliveries.map((delivery) => ({ put: deliveryItem(table, delivery), when: ABSENT })),
  ];
};

/** The ledger in the table. */
export const ledger = (table: Table): Ledger => ({
  readCheckout: async (of, reference) => {
    const [owner, item] = await getItems(table, [businessKey(of.businessId), checkoutKey(reference)]);
    const found = item && checkout.parse(item);
    return owner && found && belongsTo(of, found) ? { business: business.parse(owner), checkout: found } : undefined;
  },
  readVirtualAccount: async (of, id) => {
    const [owner, item] = await getItems(table, [businessKey(of.businessId), virtualAccountKey(id)]);
    const found = item && virtualAccount.parse(item);
    return owner && found && belongsTo(of, found)
      ? { business: business.parse(owner), virtualAccount: found }
      : undefined;
  },
  tenantOf: async (owner) => {
    const item = await getItem(
      table,
      owner.kind === 'checkout' ? checkoutKey(owner.reference) : virtualAccountKey(owner.id),
    );
    return item && tenant.parse(item);
  },
  record: async (entry) => (await transact(table, writesOf(table, entry))) ?? 'recorded',
});
