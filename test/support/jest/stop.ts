import { stopEmulators } from '#test/support/emulators/start-emulators.ts';
import { listUncheckedTypes } from './coordinator.ts';

/**
 * Jest's global tear-down.
 * @throws Error when all tests have run and a type of webhook was never compared with the contract.
 */
export default async (): Promise<void> => {
  await stopEmulators();
  const unchecked = listUncheckedTypes();
  if (unchecked.length > 0) throw new Error(`No test brought about a webhook of type ${unchecked.join(', ')}.`);
};
