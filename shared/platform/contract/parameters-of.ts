import type { Contract } from './contract.ts';

/** Lists the query parameters that a contract knows. Its schema is an object, or an object with a further step. */
export const listParameters = (query: Contract['query']): readonly string[] => {
  const { in: first, shape } = query.def as { in?: Contract['query']; shape?: object };
  return first ? listParameters(first) : Object.keys(shape ?? {});
};
