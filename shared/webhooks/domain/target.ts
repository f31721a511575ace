import { hasUserInfo, isFullHostName, isMisread } from '#shared/platform/kernel/url-text.ts';

/** The stage's setting for the addresses that may get webhooks. `any` is for local and emulator stages only. */
export type WebhookTargets = 'public' | 'any';

const MAX_LENGTH = 2_048;
/** The starts of accepted URLs, by the stage's setting: https with a host; with `any` also http, for receivers on the developer's own machine. */
const STARTS = { public: /^https:\/\/[^/]/i, any: /^https?:\/\/[^/]/i } as const;
/** A WHATWG URL writes every form of an IPv4 address like this, and IPv6 in brackets. */
const IP_LITERAL = /^(\[.*\]|\d+\.\d+\.\d+\.\d+)$/;
/**
 * Top-level names that no host on the public Internet has. RFC 6761: localhost, invalid, test. RFC 6762 with appendix G: local, intranet,
 * private, corp, home, lan. ICANN resolutions of 4 Feb 2018 and 29 Jul 2024: mail, internal. RFC 3172 with RFC 8375 (home.arpa) and RFC 8880
 * (ipv4only.arpa): arpa. RFC 7686: onion. RFC 9476: alt. `example` is not in the list: RFC 6761 section 6.5 asks for no special treatment, and
 * the name resolves to no address.
 */
const SPECIAL_USE = new Set(
  'localhost invalid test local intranet private corp home lan mail internal arpa onion alt'.split(' '),
);

/**
 * Ports below this are system ports (RFC 6335 section 6), such as those of mail and name servers. 443 is accepted too: a WHATWG URL of https
 * omits it, so its `port` is empty.
 */
const FIRST_USER_PORT = 1_024;

const publicHostProblem = (host: string): string | undefined => {
  if (IP_LITERAL.test(host)) return 'must name its host; an IP address is not accepted.';
  const topLevel = host.split('.').findLast((label) => label !== '') ?? '';
  if (SPECIAL_USE.has(topLevel)) {
    return `must name a host on the public Internet; names under "${topLevel}" are not public.`;
  }
  if (!isFullHostName(host)) return 'must name its host in full, such as hooks.example.com, with no dot at the end.';
  return undefined;
};

const publicPortProblem = (port: string): string | undefined =>
  port === '' || Number(port) >= FIRST_USER_PORT ? undefined : 'must use port 443 or a port from 1024 on.';

const INVALID = 'must be a valid https URL; a local stack also takes http, such as http://localhost:4000/webhooks.';

/**
 * Returns why no stage accepts a URL as a webhook target, as the rest of a sentence that begins with the field's name; undefined if some
 * stage may accept it.
 */
export const targetFormProblem = (url: string): string | undefined => {
  if (url.length > MAX_LENGTH) return 'must have at most 2,048 characters.';
  if (isMisread(url)) return 'must hold no spaces, control characters, unpaired surrogates or backslashes.';
  if (!STARTS.any.test(url) || !URL.canParse(url)) return INVALID;
  if (hasUserInfo(url)) return 'must hold no user name or password.';
  return url.includes('#') ? 'must hold no fragment: what follows a "#" is never sent.' : undefined;
};

/**
 * Returns why this stage does not accept a URL as a webhook target, as the rest of a sentence that begins with the field's name; undefined if it
 * accepts the URL. Checks the text only: the addresses of the host are checked at every connection.
 */
export const targetProblem = (url: string, targets: WebhookTargets): string | undefined => {
  const problem = targetFormProblem(url);
  if (problem !== undefined) return problem;
  if (!STARTS[targets].test(url)) return INVALID;
  const parsed = new URL(url);
  return targets === 'any' ? undefined : (publicHostProblem(parsed.hostname) ?? publicPortProblem(parsed.port));
};

/** Returns a note to the business about a URL that only a local stack accepts; undefined for any other URL. */
export const localTargetNote = (url: string): string | undefined =>
  targetProblem(url, 'public') === undefined
    ? undefined
    : 'This URL works on this machine only. A deployed stage accepts https URLs of public hosts.';
