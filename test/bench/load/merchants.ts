import { readStackFile } from '#infra/local/data/stack-file.ts';
import { businessStore } from '#shared/adapters/dynamodb/businesses/business-store.ts';
import { runtime } from '#shared/adapters/runtime.ts';
import { createBusiness } from '#shared/use-cases/businesses/create-business.ts';
import type { Client } from '#test/bench/requests.ts';
import type { Stack } from '#test/support/worlds/stack.ts';
import { clientsAt, tableOf } from '#test/support/worlds/table.ts';
import { type Hook, KINDS, type Kind, openHook } from './hooks.ts';

/** A payment that a checkout or an account received, by the answer to its simulation. */
export interface Landed {
  readonly paymentId: string;
  readonly kobo: number;
}

export interface CheckoutBook {
  readonly reference: string;
  /** Kobo. */
  readonly amount: number;
  readonly landed: Landed[];
  failed: boolean;
}

/** A merchant with its own record of everything that it did and the API answered. */
export interface LoadMerchant {
  readonly id: string;
  readonly key: string;
  readonly kind: Kind;
  readonly hooks: Hook[];
  readonly checkouts: Map<string, CheckoutBook>;
  /** The payments to each of its virtual accounts, by its id. */
  readonly accounts: Map<string, Landed[]>;
  /** Checkouts that can be paid and that no action is paying right now. */
  readonly open: CheckoutBook[];
  /** The endpoint of each test event that it requested, by the event's id. */
  readonly tests: Map<string, string>;
  /** Ids of the endpoints that were disabled. */
  readonly switchedOff: Set<string>;
}

/** Six of ten merchants have a healthy endpoint, and one has each of the other kinds. */
const KIND_OF: readonly Kind[] = [...Array.from({ length: 6 }, () => 'healthy' as const), ...KINDS.slice(1)];
/** Every third healthy merchant has a second endpoint, which receives some event types only. */
const SECOND_EVERY = 3;
const SECOND_TYPES = ['checkout.paid', 'virtual_account.payment_received'];

/** Creates an endpoint of a merchant through the API. */
export const addHook = async (
  client: Client,
  of: LoadMerchant,
  hook: Hook,
  types: readonly string[],
): Promise<void> => {
  const body = { url: hook.url, events: types };
  const { status, text } = await client.ask({ method: 'POST', path: '/api/v1/webhook-endpoints', key: of.key, body });
  if (status !== 201) throw new Error(`Creating an endpoint was answered with ${status}: ${text}`);
  const { id, secret } = JSON.parse(text).data as { id: string; secret: string };
  hook.issued = { id, secret, types };
  of.hooks.push(hook);
};

/** Creates `count` businesses at a running stack, each with its own endpoints. */
export const openMerchants = async (stack: Stack, client: Client, count: number, slowMs: number) => {
  const file = readStackFile(stack.dataDir);
  if (!file) throw new Error('The stack has not written its stack file.');
  const table = {
    ...tableOf(file.tableName, clientsAt(file.dynamodbEndpoint, file.accessKeyId)),
    dueShards: file.dueShards,
  };
  const deps = { ...runtime, businesses: businessStore(table) };
  const merchants: LoadMerchant[] = [];
  for (let i = 0; i < count; i++) {
    const { business, keys } = await createBusiness(deps, { name: `Load Merchant ${i + 1}`, who: 'npm run load' });
    const key = keys.find(({ kind, mode }) => kind === 'secret' && mode === 'test')?.key ?? '';
    const kind = KIND_OF[i % KIND_OF.length] ?? 'healthy';
    const books = {
      checkouts: new Map(),
      accounts: new Map(),
      open: [],
      tests: new Map(),
      switchedOff: new Set<string>(),
    };
    const merchant: LoadMerchant = { id: business.id, key, kind, hooks: [], ...books };
    await addHook(client, merchant, await openHook(kind, slowMs), ['*']);
    if (kind === 'healthy' && i % SECOND_EVERY === 0) {
      await addHook(client, merchant, await openHook('healthy', slowMs), SECOND_TYPES);
    }
    merchants.push(merchant);
  }
  return merchants;
};
