import * as z from 'zod/mini';
import { text } from '#shared/platform/kernel/schemas.ts';
import { type Millis, SECOND } from '#shared/platform/kernel/time.ts';
import type { ProviderAccess } from '#shared/providers/common/description.ts';
import { createProviderError } from '#shared/providers/common/error-texts.ts';
import { parseAnswer } from '#shared/providers/common/parse-answer.ts';
import { OutcomeUnknown, ProviderUnavailable } from '#shared/providers/domain/errors.ts';
import type { MonnifyCredentials, MonnifySettings } from './description.ts';
import { parseReply } from './envelope.ts';

/** Dependencies of calls to Monnify: HTTP, our credentials and the clock. */
export type Access = Omit<ProviderAccess<MonnifySettings, MonnifyCredentials>, 'settings'>;

/** A token is renewed this many milliseconds before its end (providers.md section 2.1). */
const RENEW_BEFORE_END = 60 * SECOND;

const loginBody = z.object({
  // The token is sent in a header, which takes only visible ASCII.
  accessToken: text.check(z.regex(/^[!-~]+$/)),
  expiresIn: z.coerce.number().check(z.positive()),
});

interface Token {
  readonly value: string;
  /** The Basic header of the login that gave this token. After a change of credentials a new token is needed. */
  readonly basic: string;
  readonly usableUntil: Millis;
}

const buildBasicAuth = ({ apiKey, secretKey }: MonnifyCredentials): string =>
  `Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString('base64')}`;

/**
 * Logs in once; undefined if Monnify answers 401, or with an error in its own format: then the credentials count as rejected.
 * @throws OutcomeUnknown for any other unusable answer.
 */
const logIn = async ({ http, now }: Access, basic: string, until: Millis | undefined): Promise<Token | undefined> => {
  const startedAt = now();
  const answer = await http({ method: 'POST', path: '/api/v1/auth/login', headers: { authorization: basic }, until });
  if (answer.status === 401) return undefined;
  const outcome = parseReply(answer);
  if (!outcome.ok) return undefined;
  const { accessToken, expiresIn } = parseAnswer(loginBody, outcome.body);
  return { value: accessToken, basic, usableUntil: startedAt + expiresIn * SECOND - RENEW_BEFORE_END };
};

/** Logs in. If the credentials are rejected, it reads them again and, if they have changed, tries once more. */
const tokenFor = async (access: Access, basic: string, until: Millis | undefined): Promise<Token> => {
  try {
    const token = await logIn(access, basic, until);
    if (token) return token;
    const fresh = buildBasicAuth(await access.credentials({ refresh: true }));
    const second = fresh === basic ? undefined : await logIn(access, fresh, until);
    if (second) return second;
  } catch (error) {
    // The call that needs the token was never sent, so the outcome is known: nothing happened.
    if (error instanceof OutcomeUnknown) throw new ProviderUnavailable('The login at Monnify failed.');
    throw error;
  }
  throw createProviderError('credentials');
};

/** Manages the access token. */
export interface Session {
  /**
   * Returns a usable token. If there is none, it logs in; `until` is the deadline of the login.
   * @throws the ProviderError `credentials`; ProviderUnavailable if the login failed.
   */
  readonly token: (until?: Millis) => Promise<string>;
  /** Forgets a token that Monnify rejected. Does nothing if it has been renewed since. */
  readonly drop: (value: string) => void;
}

/** Creates a session. It caches the token until a minute before its end, and concurrent callers share one login. */
export const session = (access: Access): Session => {
  let cached: Token | undefined;
  let pending: { readonly basic: string; readonly token: Promise<Token> } | undefined;

  const renew = (basic: string, until: Millis | undefined): Promise<Token> => {
    if (pending?.basic === basic) return pending.token;
    const login = {
      basic,
      token: tokenFor(access, basic, until)
        .then((token) => {
          cached = token;
          return token;
        })
        .finally(() => {
          if (pending === login) pending = undefined;
        }),
    };
    pending = login;
    return login.token;
  };

  return {
    token: async (until) => {
      const basic = buildBasicAuth(await access.credentials());
      if (cached?.basic === basic && access.now() < cached.usableUntil) return cached.value;
      return (await renew(basic, until)).value;
    },
    drop: (value) => {
      if (cached?.value === value) cached = undefined;
    },
  };
};
