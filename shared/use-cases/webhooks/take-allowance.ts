import { type ByHand, beyondAllowance } from '#shared/domain/webhooks/allowance.ts';
import type { Runtime } from '#shared/ports/kernel.ts';
import type { AllowanceStore } from '#shared/ports/webhooks.ts';

export interface AllowanceDeps extends Pick<Runtime, 'now'> {
  readonly allowances: AllowanceStore;
}

/**
 * Takes one from the allowance of each endpoint, before anything is written or sent. Where one has none left nothing may be sent at
 * all; what the others gave stays taken until their minute is over. @throws the refusal rate_limited.
 */
export const takeAllowance = async (
  { allowances, now }: AllowanceDeps,
  kind: ByHand,
  endpointIds: readonly string[],
): Promise<void> => {
  const at = now();
  const taken = await Promise.all(endpointIds.map((id) => allowances.take(id, kind, at)));
  const without = endpointIds.filter((_, i) => !taken[i]);
  if (without.length > 0) throw beyondAllowance(kind, without, at);
};
