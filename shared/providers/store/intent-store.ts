import type * as z from 'zod/mini';
import { type Claim, IDEMPOTENCY_RETENTION, type Interrupted } from '#shared/platform/requests/idempotency.ts';
import type { Answered } from '#shared/platform/requests/ports.ts';
import { claimItem, parseAnsweredKey, parseUsedKey } from '#shared/platform/table/answers.ts';
import { answerKey, type Key } from '#shared/platform/table/keys.ts';
import { readItem } from '#shared/platform/table/readable.ts';
import { getItem, type Item, type Table } from '#shared/platform/table/table.ts';
import { transact, type Write } from '#shared/platform/table/transact.ts';
import type { Intent, IntentOutcome, IntentStore } from '#shared/providers/intent-ports.ts';

/** The reason why outcomes were not written: another write came first, or another object has the account number of the new object `taken` (an id). */
export type SettleConflict = 'conflict' | { readonly taken: string };

/** The items and writes of one kind of intent, `I`, and of the object that it becomes, `T`. `Held` tells why an intent cannot be stored. */
export interface IntentRows<I extends Intent, T, Held> {
  /** Builds the key of an intent. The object that the intent becomes has the same key. */
  readonly key: (id: string) => Key;
  readonly intentSchema: z.ZodMiniType<I>;
  readonly objectSchema: z.ZodMiniType<T>;
  readonly toItem: (intent: I) => Item & Key;
  /** Builds the further writes of a new intent. */
  readonly buildNewWrites: (intent: I) => readonly Write<Held>[];
  /** Builds the further writes of an intent's deletion. */
  readonly buildDeletionWrites: (intent: I) => readonly Write<never>[];
  /** Builds the item of the object that replaces the intent, and the further writes. */
  readonly buildObjectWrites: (object: T) => {
    readonly item: Item & Key;
    readonly others: readonly Write<SettleConflict>[];
  };
}

const OPENING = { names: { '#status': 'status' }, values: { ':opening': 'opening' } };
const ABSENT_OR_OPENING = { expression: 'attribute_not_exists(pk) OR #status = :opening', ...OPENING };

/** Requires that the intent has not changed since it was read. */
const requireUnchanged = ({ version }: Intent) => ({
  when: {
    expression: '#status = :opening AND version = :version',
    names: OPENING.names,
    values: { ...OPENING.values, ':version': version },
  },
  otherwise: (): SettleConflict => 'conflict',
});

/** Builds the write that claims the idempotency key if it is free. */
const buildClaimWrite = (claimed: Claim): Write<Answered | Interrupted> => ({
  put: claimItem(claimed),
  when: {
    expression: 'attribute_not_exists(pk) OR createdAt <= :expired',
    values: { ':expired': claimed.createdAt - IDEMPOTENCY_RETENTION },
  },
  otherwise: (existing) => parseUsedKey(existing, claimed),
});

/** Stores intents of one kind in the table. */
export const intentStore = <I extends Intent, T, Held = never>(
  table: Table,
  rows: IntentRows<I, T, Held>,
): IntentStore<I, T, Held> => {
  const buildIntentPut = (intent: I) => ({ put: rows.toItem(intent), when: ABSENT_OR_OPENING });
  const buildBeginWrites = (intent: I): Write<Held>[] => [buildIntentPut(intent), ...rows.buildNewWrites(intent)];
  const buildResumeWrites = (intent: I): Write<Held | 'settled'>[] => [
    { ...buildIntentPut(intent), otherwise: () => 'settled' },
    ...rows.buildNewWrites(intent),
  ];

  const buildSettlingWrites = (outcome: IntentOutcome<I, T>): Write<SettleConflict>[] => {
    const condition = requireUnchanged(outcome.before);
    switch (outcome.kind) {
      case 'created': {
        const { item, others } = rows.buildObjectWrites(outcome.object);
        return [{ put: item, ...condition }, ...others];
      }
      case 'postponed':
        return [{ put: rows.toItem(outcome.after), ...condition }];
      case 'dropped': {
        const { pk, sk } = rows.toItem(outcome.before);
        return [{ delete: { pk, sk }, ...condition }, ...rows.buildDeletionWrites(outcome.before)];
      }
    }
  };

  /** Requires that no other request has taken the claim over. */
  const requireOwnClaim = (claimed: Claim) => ({
    when: { expression: 'attribute_exists(leaseUntil) AND requestId = :own', values: { ':own': claimed.requestId } },
    otherwise: (): 'taken_over' => 'taken_over',
  });

  return {
    begin: async (intents, claimed) =>
      (await transact<Answered | Interrupted | Held>(table, [
        ...(claimed ? [buildClaimWrite(claimed)] : []),
        ...intents.flatMap(buildBeginWrites),
      ])) ?? 'begun',
    takeOver: async (lapsed, claimed, intents) => {
      const when = {
        expression: 'requestId = :lapsed AND leaseUntil = :until',
        values: { ':lapsed': lapsed.requestId, ':until': lapsed.leaseUntil },
      };
      const otherwise = (existing: Item | undefined): Answered => parseAnsweredKey(existing, claimed);
      const takeOverWrite = { put: claimItem(claimed), when, otherwise };
      return (
        (await transact<Answered | Held | 'settled'>(table, [takeOverWrite, ...intents.flatMap(buildResumeWrites)])) ??
        'begun'
      );
    },
    find: async (id) => {
      const item = await getItem(table, rows.key(id));
      if (item?.status === 'opening') {
        const intent = readItem(table, rows.intentSchema, item);
        return intent && { kind: 'opening', intent };
      }
      const object = readItem(table, rows.objectSchema, item);
      return object && { kind: 'created', object };
    },
    buildSettlingWrites: (outcomes) => outcomes.flatMap(buildSettlingWrites),
    settle: async (outcomes) => {
      const writes = outcomes.flatMap(buildSettlingWrites);
      return writes.length === 0 ? 'settled' : ((await transact(table, writes)) ?? 'settled');
    },
    release: async (claimed) => {
      await transact(table, [{ put: claimItem({ ...claimed, leaseUntil: 0 }), ...requireOwnClaim(claimed) }]);
    },
    forget: async (claimed) => {
      await transact(table, [{ delete: answerKey(claimed.scope), ...requireOwnClaim(claimed) }]);
    },
  };
};
