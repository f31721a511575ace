import type { Contract } from '#shared/contract/kernel/contract.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import type { ApiMiddleware } from '#shared/http/kernel/types.ts';

/** Simulation endpoints take test keys only (service-description.md section 7). */
export const checkMode = (contract: Contract): ApiMiddleware => ({
  before: ({ context }) => {
    if (contract.testOnly && context.api.caller?.mode !== 'test') throw new Refusal('simulation_requires_test_key');
  },
});
