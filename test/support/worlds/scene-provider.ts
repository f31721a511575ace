import { PROVIDERS } from '#shared/providers/domain/names.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';

let reconciled: readonly ProviderName[] = PROVIDERS;

/** The providers with which new live worlds reconcile. */
export const reconciledNow = (): readonly ProviderName[] => reconciled;

/**
 * Sets, inside a `describe`, the only providers with which its live worlds reconcile. The other providers have no money in these worlds.
 * Reading their empty list pages of a week would be most of the work of a scene.
 */
export const reconcileAt = (...providers: readonly ProviderName[]): void => {
  beforeAll(() => {
    reconciled = providers;
  });
  afterAll(() => {
    reconciled = PROVIDERS;
  });
};
