import type { Attempt } from '#shared/client/types.ts';
import { lagosTime } from './times.ts';

/* Explains why a server did not accept a webhook, and what to do about it. */

const NOT_RUNNING =
  'The program behind your web server does not run, or takes too long. Start it again, and read the web server’s log.';

/** The advice for each status of the server's answer. */
const BY_STATUS: Readonly<Record<number, string>> = {
  401: 'Your server asks for a password, or its signature check rejects the webhook. Give your program this endpoint’s signing secret, and let webhooks in without a login.',
  403: 'A firewall or the signature check rejects the webhook. Give your program this endpoint’s signing secret, and let webhooks through the firewall.',
  404: 'There is no such page on your server. Correct the endpoint’s URL.',
  405: 'The page does not accept POST. Correct the endpoint’s URL, or let your program accept POST.',
  410: 'Your server says that this page no longer exists. Give the endpoint its new URL.',
  429: 'Your server says that it gets too many requests. We try again more slowly. Raise the server’s limit for webhooks.',
  502: NOT_RUNNING,
  503: NOT_RUNNING,
  504: NOT_RUNNING,
};

/** The advice for an attempt without an answer, by its error sentence. */
const BY_ERROR: readonly (readonly [RegExp, string])[] = [
  [/^No answer within/, 'Let your program store the webhook, answer at once, and do its work afterwards.'],
  [
    /could not be found/,
    'The host name has no address. Correct the endpoint’s URL, or the DNS records of your domain.',
  ],
  [/^The certificate/, 'Put a valid certificate with its whole chain on your server.'],
  [/secure connection/, 'Make sure that https works at this URL, also from the internet.'],
  [/not public|^The request was not sent/, 'Give the endpoint a URL that the whole internet can reach.'],
  [/ECONNREFUSED/, 'No program listens there. Start your server, and open its port in the firewall.'],
];

/** Returns what a failed attempt means, and what to do next. */
export const findAdvice = ({
  status_code: status,
  error,
  at,
}: Pick<Attempt, 'status_code' | 'error' | 'at'>): string => {
  if (status === null) {
    const [, advice] = BY_ERROR.find(([pattern]) => pattern.test(error ?? '')) ?? [];
    return advice ?? 'The connection broke. Check that your server runs, and that no firewall blocks it.';
  }
  const advice = BY_STATUS[status];
  if (advice !== undefined) return advice;
  if (status < 400)
    return 'Only an answer with 2xx counts, and we follow no redirect. Give the endpoint the URL to which your server redirects.';
  return status < 500
    ? 'Your program rejected the webhook. Read its answer: it may say why.'
    : `Your program failed while it handled the webhook. Read its log at ${lagosTime(at)}, Lagos time.`;
};

const LONGEST = 200;

/** Finds the first line with text in a server's answer, cut to 200 characters; undefined if there is none. */
export const findFirstLine = (response: string | null): string | undefined =>
  (response ?? '')
    .split('\n')
    .map((line) => line.trim().slice(0, LONGEST))
    .find((line) => line !== '');
