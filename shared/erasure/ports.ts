import type { OperatorChange } from '#shared/businesses/domain/operator-change.ts';
import type { ErasedPage, Erasure } from '#shared/erasure/domain/erasure.ts';
import type { ErasedPayer } from '#shared/erasure/domain/personal-fields.ts';

/** Everything that is stored, in no order: what identifies a payer stands in many places, and not all of them can be found by payer. */
export interface PayerRecords {
  /**
   * Reads one page of everything, of at most `limit` items after a position, and replaces what identifies the payer in it. Safe to
   * repeat, also after it was interrupted.
   */
  erasePage(payer: ErasedPayer, after: string | null, limit: number): Promise<ErasedPage>;
}

/** How far unfinished erasures have come. */
export interface ErasureStore {
  find(businessId: string, digest: string): Promise<Erasure | undefined>;
  /** Writes the next version. False when the stored one is no longer the version before it. */
  save(after: Erasure): Promise<boolean>;
  /** Forgets a finished one, together with the record of what it did. False when it is not as it was read. */
  end(finished: Erasure, change: OperatorChange): Promise<boolean>;
}
