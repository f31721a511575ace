import type { Stage } from './connect.ts';

/** Records an operator's change of a business in the audit log. Called before a change of more than one write, so that a crash cannot lose the record. */
export const recordFirst = async (stage: Stage, businessId: string, what: string): Promise<void> => {
  const operator = await stage.operator();
  await stage.businesses.recordChange({ id: stage.newId('log'), businessId, at: stage.now(), who: operator, what });
};
