import { changeMemberHandler } from '#functions/change-member/handler.ts';
import { chooseMailHandler } from '#functions/choose-mail/handler.ts';
import { createKeyHandler } from '#functions/create-key/handler.ts';
import { createVirtualAccountsHandler } from '#functions/create-virtual-accounts/handler.ts';
import { createWebhookEndpointHandler } from '#functions/create-webhook-endpoint/handler.ts';
import { deleteWebhookEndpointHandler } from '#functions/delete-webhook-endpoint/handler.ts';
import { getBusinessHandler } from '#functions/get-business/handler.ts';
import { initializeCheckoutHandler } from '#functions/initialize-checkout/handler.ts';
import { inviteMemberHandler } from '#functions/invite-member/handler.ts';
import { listAuditLogHandler } from '#functions/list-audit-log/handler.ts';
import { listKeysHandler } from '#functions/list-keys/handler.ts';
import { listMembersHandler } from '#functions/list-members/handler.ts';
import { recoverWebhookEndpointHandler } from '#functions/recover-webhook-endpoint/handler.ts';
import { removeMemberHandler } from '#functions/remove-member/handler.ts';
import { resetMemberPasskeysHandler } from '#functions/reset-member-passkeys/handler.ts';
import { revokeKeyHandler } from '#functions/revoke-key/handler.ts';
import { rollKeyHandler } from '#functions/roll-key/handler.ts';
import { rotateWebhookSecretHandler } from '#functions/rotate-webhook-secret/handler.ts';
import { setKeyWhitelistHandler } from '#functions/set-key-whitelist/handler.ts';
import { updateBusinessHandler } from '#functions/update-business/handler.ts';
import { updateWebhookEndpointHandler } from '#functions/update-webhook-endpoint/handler.ts';
import type { ApiHandler } from '#shared/api/http/types.ts';
import { listAuditLogContract } from '#shared/businesses/contract/audit-log.ts';
import { getBusinessContract, updateBusinessContract } from '#shared/businesses/contract/business.ts';
import {
  createKeyContract,
  listKeysContract,
  revokeKeyContract,
  rollKeyContract,
  setKeyWhitelistContract,
} from '#shared/businesses/contract/keys.ts';
import { chooseMailContract } from '#shared/businesses/contract/mail.ts';
import {
  changeMemberContract,
  inviteMemberContract,
  listMembersContract,
  removeMemberContract,
  resetMemberPasskeysContract,
} from '#shared/businesses/contract/members.ts';
import { initializeCheckoutContract } from '#shared/checkouts/contract/initialize-checkout.ts';
import type { Contract } from '#shared/platform/contract/contract.ts';
import { createVirtualAccountsContract } from '#shared/virtual-accounts/contract/create-virtual-accounts.ts';
import { createWebhookEndpointContract } from '#shared/webhooks/contract/create-webhook-endpoint.ts';
import { deleteWebhookEndpointContract } from '#shared/webhooks/contract/delete-webhook-endpoint.ts';
import { recoverWebhookEndpointContract } from '#shared/webhooks/contract/recover-webhook-endpoint.ts';
import { rotateWebhookSecretContract } from '#shared/webhooks/contract/rotate-webhook-secret.ts';
import { updateWebhookEndpointContract } from '#shared/webhooks/contract/update-webhook-endpoint.ts';
import { inRole } from '#test/support/permissions/roles.ts';
import { callAs, type DashboardCall, makeMembersDeps } from './dashboard.ts';
import type { World } from './world.ts';

/** Returns the calls of a session that keys cannot make, each restricted to its function's role. */
export const createDashboardClient = (world: World, cookie: string, businessId: string) => {
  const { deps } = makeMembersDeps(world);
  const makeCall = (name: string, handler: ApiHandler, contract: Contract) => (call: DashboardCall) =>
    callAs(inRole(name, handler), contract, { cookie, businessId, ...call });
  return {
    listKeys: makeCall('list-keys', listKeysHandler(deps), listKeysContract),
    create: makeCall('create-key', createKeyHandler(deps), createKeyContract),
    roll: makeCall('roll-key', rollKeyHandler(deps), rollKeyContract),
    revoke: makeCall('revoke-key', revokeKeyHandler(deps), revokeKeyContract),
    whitelist: makeCall('set-key-whitelist', setKeyWhitelistHandler(deps), setKeyWhitelistContract),
    business: makeCall('get-business', getBusinessHandler(deps), getBusinessContract),
    setBusiness: makeCall('update-business', updateBusinessHandler(deps), updateBusinessContract),
    members: makeCall('list-members', listMembersHandler(deps), listMembersContract),
    invite: makeCall('invite-member', inviteMemberHandler(deps), inviteMemberContract),
    changeRole: makeCall('change-member', changeMemberHandler(deps), changeMemberContract),
    remove: makeCall('remove-member', removeMemberHandler(deps), removeMemberContract),
    resetPasskeys: makeCall('reset-member-passkeys', resetMemberPasskeysHandler(deps), resetMemberPasskeysContract),
    chooseMail: makeCall('choose-mail', chooseMailHandler(deps), chooseMailContract),
    createEndpoint: makeCall(
      'create-webhook-endpoint',
      createWebhookEndpointHandler(deps),
      createWebhookEndpointContract,
    ),
    updateEndpoint: makeCall(
      'update-webhook-endpoint',
      updateWebhookEndpointHandler(deps),
      updateWebhookEndpointContract,
    ),
    rotateSecret: makeCall('rotate-webhook-secret', rotateWebhookSecretHandler(deps), rotateWebhookSecretContract),
    deleteEndpoint: makeCall(
      'delete-webhook-endpoint',
      deleteWebhookEndpointHandler(deps),
      deleteWebhookEndpointContract,
    ),
    initialize: makeCall('initialize-checkout', initializeCheckoutHandler(deps), initializeCheckoutContract),
    createAccounts: makeCall(
      'create-virtual-accounts',
      createVirtualAccountsHandler(deps),
      createVirtualAccountsContract,
    ),
    recover: makeCall('recover-webhook-endpoint', recoverWebhookEndpointHandler(deps), recoverWebhookEndpointContract),
    audit: makeCall('list-audit-log', listAuditLogHandler(deps), listAuditLogContract),
  };
};
