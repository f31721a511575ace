import { signal } from '@preact/signals';
import { Payments, PaymentsError } from '#shared/client/index.ts';
import { type Answer, type Call, type Send, transport } from '#shared/client/transport.ts';
import { makePasskey, type SignedCredential, usePasskey } from './passkey.ts';
import type { Place } from './router.ts';
import { askForPasskey } from './step-up.tsx';

/* What the dashboard asks the service: the API by our own client, and what only a session may. */

export type Role = 'viewer' | 'developer' | 'owner';

export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly added_at: string;
  readonly last_used_at: string | null;
  readonly live_from: string;
}

/** Who is signed in. */
export interface Me {
  readonly user: { readonly id: string; readonly email: string };
  readonly session: {
    readonly id: string;
    readonly expires_at: string;
    readonly may_change_live: boolean;
    /** From when on the passkey that was used may change live mode; null after a code alone. */
    readonly live_from: string | null;
  };
  readonly passkeys: readonly Passkey[];
  readonly businesses: readonly {
    readonly id: string;
    readonly name: string;
    readonly role: Role;
    readonly suspended: boolean;
    /** Which mails an owner chose; null for another member. */
    readonly mail: MailChoice | null;
  }[];
}

/** Which mails an owner gets of a business, of those that can be switched off. */
export interface MailChoice {
  readonly daily_summary: boolean;
  readonly endpoints: boolean;
}

/** A key of the business. */
export interface Key {
  readonly id: string;
  readonly mode: 'test' | 'live';
  readonly kind: 'secret' | 'public';
  readonly prefix: string;
  readonly last_four: string;
  readonly name: string | null;
  readonly last_used_at: string | null;
  readonly status: 'active' | 'rolled' | 'ended';
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly ip_whitelist: readonly string[];
  readonly created_at: string;
  readonly created_by: string;
}
export type IssuedKey = Key & { readonly key: string };

/** A browser that is signed in. */
export interface Session {
  readonly id: string;
  readonly browser: string;
  readonly address: string;
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly used_passkey: boolean;
  readonly current: boolean;
}

/** Who may sign in to the business. */
export interface Member {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly added_at: string;
}

/** What payers see of the business. */
export interface Profile {
  readonly name: string;
  readonly display_name: string;
  readonly support: string | null;
  readonly websites: readonly string[];
  readonly brand_color: string | null;
  readonly routing: boolean;
  readonly logo: { readonly url: string; readonly width: number; readonly height: number } | null;
}

/** What a member, or a live key, changed. */
export interface AuditEntry {
  readonly id: string;
  readonly at: string;
  readonly mode: 'test' | 'live';
  /** A member, or a key, which has no address. */
  readonly actor: { readonly id: string; readonly email: string | null };
  readonly address: string;
  readonly action: string;
  readonly what: string;
  readonly target: string;
  readonly outcome: 'done' | 'refused' | 'unknown';
  readonly error: string | null;
}

/** Who is signed in; undefined until it was asked, null for nobody. */
export const me = signal<Me | null | undefined>(undefined);

/** The code of an error: the dashboard has some that no key is answered with. */
export const readErrorCode = (error: unknown): string => (error instanceof PaymentsError ? (error.code as string) : '');

/** Whether the session has ended under a screen, which stays as it is until its member has signed in again. */
export const hasSessionEnded = signal(false);
const waiting: ((isSignedIn: boolean) => void)[] = [];

/** Waits until somebody has signed in again; false if nobody did. */
const signedInAgain = (): Promise<boolean> => {
  hasSessionEnded.value = true;
  return new Promise((resolve) => waiting.push(resolve));
};

const goOn = (isSignedIn: boolean): void => {
  hasSessionEnded.value = false;
  for (const resolve of waiting.splice(0)) resolve(isSignedIn);
};

/** Forgets who was signed in, with all that is on the screen. */
export const leave = (): void => {
  me.value = null;
  goOn(false);
};

/** Takes whoever has signed in. What waits for the same person is sent now; for another one the page begins anew, and nothing in it goes on. */
const enter = async (next: Me): Promise<void> => {
  if (me.value && me.value.user.id !== next.user.id) {
    leave();
    location.reload();
    await new Promise(() => {});
  }
  me.value = next;
  goOn(true);
};

/** The code of an answer that refuses something. */
const readAuthError = async (answer: Response): Promise<string | undefined> => {
  if (answer.status !== 401 && answer.status !== 403) return undefined;
  const { code } = (await answer
    .clone()
    .json()
    .catch(() => ({}))) as { code?: string };
  return code;
};

const RESEND_TIMEOUT_MS = 30_000;

/**
 * The page's own fetch: the cookie goes with it, the client's key does not. What needs a session, or a passkey, is sent again once somebody
 * has signed in, or used it, with a time-out of its own: that may take longer than the client waits for an answer.
 */
const fetchUnder =
  (prefix: string, headers: Readonly<Record<string, string>>, waits = true): typeof fetch =>
  async (input, init) => {
    const sent = new Headers(init?.headers);
    sent.delete('authorization');
    for (const [name, value] of Object.entries(headers)) sent.set(name, value);
    const address = String(input).replace('/api/v1', prefix);
    const send = (signal?: AbortSignal | null) =>
      fetch(address, { ...init, headers: sent, credentials: 'same-origin', ...(signal && { signal }) });
    const sendAgain = () => send(AbortSignal.timeout(RESEND_TIMEOUT_MS));
    let answer = await send();
    if (waits && me.value && (await readAuthError(answer)) === 'sign_in_required' && (await signedInAgain())) {
      answer = await sendAgain();
    }
    const needsPasskey = me.value?.passkeys.length && (await readAuthError(answer)) === 'step_up_required';
    return needsPasskey && (await askForPasskey()) ? sendAgain() : answer;
  };

