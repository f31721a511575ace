import type { Contract } from './contract.ts';

/** Lists the names that the query or the body of a contract knows. The schema is an object, or a pipe that begins with one. */
export const listParameters = (query: Contract['query']): readonly string[] => {
  const { in: first, shape } = query.def as { in?: Contract['query']; shape?: object };
  return first ? listParameters(first) : Object.keys(shape ?? {});
};
