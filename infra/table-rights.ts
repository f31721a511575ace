import type { Contract } from '#shared/platform/contract/contract.ts';
import type { Gsi1Family, Gsi2Family, Gsi3Family, TableFamily } from '#shared/platform/table/families.ts';

/** The actions of a function on the table, with their key families. A query of an index names the index. */
export type TableRights = {
  readonly [Action in
    | 'GetItem'
    | 'BatchGetItem'
    | 'Query'
    | 'PutItem'
    | 'UpdateItem'
    | 'DeleteItem'
    | 'ConditionCheckItem']?: readonly TableFamily[];
} & {
  readonly 'Query gsi1'?: readonly Gsi1Family[];
  readonly 'Query gsi2'?: readonly Gsi2Family[];
  readonly 'Query gsi3'?: readonly Gsi3Family[];
};
/** An action on the table, or on one of its indexes. */
export type TableAction = keyof TableRights;

/**
 * The rights of each function of the manifest: exactly what the function does, without the rights of every endpoint (`withCommonRights`).
 * `test/long/permissions.test.ts` records the actions and fails if they differ. With UPDATE_RIGHTS=yes the test writes the rights here; review
 * the diff.
 */
export const TABLE_RIGHTS = {
  'create-virtual-accounts': {
    GetItem: ['IDEM#*', 'PROV#*', 'VA#*'],
    BatchGetItem: ['PAY#live#*'],
    'Query gsi1': ['UNMATCHED'],
    PutItem: ['ACCT#live#*', 'ACCT#test#*', 'CUST#*', 'IDEM#*', 'PAY#live#*', 'PROV#*', 'VA#*'],
    UpdateItem: ['HEALTH#*', 'USED#creations#*'],
    DeleteItem: ['CUST#*', 'IDEM#*', 'VA#*'],
  },
  'list-virtual-accounts': {
    BatchGetItem: ['VA#*'],
    Query: ['ACCT#live#*', 'ACCT#test#*', 'CUST#*'],
    'Query gsi1': ['BIZ#*#VA'],
  },
  'get-virtual-account': { GetItem: ['VA#*'] },
  'list-virtual-account-payments': {
    GetItem: ['VA#*'],
    BatchGetItem: ['PAY#live#*', 'PAY#test#*'],
    'Query gsi1': ['OWNER#*'],
  },
  'delete-virtual-account': {
    GetItem: ['PROV#*'],
    BatchGetItem: ['BIZ#*', 'VA#*'],
    PutItem: ['PROV#*', 'VA#*'],
    UpdateItem: ['USED#closings#*'],
  },
  'post-delete-virtual-account': {
    GetItem: ['IDEM#*', 'PROV#*'],
    BatchGetItem: ['BIZ#*', 'VA#*'],
    PutItem: ['IDEM#*', 'PROV#*', 'VA#*'],
    UpdateItem: ['USED#closings#*'],
  },
  'simulate-virtual-account-payment': {
    GetItem: ['IDEM#*'],
    BatchGetItem: ['BIZ#*', 'PAY#test#*', 'VA#*'],
    'Query gsi1': ['OWNER#*'],
    PutItem: ['EVT#*', 'IDEM#*', 'PAY#test#*', 'TOT#*'],
  },
  'initialize-checkout': {
    GetItem: ['CHK#*', 'IDEM#*', 'PROV#*'],
    BatchGetItem: ['HEALTH#*', 'PAY#live#*'],
    'Query gsi1': ['UNMATCHED'],
    PutItem: ['ACCT#live#*', 'ACCT#test#*', 'CHK#*', 'IDEM#*', 'MREF#*', 'PAY#live#*', 'PROV#*'],
    UpdateItem: ['HEALTH#*', 'USED#creations#*'],
    DeleteItem: ['CHK#*', 'IDEM#*', 'MREF#*'],
    ConditionCheckItem: ['CHK#*'],
  },
  'verify-checkout': { GetItem: ['CHK#*'] },
  'list-checkouts': {
    BatchGetItem: ['CHK#*'],
    Query: ['ACCT#live#*', 'ACCT#test#*', 'MREF#*'],
    'Query gsi1': ['BIZ#*#CHK', 'PAYER#*'],
    UpdateItem: ['HAND#biz_*'],
  },
  'expire-checkout': {
    GetItem: ['CHK#*', 'IDEM#*', 'PREF#live#*', 'PROV#*'],
    BatchGetItem: ['BIZ#*', 'CHK#*', 'PAY#live#*', 'PREF#live#*', 'VA#*'],
    PutItem: ['CHK#*', 'EVT#*', 'IDEM#*', 'PAY#live#*', 'PROV#*'],
    UpdateItem: ['USED#expiries#*'],
    DeleteItem: ['PAY#live#*'],
  },
  'requery-checkout': {
    GetItem: ['CHK#*', 'PREF#live#*', 'PROV#*'],
    BatchGetItem: ['BIZ#*', 'CHK#*', 'PAY#live#*', 'PREF#live#*', 'VA#*'],
    PutItem: ['CHK#*', 'EVT#*', 'PAY#live#*', 'PROV#*', 'TOT#*'],
    UpdateItem: ['LEASE#requery#*', 'USED#requeries#*'],
    DeleteItem: ['PAY#live#*'],
  },
  'open-another-account': {
    GetItem: ['IDEM#*', 'PROV#*'],
    BatchGetItem: ['BIZ#*', 'CHK#*', 'HEALTH#*'],
    PutItem: ['ACCT#live#*', 'ACCT#test#*', 'CHK#*', 'IDEM#*', 'PROV#*'],
    UpdateItem: ['HEALTH#*', 'USED#creations#*'],
  },
  'simulate-checkout-payment': {
    GetItem: ['IDEM#*'],
    BatchGetItem: ['BIZ#*', 'CHK#*', 'PAY#test#*'],
    PutItem: ['CHK#*', 'EVT#*', 'IDEM#*', 'PAY#test#*', 'TOT#*'],
  },
  'list-payments': {
    BatchGetItem: ['CHK#*', 'PAY#live#*', 'PAY#test#*', 'VA#*'],
    Query: ['CUST#*'],
    'Query gsi1': ['OWNER#*', 'PAYER#*'],
    'Query gsi3': ['BIZ#*#PAY'],
    UpdateItem: ['HAND#biz_*'],
  },
  'get-payment': { GetItem: ['PAY#live#*', 'PAY#test#*'], 'Query gsi3': ['BIZ#*#PAY'] },
  'export-payments': {
    BatchGetItem: ['CHK#*', 'PAY#live#*', 'PAY#test#*', 'VA#*'],
    Query: ['CUST#*'],
    'Query gsi1': ['OWNER#*', 'PAYER#*'],
    'Query gsi3': ['BIZ#*#PAY'],
    UpdateItem: ['HAND#biz_*'],
  },
  'get-totals': { Query: ['TOT#*'], 'Query gsi3': ['BIZ#*#PAY'], PutItem: ['TOT#*'], UpdateItem: ['HAND#biz_*'] },
  'list-providers': { BatchGetItem: ['HEALTH#*'] },
  'create-webhook-endpoint': { PutItem: ['ALOG#*', 'BIZ#*', 'MAIL#*', 'WHE#*'], UpdateItem: ['HAND#biz_*'] },
  'list-webhook-endpoints': { BatchGetItem: ['WHE#*'] },
  'get-webhook-endpoint': { BatchGetItem: ['WHE#*'], 'Query gsi1': ['WHE#*#PARKED'] },
  'update-webhook-endpoint': {
    GetItem: ['WHE#*'],
    BatchGetItem: ['WHE#*'],
    'Query gsi1': ['WHE#*#PARKED'],
    PutItem: ['ALOG#*', 'BIZ#*', 'EVT#*', 'MAIL#*', 'WHE#*'],
    UpdateItem: ['HAND#biz_*'],
  },
  'delete-webhook-endpoint': {
    BatchGetItem: ['WHE#*'],
    PutItem: ['ALOG#*', 'BIZ#*', 'MAIL#*'],
    UpdateItem: ['HAND#biz_*'],
    DeleteItem: ['WHE#*'],
  },
  'rotate-webhook-secret': {
    BatchGetItem: ['WHE#*'],
    PutItem: ['ALOG#*', 'BIZ#*', 'MAIL#*', 'WHE#*'],
    UpdateItem: ['HAND#biz_*'],
  },
  'test-webhook-endpoint': { GetItem: ['IDEM#*', 'WHE#*'], PutItem: ['EVT#*', 'IDEM#*'], UpdateItem: ['HAND#whe_*'] },
  'recover-webhook-endpoint': {
    GetItem: ['IDEM#*', 'WHE#*'],
    BatchGetItem: ['EVT#*'],
    'Query gsi1': ['WHE#*#EXHAUSTED', 'WHE#*#PARKED'],
    PutItem: ['IDEM#*', 'WHE#*'],
    UpdateItem: ['EVT#*', 'HAND#whe_*', 'LEASE#recovery#*'],
  },
  'list-webhook-endpoint-deliveries': {
    GetItem: ['WHE#*'],
    BatchGetItem: ['EVT#*'],
    'Query gsi1': ['WHE#*#EXHAUSTED', 'WHE#*#PARKED'],
  },
  'list-events': { BatchGetItem: ['EVT#*'], 'Query gsi1': ['BIZ#*#EVT'], UpdateItem: ['HAND#biz_*'] },
  'get-event': { Query: ['EVT#*'] },
  'redeliver-event': {
    GetItem: ['IDEM#*'],
    BatchGetItem: ['EVT#*'],
    PutItem: ['EVT#*', 'IDEM#*'],
    UpdateItem: ['EVT#*', 'HAND#whe_*'],
  },
  'list-keys': { BatchGetItem: ['KEY#*', 'LAST#*'] },
  'create-key': {
    BatchGetItem: ['KEY#*'],
    PutItem: ['ALOG#*', 'BIZ#*', 'KEY#*', 'MAIL#*'],
    UpdateItem: ['HAND#biz_*'],
  },
  'roll-key': { BatchGetItem: ['KEY#*'], PutItem: ['ALOG#*', 'BIZ#*', 'KEY#*', 'MAIL#*'], UpdateItem: ['HAND#biz_*'] },
  'revoke-key': {
    BatchGetItem: ['KEY#*', 'LAST#*'],
    PutItem: ['ALOG#*', 'BIZ#*', 'KEY#*', 'MAIL#*'],
    UpdateItem: ['HAND#biz_*'],
  },
  'set-key-whitelist': {
    BatchGetItem: ['KEY#*', 'LAST#*'],
    PutItem: ['ALOG#*', 'BIZ#*', 'KEY#*', 'MAIL#*'],
    UpdateItem: ['HAND#biz_*'],
  },
  'get-business': {},
  'update-business': {
    BatchGetItem: ['KEY#*'],
    PutItem: ['ALOG#*', 'BIZ#*', 'LOGO#*', 'MAIL#*'],
    UpdateItem: ['HAND#biz_*', 'KEY#*'],
    DeleteItem: ['LOGO#*'],
  },
  'list-members': {},
  'invite-member': { PutItem: ['ALOG#*', 'BIZ#*', 'MAIL#*', 'USR#*'], UpdateItem: ['HAND#biz_*', 'SIGN#*'] },
  'change-member': { PutItem: ['ALOG#*', 'BIZ#*', 'MAIL#*'], UpdateItem: ['HAND#biz_*', 'SIGN#*'] },
  'remove-member': { PutItem: ['ALOG#*', 'BIZ#*', 'MAIL#*', 'USR#*'], UpdateItem: ['HAND#biz_*'] },
  'reset-member-passkeys': {
    BatchGetItem: ['SES#*'],
    'Query gsi1': ['USR#*#SES'],
    PutItem: ['ALOG#*', 'BIZ#*', 'MAIL#*', 'USR#*'],
    UpdateItem: ['HAND#biz_*', 'SIGN#*'],
    DeleteItem: ['SES#*'],
  },
  'choose-mail': { PutItem: ['ALOG#*', 'BIZ#*', 'DAILY#*'] },
  'list-audit-log': {
    BatchGetItem: ['ALOG#*', 'ASK#*'],
    Query: ['ALOG#*', 'ASK#*'],
    PutItem: ['ALOG#*'],
    DeleteItem: ['ASK#*'],
  },
  'serve-dashboard': {},
  'start-sign-in': { PutItem: ['SGN#*'], UpdateItem: ['SIGN#*'] },
  'finish-sign-in': {
    GetItem: ['SES#*', 'USR#*'],
    BatchGetItem: ['BIZ#*'],
    PutItem: ['SES#*'],
    UpdateItem: ['SGN#*'],
    DeleteItem: ['SES#*', 'SGN#*'],
  },
  'show-me': { GetItem: ['SES#*', 'USR#*'], BatchGetItem: ['BIZ#*'], UpdateItem: ['SES#*'] },
  'sign-out': { GetItem: ['SES#*'], DeleteItem: ['SES#*'] },
  'list-sessions': { GetItem: ['SES#*'], BatchGetItem: ['SES#*'], 'Query gsi1': ['USR#*#SES'] },
  'end-session': { GetItem: ['SES#*'], BatchGetItem: ['SES#*'], 'Query gsi1': ['USR#*#SES'], DeleteItem: ['SES#*'] },
  'start-passkey': { GetItem: ['SES#*', 'USR#*'], PutItem: ['CHAL#*'], UpdateItem: ['SIGN#*'] },
  'add-passkey': { GetItem: ['SES#*', 'USR#*'], PutItem: ['ALOG#*', 'MAIL#*', 'USR#*'], UpdateItem: ['CHAL#*'] },
  'remove-passkey': {
    GetItem: ['SES#*', 'USR#*'],
    BatchGetItem: ['SES#*'],
    'Query gsi1': ['USR#*#SES'],
    PutItem: ['ALOG#*', 'MAIL#*', 'USR#*'],
    UpdateItem: ['SES#*'],
    DeleteItem: ['SES#*'],
  },
  'challenge-passkey': { GetItem: ['SES#*'], PutItem: ['CHAL#*'], UpdateItem: ['SIGN#*'] },
  'use-passkey': {
    GetItem: ['SES#*', 'USR#*'],
    BatchGetItem: ['BIZ#*'],
    PutItem: ['SES#*', 'USR#*'],
    UpdateItem: ['CHAL#*'],
    DeleteItem: ['SES#*'],
  },
  'send-mail': { GetItem: ['USR#*'] },
  'send-notices': {
    GetItem: ['USR#*'],
    BatchGetItem: ['BIZ#*'],
    Query: ['TOT#*'],
    'Query gsi2': ['DUE#notices#*', 'DUE#summaries#*'],
    'Query gsi3': ['BIZ#*#PAY'],
    PutItem: ['DAILY#*', 'MAIL#*', 'TOT#*'],
    UpdateItem: ['DAILY#*', 'MAIL#*'],
    DeleteItem: ['DAILY#*', 'MAIL#*'],
  },
  'receive-notification': { PutItem: ['NTF#*'] },
  'do-money-work': {
    GetItem: ['CHK#*', 'NTF#*', 'PAY#live#*', 'PREF#live#*', 'PROV#*', 'RECON#*', 'SENT#*', 'VA#*'],
    BatchGetItem: ['ACCT#live#*', 'BIZ#*', 'CHK#*', 'NTF#*', 'PAY#live#*', 'PREF#live#*', 'VA#*'],
    Query: ['RECON#*'],
    'Query gsi1': ['UNMATCHED'],
    PutItem: [
      'ACCT#live#*',
      'ACCT#test#*',
      'CHK#*',
      'EVT#*',
      'MREF#*',
      'NTF#*',
      'PAY#live#*',
      'PROV#*',
      'RECON#*',
      'TOT#*',
      'VA#*',
    ],
    UpdateItem: ['CHK#*', 'HEALTH#*', 'NTF#*', 'PAY#live#*', 'RECON#*', 'SENT#*', 'VA#*'],
    DeleteItem: ['CHK#*', 'CUST#*', 'MREF#*', 'PAY#live#*', 'SENT#*', 'VA#*'],
  },
  'show-checkout': { GetItem: ['BIZ#*', 'CHK#*'], BatchGetItem: ['HEALTH#*'] },
  'show-checkout-status': { GetItem: ['BIZ#*', 'CHK#*'], BatchGetItem: ['HEALTH#*'] },
  'report-transfer': {
    GetItem: ['BIZ#*', 'CHK#*', 'PREF#live#*', 'PROV#*'],
    BatchGetItem: ['BIZ#*', 'CHK#*', 'HEALTH#*', 'PAY#live#*', 'PREF#live#*', 'VA#*'],
    PutItem: ['CHK#*', 'EVT#*', 'PAY#live#*', 'PROV#*', 'SENT#*', 'TOT#*'],
    UpdateItem: ['LEASE#requery#*', 'USED#page#*', 'USED#payer_reports#*'],
    DeleteItem: ['PAY#live#*'],
  },
  'open-another-account-on-page': {
    GetItem: ['BIZ#*', 'CHK#*', 'PROV#*'],
    BatchGetItem: ['BIZ#*', 'CHK#*', 'HEALTH#*'],
    PutItem: ['ACCT#live#*', 'ACCT#test#*', 'CHK#*', 'PROV#*'],
    UpdateItem: ['HEALTH#*', 'USED#creations#*'],
  },
  'simulate-on-page': {
    GetItem: ['BIZ#*', 'CHK#*'],
    BatchGetItem: ['BIZ#*', 'CHK#*'],
    PutItem: ['CHK#*', 'EVT#*', 'PAY#test#*'],
    UpdateItem: ['HAND#biz_*', 'USED#page#*'],
  },
  'serve-logo': { GetItem: ['LOGO#*'] },
  'serve-widget': {},
  'check-health': {},
  'serve-openapi': {},
  'serve-openapi-yaml': {},
  'serve-postman-collection': {},
  'serve-llms-txt': {},
  'serve-docs': {},
  'not-found': {},
  'deliver-webhooks': {
    GetItem: ['BIZ#*', 'WHE#*'],
    BatchGetItem: ['EVT#*', 'WHE#*'],
    'Query gsi1': ['WHE#*#PARKED'],
    PutItem: ['BIZ#*', 'EVT#*', 'MAIL#*', 'WHE#*'],
    UpdateItem: ['EVT#*'],
  },
  'sweep-deliveries': {
    GetItem: ['EVT#*', 'WHE#*'],
    BatchGetItem: ['EVT#*'],
    'Query gsi1': ['WHE#*#PARKED'],
    'Query gsi2': ['DUE#deliveries#*', 'DUE#test_deliveries#*'],
    PutItem: ['MAIL#*', 'WHE#*'],
    UpdateItem: ['EVT#*'],
  },
  'sweep-payments': {
    BatchGetItem: ['CHK#*', 'VA#*'],
    Query: ['HEALTH#*', 'RECON#*'],
    'Query gsi1': ['STUCK'],
    'Query gsi2': ['DUE#payments#*', 'DUE#reviews#*', 'DUE#test_payments#*'],
    PutItem: ['HEALTH#*', 'RECON#*'],
    UpdateItem: ['CHK#*', 'NTF#*', 'PAY#live#*', 'RECON#*', 'SENT#*', 'VA#*'],
    DeleteItem: ['RECON#*'],
  },
} satisfies Readonly<Record<string, TableRights>>;
/** The name of a function: its folder under `functions/`. */
export type FunctionName = keyof typeof TABLE_RIGHTS;