const options = (prefix: string, headers: Readonly<Record<string, string>>) => ({
  baseUrl: location.origin,
  fetch: fetchUnder(prefix, headers),
});

const buildHeaders = ({ businessId, mode }: Pick<Place, 'businessId' | 'mode'>) => ({
  'x-business-id': businessId,
  'x-dashboard-mode': mode,
});

/** The API, for a business in a mode. */
export const createClient = (place: Place): Payments =>
  new Payments('session', options('/api/dashboard/v1', buildHeaders(place)));

const readData = async <T>(answer: Promise<Answer>): Promise<T> =>
  (JSON.parse((await answer).text) as { data: T }).data;

/** What only a session may ask for a business. */
export const forBusiness = (place: Pick<Place, 'businessId' | 'mode'>) => {
  const send = transport('session', options('/api/dashboard/v1', buildHeaders(place)));
  const ask = <T>(method: Call['method'], path: string, body?: object) =>
    readData<T>(send({ method, path, body, repeatable: method === 'GET' ? 'always' : 'never' }));
  return {
    keys: () => ask<{ keys: readonly Key[]; your_address: string }>('GET', '/keys'),
    createKey: (kind: Key['kind'], name?: string) => ask<IssuedKey>('POST', '/keys', { kind, ...(name && { name }) }),
    rollKey: (id: string, graceSeconds: number) =>
      ask<IssuedKey>('POST', `/keys/${id}/roll`, { grace_seconds: graceSeconds }),
    revokeKey: (id: string) => ask<Key>('POST', `/keys/${id}/revoke`),
    updateKey: (id: string, change: { readonly name?: string | null; readonly ip_whitelist?: readonly string[] }) =>
      ask<Key>('PATCH', `/keys/${id}`, change),
    members: () => ask<{ members: readonly Member[] }>('GET', '/members'),
    invite: (email: string, role: Role) => ask<object>('POST', '/members', { email, role }),
    changeRole: (id: string, role: Role) => ask<object>('PATCH', `/members/${id}`, { role }),
    removeMember: (id: string) => ask<object>('DELETE', `/members/${id}`),
    resetPasskeys: (id: string) => ask<object>('POST', `/members/${id}/reset-passkeys`),
    chooseMail: (choice: MailChoice) => ask<MailChoice>('PATCH', '/mail', choice),
    profile: () => ask<Profile>('GET', '/business'),
    setProfile: (profile: Partial<Omit<Profile, 'logo'>> & { readonly logo?: string | null }) =>
      ask<Profile>('PATCH', '/business', profile),
    auditLog: async (filters: Readonly<Record<string, string>>, cursor: string | null) => {
      const query = { limit: 50, ...filters, cursor };
      const { text } = await send({ method: 'GET', path: '/audit-log', query, repeatable: 'always' });
      const { data, meta } = JSON.parse(text) as {
        data: readonly AuditEntry[];
        meta: { next_cursor: string | null };
      };
      return { items: data, next: meta.next_cursor };
    },
  };
};

const asking =
  (send: Send) =>
  <T>(method: Call['method'], path: string, body?: object) =>
    readData<T>(send({ method, path, body, repeatable: method === 'GET' ? 'always' : 'never' }));
const askInSession = asking(transport('session', options('/api/dashboard', {})));
/** What begins and ends a session waits for none. */
const askWithoutSession = asking(
  transport('session', { ...options('/api/dashboard', {}), fetch: fetchUnder('/api/dashboard', {}, false) }),
);

const toCredentialBody = ({ id, response }: SignedCredential) => ({ id, response });

/** What concerns whoever sits at the browser. */
export const account = {
  startSignIn: (email: string) => askWithoutSession<object>('POST', '/sign-in', { email }),
  finishSignIn: async (code: string): Promise<void> => {
    await enter(await askWithoutSession<Me>('POST', '/sign-in/verify', { code }));
  },
  signOut: async (): Promise<void> => {
    await askWithoutSession<object>('POST', '/sign-out');
    leave();
  },
  /** Signs in with a passkey, or steps up. */
  usePasskey: async (): Promise<void> => {
    const options = await askWithoutSession<PublicKeyCredentialRequestOptionsJSON>('POST', '/passkeys/challenge');
    await enter(await askWithoutSession<Me>('POST', '/passkeys/verify', toCredentialBody(await usePasskey(options))));
  },
  addPasskey: async (name: string): Promise<void> => {
    const options = await askInSession<PublicKeyCredentialCreationOptionsJSON>('POST', '/passkeys/options');
    await askInSession<object>('POST', '/passkeys', { name, ...toCredentialBody(await makePasskey(options)) });
    await account.refresh();
  },
  removePasskey: async (id: string): Promise<void> => {
    await askInSession<object>('DELETE', `/passkeys/${id}`);
    await account.refresh();
  },
  sessions: () => askInSession<readonly Session[]>('GET', '/sessions'),
  endSession: (id: string) => askInSession<object>('DELETE', `/sessions/${id}`),
  /** Asks who is signed in, which also keeps the session from becoming idle. */
  refresh: async (): Promise<void> => {
    try {
      await enter(await askWithoutSession<Me>('GET', '/me'));
    } catch (error) {
      if (readErrorCode(error) !== 'sign_in_required') throw error;
      if (me.value) hasSessionEnded.value = true;
      else leave();
    }
  },
};
