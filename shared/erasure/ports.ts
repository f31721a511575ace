import type { OperatorChange } from '#shared/businesses/domain/operator-change.ts';
import type { ErasedPage, Erasure } from '#shared/erasure/domain/erasure.ts';
import type { ErasedPayer } from '#shared/erasure/domain/personal-fields.ts';

/** All stored items, in no order. They are all read, because not all items with a payer's data can be found by payer. */
export interface PayerRecords {
  /** Erases the payer in one page of at most `limit` items after a position. Safe to repeat, also after an interruption. */
  erasePage(payer: ErasedPayer, after: string | null, limit: number): Promise<ErasedPage>;
}

/** Stores the progress of unfinished erasures. */
export interface ErasureStore {
  find(businessId: string, digest: string): Promise<Erasure | undefined>;
  /** Writes the next version. False if the stored version is not the one before. */
  save(after: Erasure): Promise<boolean>;
  /** Deletes a finished erasure, and writes a record of the change. False if the erasure changed since it was read. */
  end(finished: Erasure, change: OperatorChange): Promise<boolean>;
}
