import { PROVIDERS } from '#shared/providers/domain/names.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';

let reconciled: readonly ProviderName[] = PROVIDERS;

/** The providers with which a live world that is made now reconciles. */
export const reconciledNow = (): readonly ProviderName[] => reconciled;

/**
 * Called where scenes are described: live worlds of their tests reconcile with these providers alone. No money is at the others there, and the
 * pages of their empty weeks were most of the work of a scene.
 */
export const reconcileAt = (...providers: readonly ProviderName[]): void => {
  beforeAll(() => {
    reconciled = providers;
  });
  afterAll(() => {
    reconciled = PROVIDERS;
  });
};
