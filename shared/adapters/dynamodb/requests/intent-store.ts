import {
  answerWrite,
  checkoutItem,
  claimItem,
  emailHash,
  intentItem,
  paymentAccountItem,
  usedBefore,
  virtualAccountItem,
} from '#shared/adapters/dynamodb/table/items.ts';
import {
  checkoutKey,
  customerAccountKey,
  merchantReferenceKey,
  receivingAccountKey,
  virtualAccountKey,
} from '#shared/adapters/dynamodb/table/keys.ts';
import { getItem, type Item, type Table } from '#shared/adapters/dynamodb/table/table.ts';
import { ABSENT, transact, type Write } from '#shared/adapters/dynamodb/table/transact.ts';
import { checkout } from '#shared/domain/checkouts/checkout.ts';
import { openingCheckout } from '#shared/domain/checkouts/opening-checkout.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import { type Claim, claim as claimSchema, IDEMPOTENCY_RETENTION } from '#shared/domain/requests/idempotency.ts';
import { openingVirtualAccount, virtualAccount } from '#shared/domain/virtual-accounts/virtual-account.ts';
import type { Intent, IntentOutcome, IntentSettled, IntentStore } from '#shared/ports/requests.ts';

/** Whether a stored item is still being opened: then only the sweeper and the request's own retry may see it. */
const isOpening = (item: Item): boolean => item.status === 'opening';

const outcomeOf = (item: Item): IntentOutcome => {
  const isAccount = 'id' in item;
  if (isOpening(item)) return isAccount ? openingVirtualAccount.parse(item) : openingCheckout.parse(item);
  return isAccount ? virtualAccount.parse(item) : checkout.parse(item);
};

const duplicateReference = (): never => {
  throw new Refusal('duplicate_merchant_reference');
};

type SettleMiss = 'stale' | { readonly taken: string };

/** Intents in the table. `hashKey` is the stage's secret for hashing e-mail addresses. */
export const intentStore = (table: Table, hashKey: string): IntentStore => {
  /** What an intent holds from the beginning: its item, the merchant's reference, a place among its customer's accounts. */
  const begin = (intent: Intent): Write<never>[] => {
    const when = { expression: 'attribute_not_exists(pk) OR #status = :opening', values: { ':opening': 'opening' } };
    const writes: Write<never>[] = [
      { put: intentItem(table, intent), when: { ...when, names: { '#status': 'status' } } },
    ];
    if ('id' in intent && intent.customerEmail !== null) {
      writes.push({ put: { ...customerAccountKey(intent, emailHash(hashKey, intent.customerEmail), intent.id) } });
    }
    if ('merchantReference' in intent && intent.merchantReference !== null) {
      const { reference, merchantReference } = intent;
      const mine = {
        expression: 'attribute_not_exists(pk) OR #reference = :mine',
        names: { '#reference': 'reference' },
        values: { ':mine': reference },
      };
      const put = { ...merchantReferenceKey(intent, merchantReference), reference };
      writes.push({ put, when: mine, otherwise: duplicateReference });
    }
    return writes;
  };

  const settle = ({ before, after }: IntentSettled): Write<SettleMiss>[] => {
    const mine = {
      when: {
        expression: '#status = :opening AND version = :version',
        names: { '#status': 'status' },
        values: { ':opening': 'opening', ':version': before.version },
      },
      otherwise: (): SettleMiss => 'stale',
    };
    if (after === 'dropped') {
      const isAccount = 'id' in before;
      const writes: Write<SettleMiss>[] = [
        { delete: isAccount ? virtualAccountKey(before.id) : checkoutKey(before.reference), ...mine },
      ];
      if (isAccount && before.customerEmail !== null) {
        writes.push({ delete: customerAccountKey(before, emailHash(hashKey, before.customerEmail), before.id) });
      }
      if (!isAccount && before.merchantReference !== null) {
        writes.push({ delete: merchantReferenceKey(before, before.merchantReference) });
      }
      return writes;
    }
    // Unconditional: a number that was another checkout's before is this one's as well.
    if (after.status === 'opening') return [{ put: intentItem(table, after), ...mine }];
    if (!('id' in after)) return [{ put: checkoutItem(table, after), ...mine }, { put: paymentAccountItem(after) }];
    const writes: Write<SettleMiss>[] = [{ put: virtualAccountItem(table, after), ...mine }];
    if (after.status === 'active') {
      const { mode, provider, account, id } = after;
      const put = { ...receivingAccountKey(mode, provider, account.accountNumber), virtualAccountId: id };
      writes.push({ put, when: ABSENT, otherwise: () => ({ taken: id }) });
    }
    return writes;
  };

  return {
    begin: async (intents, claimed) => {
      const claiming: Write<Claim>[] = claimed
        ? [
            {
              put: claimItem(claimed),
              when: {
                expression: 'attribute_not_exists(pk) OR createdAt <= :outdated',
                values: { ':outdated': claimed.createdAt - IDEMPOTENCY_RETENTION },
              },
              otherwise: (existing) => {
                const { data: earlier } = claimSchema.safeParse(existing);
                if (!earlier) return usedBefore(existing, claimed.createdAt);
                if (earlier.fingerprint !== claimed.fingerprint) throw new Refusal('idempotency_key_reused');
                return earlier.leaseUntil > claimed.createdAt ? usedBefore(existing, claimed.createdAt) : earlier;
              },
            },
          ]
        : [];
      return (await transact(table, [...claiming, ...intents.flatMap(begin)])) ?? 'begun';
    },
    takeOver: async (lapsed, claimed, intents) => {
      const when = {
        expression: 'requestId = :lapsed AND leaseUntil = :until',
        values: { ':lapsed': lapsed.requestId, ':until': lapsed.leaseUntil },
      };
      const otherwise = (existing: Item | undefined): never => usedBefore(existing, claimed.createdAt);
      await transact(table, [{ put: claimItem(claimed), when, otherwise }, ...intents.flatMap(begin)]);
    },
    find: async (id) => {
      const item = await getItem(table, id.startsWith('va_') ? virtualAccountKey(id) : checkoutKey(id));
      return item && outcomeOf(item);
    },
    settle: async (outcomes, answer) => {
      const writes = [...(answer ? [answerWrite(answer)] : []), ...outcomes.flatMap(settle)];
      return writes.length === 0 ? 'settled' : ((await transact(table, writes)) ?? 'settled');
    },
    release: async (claimed) => {
      const mine = {
        expression: 'attribute_exists(leaseUntil) AND requestId = :mine',
        values: { ':mine': claimed.requestId },
      };
      const put = claimItem({ ...claimed, leaseUntil: 0 });
      await transact(table, [{ put, when: mine, otherwise: () => 'not_mine' }]);
    },
  };
};
