import type { Millis } from '#shared/platform/kernel/time.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { isProviderError } from '#shared/providers/domain/errors.ts';

/** An intent, or its object, whose outcome at the provider is unknown. The provider is asked again at `settleAt`. */
export interface Unsettled {
  readonly settleAt: Millis;
}

/**
 * Settles an unknown outcome with `settle`, if it is due. If the provider does not answer or rejects the request, `postpone` sets the next time.
 * @throws the error of `settle`.
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
