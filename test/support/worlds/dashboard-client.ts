import { createKeyHandler } from '#functions/create-key/handler.ts';
import { listAuditLogHandler } from '#functions/list-audit-log/handler.ts';
import { listKeysHandler } from '#functions/list-keys/handler.ts';
import { revokeKeyHandler } from '#functions/revoke-key/handler.ts';
import { rollKeyHandler } from '#functions/roll-key/handler.ts';
import { setKeyWhitelistHandler } from '#functions/set-key-whitelist/handler.ts';
import { listAuditLogContract } from '#shared/contract/dashboard/audit-log.ts';
import {
  createKeyContract,
  listKeysContract,
  revokeKeyContract,
  rollKeyContract,
  setKeyWhitelistContract,
} from '#shared/contract/dashboard/keys.ts';
import type { Contract } from '#shared/contract/kernel/contract.ts';
import type { ApiHandler } from '#shared/http/kernel/types.ts';
import { inRole } from '#test/support/permissions/roles.ts';
import { callAs, type DashboardCall } from './dashboard.ts';
import type { World } from './world.ts';

/** What a session calls for a business that keys cannot, each function held to its role. */
export const dashboardClient = (world: World, cookie: string, businessId: string) => {
  const { deps } = world;
  const of = (name: string, handler: ApiHandler, contract: Contract) => (call: DashboardCall) =>
    callAs(inRole(name, handler), contract, { cookie, businessId, ...call });
  return {
    listKeys: of('list-keys', listKeysHandler(deps), listKeysContract),
    create: of('create-key', createKeyHandler(deps), createKeyContract),
    roll: of('roll-key', rollKeyHandler(deps), rollKeyContract),
    revoke: of('revoke-key', revokeKeyHandler(deps), revokeKeyContract),
    whitelist: of('set-key-whitelist', setKeyWhitelistHandler(deps), setKeyWhitelistContract),
    audit: of('list-audit-log', listAuditLogHandler(deps), listAuditLogContract),
  };
};
