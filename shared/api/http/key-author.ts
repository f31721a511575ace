import type { KeyAuthor } from '#shared/businesses/domain/member-change.ts';
import type { Contract } from '#shared/platform/contract/contract.ts';
import type { Caller } from '#shared/platform/kernel/tenant.ts';
import type { ApiEvent } from './types.ts';

/** Names an endpoint for the audit log, such as `POST /v1/keys`. */
export const formatAction = ({ method, path }: Contract): string =>
  `${method} ${path.replace(/^\/api(\/dashboard)?/, '')}`;

/** Finds the live key that calls; undefined for a member, and for a test key, because owners get no mail about changes that a test key makes. */
export const findKeyAuthor = (contract: Contract, event: ApiEvent, { actor, mode }: Caller): KeyAuthor | undefined =>
  actor.kind === 'key' && mode === 'live'
    ? { keyId: actor.id, mode, address: event.requestContext.http.sourceIp, action: formatAction(contract) }
    : undefined;
