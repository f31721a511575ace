import { signal } from '@preact/signals';
import { Payments, PaymentsError } from '#shared/client/index.ts';
import { type Answer, type Call, type Send, transport } from '#shared/client/transport.ts';
import { makePasskey, type SignedCredential, usePasskey } from './passkey.ts';
import type { Place } from './router.ts';
import { askForPasskey } from './step-up.tsx';

/* Calls the service: the API with our own client, and the endpoints that only a session may call. */

export type Role = 'viewer' | 'developer' | 'owner';

export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly added_at: string;
  readonly last_used_at: string | null;
  readonly live_from: string;
}

/** The signed-in member, with the session and the businesses. */
export interface Me {
  readonly user: { readonly id: string; readonly email: string };
  readonly session: {
    readonly id: string;
    readonly expires_at: string;
    readonly may_change_live: boolean;
    /** The time from which the session's passkey may change live mode; null if the session began with a code alone. */
    readonly live_from: string | null;
  };
  readonly passkeys: readonly Passkey[];
  readonly businesses: readonly {
    readonly id: string;
    readonly name: string;
    readonly role: Role;
    readonly suspended: boolean;
    /** The choice of optional mails that the user gets about the business; null if the user is no owner of it. */
    readonly mail: MailChoice | null;
  }[];
}

/** The optional mails about a business that an owner gets. */
export interface MailChoice {
  readonly daily_summary: boolean;
  readonly endpoints: boolean;
}

/** An API key of the business. */
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

/** A signed-in browser. */
export interface Session {
  readonly id: string;
  readonly browser: string;
  readonly address: string;
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly used_passkey: boolean;
  readonly current: boolean;
}

/** A person who may sign in to the business. */
export interface Member {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly added_at: string;
}

/** The business as payers see it. */
export interface Profile {
  readonly name: string;
  readonly display_name: string;
  readonly support: string | null;
  readonly websites: readonly string[];
  readonly brand_color: string | null;
  readonly routing: boolean;
  readonly logo: { readonly url: string; readonly width: number; readonly height: number } | null;
}

/** A change that a member or a live key made or tried to make. */
export interface AuditEntry {
  readonly id: string;
  readonly at: string;
  readonly mode: 'test' | 'live';
  /** A member, or a key; a key has no e-mail address. */
  readonly actor: { readonly id: string; readonly email: string | null };
  readonly address: string;
  readonly action: string;
  readonly what: string;
  readonly target: string;
  readonly outcome: 'done' | 'refused' | 'unknown';
  readonly error: string | null;
}

/** The signed-in member: undefined until the service has answered, null if nobody is signed in. */
export const me = signal<Me | null | undefined>(undefined);

/** Reads an error's code. The type is string, because sessions get codes that the API's types do not have. */
export const readErrorCode = (error: unknown): string => (error instanceof PaymentsError ? (error.code as string) : '');

/** Whether the session ended while a screen was open. The screen stays until the member has signed in again. */
export const hasSessionEnded = signal(false);
const signInListeners: ((isSignedIn: boolean) => void)[] = [];

/** Waits until somebody has signed in again. Returns false if `leave` is called instead. */
const waitForSignIn = (): Promise<boolean> => {
  hasSessionEnded.value = true;
  return new Promise((resolve) => signInListeners.push(resolve));
};

const resumeRequests = (isSignedIn: boolean): void => {
  hasSessionEnded.value = false;
  for (const resolve of signInListeners.splice(0)) resolve(isSignedIn);
};

/** Forgets the member and everything on the screen. */
export const leave = (): void => {
  me.value = null;
  resumeRequests(false);
};

/** Accepts a member who has signed in. Waiting requests of the same member are sent now. For another member the page reloads, and nothing is sent. */
const enter = async (next: Me): Promise<void> => {
  if (me.value && me.value.user.id !== next.user.id) {
    leave();
    location.reload();
    await new Promise(() => {});
  }
  me.value = next;
  resumeRequests(true);
};

/** Reads the code of an answer with status 401 or 403. */
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
 * Makes the `fetch` that the API's client uses here. It sends the session's cookie instead of an API key. If the answer asks for a sign-in or a
 * passkey, it waits until the member has signed in or used the passkey, and sends the request again, with a new time-out, because the time-out of
 * the first request may have passed meanwhile. `waitsForSignIn`: false for the requests of the sign-in itself, which must not wait for it.
 */
const createFetch =
  (prefix: string, headers: Readonly<Record<string, string>>, waitsForSignIn = true): typeof fetch =>
  async (input, init) => {
    const sent = new Headers(init?.headers);
    sent.delete('authorization');
    for (const [name, value] of Object.entries(headers)) sent.set(name, value);
    const address = String(input).replace('/api/v1', prefix);
    const send = (signal?: AbortSignal | null) =>
      fetch(address, { ...init, headers: sent, credentials: 'same-origin', ...(signal && { signal }) });
    const sendAgain = () => send(AbortSignal.timeout(RESEND_TIMEOUT_MS));
    let answer = await send();
    if (waitsForSignIn && me.value && (await readAuthError(answer)) === 'sign_in_required' && (await waitForSignIn())) {
      answer = await sendAgain();
    }
    const needsPasskey = me.value?.passkeys.length && (await readAuthError(answer)) === 'step_up_required';
    return needsPasskey && (await askForPasskey()) ? sendAgain() : answer;
  };

const options = (prefix: string, headers: Readonly<Record<string, string>>) => ({
  baseUrl: location.origin,
  fetch: createFetch(prefix, headers),
});

const buildHeaders = ({ businessId, mode }: Pick<Place, 'businessId' | 'mode'>) => ({
  'x-business-id': businessId,
  'x-dashboard-mode': mode,
});

/** Creates a client of the API for a business in a mode. */
export const createClient = (place: Place): Payments =>
  new Payments('session', options('/api/dashboard/v1', buildHeaders(place)));

const readData = async <T>(answer: Promise<Answer>): Promise<T> =>
  (JSON.parse((await answer).text) as { data: T }).data;

/** Returns the calls about a business for which no API key works, only a session. */
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

const createAsk =
  (send: Send) =>
  <T>(method: Call['method'], path: string, body?: object) =>
    readData<T>(send({ method, path, body, repeatable: method === 'GET' ? 'always' : 'never' }));
const askInSession = createAsk(transport('session', options('/api/dashboard', {})));
/** Sends a request that does not wait for a sign-in, such as the sign-in itself. */
const askWithoutSession = createAsk(
  transport('session', { ...options('/api/dashboard', {}), fetch: createFetch('/api/dashboard', {}, false) }),
);

const toCredentialBody = ({ id, response }: SignedCredential) => ({ id, response });

/** The calls for the member's own session, passkeys and sign-in. */
export const account = {
  startSignIn: (email: string) => askWithoutSession<object>('POST', '/sign-in', { email }),
  finishSignIn: async (code: string): Promise<void> => {
    await enter(await askWithoutSession<Me>('POST', '/sign-in/verify', { code }));
  },
  signOut: async (): Promise<void> => {
    await askWithoutSession<object>('POST', '/sign-out');
    leave();
  },
  /** Signs in with a passkey, or confirms a step-up. */
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
  /** Asks who is signed in. This also keeps the session from becoming idle. */
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
