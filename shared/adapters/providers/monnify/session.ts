import * as z from 'zod/mini';
import type { ProviderAccess } from '#shared/adapters/providers/common/description.ts';
import { refused } from '#shared/adapters/providers/common/refusals.ts';
import { nonEmptyString } from '#shared/domain/kernel/schemas.ts';
import { type Millis, SECOND } from '#shared/domain/kernel/time.ts';
import { OutcomeUnknown, ProviderUnavailable } from '#shared/domain/providers/errors.ts';
import type { MonnifyCredentials, MonnifySettings } from './description.ts';
import { bodyOf, outcomeOf } from './envelope.ts';

/** What the adapter knows of Monnify: how to reach it, who we are, and what time it is. */
export type Access = Omit<ProviderAccess<MonnifySettings, MonnifyCredentials>, 'settings'>;

/** Milliseconds before its end from which a token is no longer used (providers.md section 2.1). */
const EARLY_MS = 60 * SECOND;

const loginBody = z.object({
  accessToken: nonEmptyString,
  expiresIn: z.coerce.number().check(z.positive()),
});

interface Token {
  readonly value: string;
  /** The Basic header that it was got with: other credentials need another token. */
  readonly basic: string;
  readonly usableUntil: Millis;
}

const basicOf = ({ apiKey, secretKey }: MonnifyCredentials): string =>
  `Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString('base64')}`;

/** Logs in once; undefined when the credentials are refused. */
const logIn = async ({ http, now }: Access, basic: string): Promise<Token | undefined> => {
  const startedAt = now();
  const answer = await http({ method: 'POST', path: '/api/v1/auth/login', headers: { authorization: basic } });
  if (answer.status === 401) return undefined;
  const outcome = outcomeOf(answer);
  if (!outcome.ok) return undefined;
  const { accessToken, expiresIn } = bodyOf(loginBody, outcome.body);
  return { value: accessToken, basic, usableUntil: startedAt + expiresIn * SECOND - EARLY_MS };
};

/** Logs in, with credentials read again where the ones at hand are refused and there are others. */
const tokenFor = async (access: Access, basic: string): Promise<Token> => {
  try {
    const token = await logIn(access, basic);
    if (token) return token;
    const fresh = basicOf(await access.credentials({ refresh: true }));
    const second = fresh === basic ? undefined : await logIn(access, fresh);
    if (second) return second;
  } catch (error) {
    // What the token was for was never sent, so that its outcome is known.
    if (error instanceof OutcomeUnknown) throw new ProviderUnavailable('Monnify did not let us log in.');
    throw error;
  }
  throw refused('credentials');
};

/** The bearer token of the moment. */
export interface Session {
  /** Throws the refusal `credentials`, or ProviderUnavailable when there was no login. */
  readonly token: () => Promise<string>;
  /** Forgets a token that Monnify no longer takes; does nothing when a newer one has taken its place. */
  readonly drop: (value: string) => void;
}

/** Keeps one token per credentials until a minute before its end; callers that need a new one together share one login. */
export const session = (access: Access): Session => {
  let held: Token | undefined;
  let pending: { readonly basic: string; readonly token: Promise<Token> } | undefined;

  const renew = (basic: string): Promise<Token> => {
    if (pending?.basic === basic) return pending.token;
    const login = {
      basic,
      token: tokenFor(access, basic)
        .then((token) => {
          held = token;
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
    token: async () => {
      const basic = basicOf(await access.credentials());
      if (held?.basic === basic && access.now() < held.usableUntil) return held.value;
      return (await renew(basic)).value;
    },
    drop: (value) => {
      if (held?.value === value) held = undefined;
    },
  };
};
