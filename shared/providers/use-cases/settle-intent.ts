import type { Millis } from '#shared/platform/kernel/time.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { isProviderError } from '#shared/providers/domain/errors.ts';

/** An intent, or an object that it became, whose outcome at its provider is not known: the provider is asked again at `settleAt`. */
export interface Unsettled {
  readonly settleAt: Millis;
}

/**
 * Settles what was left unsettled, by asking its provider: not before its time. Where the provider gives no answer, or refuses, it is asked
 * again later (`postpone`).
 * @throws what `settle` throws.
 */
export const settleIntent = async <U extends Unsettled>(
  { now }: Pick<Runtime, 'now'>,
  before: U,
  settle: () => Promise<void>,
  postpone: (failure: unknown) => Promise<unknown>,
): Promise<void> => {
  if (before.settleAt > now()) return;
  try {
    await settle();
  } catch (error) {
    if (isProviderError(error)) await postpone(error);
    throw error;
  }
};
