import { type AllowanceKind, beyondAllowance } from '#shared/businesses/domain/allowance.ts';
import type { AllowanceStore } from '#shared/businesses/ports.ts';
import type { Runtime } from '#shared/platform/ports.ts';

export interface AllowanceDeps extends Pick<Runtime, 'now'> {
  readonly allowances: AllowanceStore;
}

/**
 * Takes one, or `count`, from the allowance of each endpoint, or of the business, before anything is looked up, written or sent. Where one has none left nothing may be sent at
 * all; what the others gave stays taken until their minute is over. @throws the refusal rate_limited.
 */
export const takeAllowance = async (
  { allowances, now }: AllowanceDeps,
  kind: AllowanceKind,
  ids: readonly string[],
  count = 1,
): Promise<void> => {
  const at = now();
  const taken = await Promise.all(ids.map((id) => allowances.take(id, kind, at, count)));
  const without = ids.filter((_, i) => !taken[i]);
  if (without.length > 0) throw beyondAllowance(kind, without, at);
};
