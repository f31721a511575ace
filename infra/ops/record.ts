import type { Stage } from './connect.ts';

/** Records an operator's change of a business in the audit log, before a change that is more than one write. */
export const recordFirst = async (stage: Stage, businessId: string, what: string): Promise<void> => {
  const operator = await stage.operator();
  await stage.businesses.recordChange({ id: stage.newId('log'), businessId, at: stage.now(), who: operator, what });
};
