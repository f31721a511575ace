import type { Contract } from './contract.ts';

/** The names of the query parameters that a contract knows. Its schema is an object, or one with a step behind it. */
export const listParameters = (query: Contract['query']): readonly string[] => {
  const { in: first, shape } = query.def as { in?: Contract['query']; shape?: object };
  return first ? listParameters(first) : Object.keys(shape ?? {});
};
