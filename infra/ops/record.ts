import type { Stage } from './connect.ts';

/** Writes into the audit log what the operator is about to do to a business: before it is done, where it is not one write. */
export const recordFirst = async (stage: Stage, businessId: string, what: string): Promise<void> => {
  const operator = await stage.operator();
  await stage.businesses.recordChange({ id: stage.newId('log'), businessId, at: stage.now(), who: operator, what });
};
