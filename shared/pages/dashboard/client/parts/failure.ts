import type { Attempt } from '#shared/client/types.ts';
import { lagosTime } from './times.ts';

/* Why a server did not take a webhook, and what to do about it. */

const NOT_RUNNING =
  'The program behind your web server does not run, or takes too long. Start it again, and look into the log of the web server.';

/** By the status that the server answered with. */
const BY_STATUS: Readonly<Record<number, string>> = {
  401: 'It asks for a password, or its check of the signature refuses. Give it this endpoint’s signing secret, and let webhooks past the login.',
  403: 'A firewall refuses, or the check of the signature does. Give your program this endpoint’s signing secret, and let webhooks past the firewall.',
  404: 'There is no such page on your server. Correct the endpoint’s URL.',
  405: 'The page takes no POST. Correct the endpoint’s URL, or let your program take POST.',
  410: 'Your server says that nothing shall be sent there any more. Give the endpoint its new URL.',
  429: 'Your server takes no more for now. It is tried again more slowly: let it take more.',
  502: NOT_RUNNING,
  503: NOT_RUNNING,
  504: NOT_RUNNING,
};

/** By the sentence of an attempt without an answer. */
const BY_ERROR: readonly (readonly [RegExp, string])[] = [
  [/^No answer within/, 'Let your program store the webhook and answer at once, and do its work afterwards.'],
  [/could not be found/, 'The name has no address. Correct the endpoint’s URL, or the DNS records of your domain.'],
  [/^The certificate/, 'Put a valid certificate with its whole chain on your server.'],
  [/secure connection/, 'See that https works at this URL, also from outside.'],
  [/not public|^The request was not sent/, 'Give the endpoint a URL that the whole internet can reach.'],
  [/ECONNREFUSED/, 'Nothing listens there. Start your server, and open its port in the firewall.'],
];

/** The meaning of an attempt's failure, and the next step. */
export const adviceOn = ({ status_code: status, error, at }: Pick<Attempt, 'status_code' | 'error' | 'at'>): string => {
  if (status === null) {
    const [, advice] = BY_ERROR.find(([pattern]) => pattern.test(error ?? '')) ?? [];
    return advice ?? 'The connection broke. See whether your server runs, and whether a firewall is before it.';
  }
  const advice = BY_STATUS[status];
  if (advice !== undefined) return advice;
  if (status < 400)
    return 'Only a 2xx counts, and no redirect is followed. Give the endpoint the endpoint’s URL that it leads to.';
  return status < 500
    ? 'Your program refused the webhook. Its answer may say why.'
    : `Your program failed at the webhook. Look into its log at ${lagosTime(at)}, Lagos time.`;
};

const LONGEST = 200;

/** The first line with text of what a server answered; undefined where there is none. */
export const firstLine = (response: string | null): string | undefined =>
  (response ?? '')
    .split('\n')
    .map((line) => line.trim().slice(0, LONGEST))
    .find((line) => line !== '');
