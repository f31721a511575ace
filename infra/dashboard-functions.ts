import { apiEnv } from '#shared/api/env.ts';
import { publishedEnv } from '#shared/api/env-published.ts';
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
import {
  addPasskeyContract,
  challengePasskeyContract,
  removePasskeyContract,
  startPasskeyContract,
  usePasskeyContract,
} from '#shared/members/contract/passkeys.ts';
import {
  endSessionContract,
  listSessionsContract,
  showMeContract,
  signOutContract,
} from '#shared/members/contract/sessions.ts';
import { finishSignInContract, startSignInContract } from '#shared/members/contract/sign-in.ts';
import { codesEnv, sendMailEnv, sendNoticesEnv, startSignInEnv } from '#shared/members/env.ts';
import type { Contract } from '#shared/platform/contract/contract.ts';
import { tableEnv } from '#shared/platform/env.ts';
import type { FunctionSpec } from './function-spec.ts';
import { FUNCTIONS } from './functions.ts';
import { endpointRights, type FunctionName, TABLE_RIGHTS } from './table-rights.ts';

/*
 * The functions that the dashboard adds to the manifest (functions.ts). They have their own CDK stack, which a stage has if it can send mail.
 * An endpoint that takes API keys and sessions is not listed here: its function is in functions.ts, and has one route for requests with keys and
 * one for requests with sessions (listSessionRoutes).
 */

/** An endpoint that only the dashboard uses. It takes no API key. */
const dashboard = (
  name: FunctionName,
  contract: Contract,
  env: FunctionSpec['env'],
  overrides: Partial<Pick<FunctionSpec, 'queue' | 'memoryMb' | 'timeoutSeconds'>> = {},
): FunctionSpec => ({
  name,
  trigger: { kind: 'endpoint', contract },
  env,
  table: TABLE_RIGHTS[name],
  queue: [],
  memoryMb: 512,
  timeoutSeconds: 15,
  isDashboard: true,
  ...overrides,
});

/** An endpoint with which a session reads or changes a business. */
const businessEndpoint = (name: FunctionName, contract: Contract): FunctionSpec => ({
  ...dashboard(name, contract, apiEnv),
  table: endpointRights(name, contract),
});

export const DASHBOARD_FUNCTIONS: readonly FunctionSpec[] = [
  businessEndpoint('list-keys', listKeysContract),
  businessEndpoint('create-key', createKeyContract),
  businessEndpoint('roll-key', rollKeyContract),
  businessEndpoint('revoke-key', revokeKeyContract),
  businessEndpoint('set-key-whitelist', setKeyWhitelistContract),
  businessEndpoint('get-business', getBusinessContract),
  businessEndpoint('update-business', updateBusinessContract),
  businessEndpoint('list-members', listMembersContract),
  businessEndpoint('invite-member', inviteMemberContract),
  businessEndpoint('change-member', changeMemberContract),
  businessEndpoint('remove-member', removeMemberContract),
  businessEndpoint('reset-member-passkeys', resetMemberPasskeysContract),
  businessEndpoint('choose-mail', chooseMailContract),
  businessEndpoint('list-audit-log', listAuditLogContract),

  {
    name: 'serve-dashboard',
    trigger: { kind: 'route', route: 'GET /dashboard', also: 'GET /dashboard/{proxy+}', throttle: 'pages' },
    env: publishedEnv,
    table: TABLE_RIGHTS['serve-dashboard'],
    queue: [],
    memoryMb: 512,
    timeoutSeconds: 5,
    isDashboard: true,
  },
  dashboard('start-sign-in', startSignInContract, startSignInEnv, { queue: ['SendMessage'] }),
  dashboard('finish-sign-in', finishSignInContract, codesEnv),
  dashboard('show-me', showMeContract, tableEnv),
  dashboard('sign-out', signOutContract, tableEnv),
  dashboard('list-sessions', listSessionsContract, tableEnv),
  dashboard('end-session', endSessionContract, tableEnv),
  dashboard('start-passkey', startPasskeyContract, tableEnv),
  dashboard('add-passkey', addPasskeyContract, tableEnv),
  dashboard('remove-passkey', removePasskeyContract, tableEnv),
  dashboard('challenge-passkey', challengePasskeyContract, tableEnv),
  dashboard('use-passkey', usePasskeyContract, tableEnv),
  {
    name: 'send-mail',
    trigger: { kind: 'mails', batchSize: 10 },
    env: sendMailEnv,
    table: TABLE_RIGHTS['send-mail'],
    queue: [],
    memoryMb: 512,
    timeoutSeconds: 15,
    isDashboard: true,
  },
  {
    name: 'send-notices',
    trigger: { kind: 'schedule', everySeconds: 60 },
    env: sendNoticesEnv,
    table: TABLE_RIGHTS['send-notices'],
    queue: [],
    memoryMb: 512,
    timeoutSeconds: 55,
    isDashboard: true,
  },
];

/** Every function of the service and of its dashboard. */
export const ALL_FUNCTIONS: readonly FunctionSpec[] = [...FUNCTIONS, ...DASHBOARD_FUNCTIONS];
