import type { Contract } from '#shared/contract/kernel/contract.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import type { Mode } from '#shared/domain/kernel/mode.ts';
import type { ApiMiddleware } from '#shared/http/kernel/types.ts';

/** @throws the refusal simulation_requires_test_key. */
export const ensureMode = (contract: Contract, mode: Mode): void => {
  if (contract.testOnly && mode !== 'test') throw new Refusal('simulation_requires_test_key');
};

/** Simulation endpoints take test keys only (service-description.md section 7). */
export const checkMode = (contract: Contract): ApiMiddleware => ({
  before: ({ context }) => {
    if (context.api.caller) ensureMode(contract, context.api.caller.mode);
  },
});
