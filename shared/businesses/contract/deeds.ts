/*
 * Describes what members can do, by endpoint. The words follow the name of a member: “ada@… started a checkout”, “ada@… asked to start a
 * checkout”.
 */

interface Deed {
  /** The words after “asked to”. */
  readonly ask: string;
  /** The words after the name. Absent if the use case writes the entry of a request that succeeded, in its own words. */
  readonly done?: string;
}

/** Deeds by endpoint, in the order in which the dashboard offers them. */
export const DEEDS: Readonly<Record<string, Deed>> = {
  'POST /v1/keys': { ask: 'create a key' },
  'PATCH /v1/keys/{id}': { ask: 'name a key, or set its whitelist' },
  'POST /v1/keys/{id}/roll': { ask: 'roll a key' },
  'POST /v1/keys/{id}/revoke': { ask: 'revoke a key' },
  'POST /v1/webhook-endpoints': { ask: 'create a webhook endpoint' },
  'PATCH /v1/webhook-endpoints/{id}': { ask: 'change a webhook endpoint' },
  'POST /v1/webhook-endpoints/{id}/rotate-secret': { ask: 'rotate the secret of a webhook endpoint' },
  'DELETE /v1/webhook-endpoints/{id}': { ask: 'delete a webhook endpoint' },
  'POST /v1/webhook-endpoints/{id}/test': {
    ask: 'send a test to a webhook endpoint',
    done: 'sent a test to a webhook endpoint',
  },
  'POST /v1/webhook-endpoints/{id}/recover': {
    ask: 'send missed events to a webhook endpoint',
    done: 'sent missed events to a webhook endpoint',
  },
  'POST /v1/events/{id}/redeliver': { ask: 'send an event again', done: 'sent an event again' },
  'POST /v1/checkout/initialize': { ask: 'start a checkout', done: 'started a checkout' },
  'POST /v1/checkouts/{reference}/expire': { ask: 'expire a checkout', done: 'expired a checkout' },
  'POST /v1/checkouts/{reference}/requery': {
    ask: 'ask the provider about a checkout',
    done: 'asked the provider about a checkout',
  },
  'POST /v1/checkouts/{reference}/another-account': {
    ask: 'open another account for a checkout',
    done: 'opened another account for a checkout',
  },
  'POST /v1/checkout/sandbox/simulate': { ask: 'simulate a payment', done: 'simulated a payment' },
  'POST /v1/virtual-accounts': { ask: 'open a virtual account', done: 'opened a virtual account' },
  'DELETE /v1/virtual-accounts/{id}': { ask: 'deactivate a virtual account', done: 'deactivated a virtual account' },
  'POST /v1/virtual-accounts/{id}/sandbox/simulate': { ask: 'simulate a transfer', done: 'simulated a transfer' },
  'PATCH /v1/business': { ask: 'change the profile of the business' },
  'PATCH /v1/mail': { ask: 'choose the mails that owners get' },
  'POST /v1/members': { ask: 'invite a member' },
  'PATCH /v1/members/{id}': { ask: 'change the role of a member' },
  'DELETE /v1/members/{id}': { ask: 'remove a member' },
  'POST /v1/members/{id}/reset-passkeys': { ask: 'reset the passkeys of a member' },
  'POST /passkeys': { ask: 'add a passkey' },
  'DELETE /passkeys/{id}': { ask: 'remove a passkey' },
};

/** The outcome of a member's request; `unknown` if the request failed on our side, or died. */
export type Outcome = 'done' | 'refused' | 'unknown';

/**
 * Writes the words of an audit log entry that follow the name of a member. `details`: fields of the request, shown in brackets. `why`: the
 * message of the error.
 */
export const describeDeed = (
  action: string,
  outcome: Outcome,
  { details = [], why = '' }: { readonly details?: readonly string[]; readonly why?: string } = {},
): string => {
  const { ask, done = `asked to ${ask}` } = DEEDS[action] ?? { ask: action };
  const about = details.length === 0 ? '' : ` (${details.join(', ')})`;
  if (outcome === 'done') return `${done}${about}`;
  return outcome === 'refused' ? `asked to ${ask}${about} and was refused: ${why}` : `asked to ${ask}${about}`;
};