/**
 * Adds the rights that every endpoint needs to `rights`:
 * - It reads the key, or the session and its business. Before a session changes something, the user's passkeys may be read too.
 * - It adds its requests to the count for the rate limit, and writes the time at which the key was last used. Both are updates.
 * - If a session asks for a change, and the use case does not record it itself (`isRecorded`), the middleware chain records the request in
 *   the audit log before the work. This write fails if the business has changed meanwhile. After the work it records the outcome. Refused
 *   requests are recorded too, up to a limit, which is counted in an update.
 */
export const withCommonRights = (rights: TableRights, { keys, session, method, isRecorded }: Contract): TableRights => {
  const recordsRequest = session !== undefined && method !== 'GET' && !isRecorded;
  return {
    ...rights,
    ...(recordsRequest && {
      PutItem: ['ALOG#*', 'ASK#*', ...(rights.PutItem ?? [])],
      DeleteItem: ['ASK#*', ...(rights.DeleteItem ?? [])],
      ConditionCheckItem: ['BIZ#*', ...(rights.ConditionCheckItem ?? [])],
    }),
    GetItem: [
      ...new Set<TableFamily>([
        ...(keys.length > 0 ? (['KEY#*'] as const) : []),
        ...(session ? (['SES#*', 'BIZ#*'] as const) : []),
        ...(session && method !== 'GET' ? (['USR#*'] as const) : []),
        ...(rights.GetItem ?? []),
      ]),
    ],
    UpdateItem: [
      ...new Set<TableFamily>([
        'RATE#*',
        ...(keys.length > 0 ? (['LAST#*'] as const) : []),
        ...(recordsRequest ? (['HAND#biz_*'] as const) : []),
        ...(rights.UpdateItem ?? []),
      ]),
    ],
  };
};

/** Returns all rights of an endpoint. */
export const endpointRights = (name: FunctionName, contract: Contract): TableRights =>
  withCommonRights(TABLE_RIGHTS[name], contract);

/** Lists the table actions of a function, each with its key families. */
export const listRights = ({ table }: { readonly table: TableRights }): [TableAction, readonly string[]][] =>
  Object.entries(table) as [TableAction, readonly string[]][];
