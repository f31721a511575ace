import type { Contract } from '#shared/contract/kernel/contract.ts';
import { result, serialise } from '#shared/http/answer.ts';
import type { ApiMiddleware, Reply } from '#shared/http/types.ts';

/** Nothing leaves that the contract does not name: the handler's reply becomes bytes here. A replayed answer is bytes already. */
export const checkResponse = (contract: Contract): ApiMiddleware => ({
  after: (request) => {
    if (request.response && 'statusCode' in request.response) return;
    request.response = result(serialise(contract, request.response as Reply));
  },
});
