import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/**
 * What the libraries import only when they need it, which on Lambda is never: left outside the bundle and never loaded.
 * Credentials stand in the environment there, so the SDK asks none of its other sources; no call of ours streams events.
 */
export const NEVER_LOADED = [
  '@aws-sdk/credential-provider-http',
  '@aws-sdk/credential-provider-ini',
  '@aws-sdk/credential-provider-process',
  '@aws-sdk/credential-provider-sso',
  '@aws-sdk/credential-provider-web-identity',
  '@smithy/core/event-streams',
  '@smithy/credential-provider-imds',
];

interface Stub {
  readonly filter: RegExp;
  /** What the bundle holds in its place. Calling what is missing throws. */
  readonly contents: string;
}

/** Modules that are imported at once but do nothing for us. */
const NEVER_CALLED: readonly Stub[] = [
  {
    // Hashes in JavaScript, for where there is no node:crypto.
    filter: /[\\/]@smithy[\\/]core[\\/].*[\\/](Sha256Js|Md5Js)\.js$/,
    contents: 'module.exports = {};',
  },
  {
    // The cache of the SDK's endpoint discovery, which is switched off: it is made and never asked.
    filter: /[\\/]mnemonist[\\/]lru-cache\.js$/,
    contents: 'module.exports = class {};',
  },
  {
    // The signer of streamed events: it is made and never asked.
    filter: /[\\/]@smithy[\\/]signature-v4[\\/].*[\\/]HeaderFormatter\.js$/,
    contents: 'export class HeaderFormatter {}',
  },
  {
    // What slows an adaptive client down: ours retry in standard mode, and no stage sets AWS_RETRY_MODE.
    filter: /[\\/]@smithy[\\/]core[\\/].*[\\/]DefaultRateLimiter\.js$/,
    contents: 'export class DefaultRateLimiter {}',
  },
];

/** The SDK's clients import their whole package.json for one field. */
const PACKAGE_FILE = /[\\/]@aws-sdk[\\/][^\\/]+[\\/]package\.json$/;

/** An esbuild plugin that leaves out of the bundles what no function ever reaches. */
export const leaveOut: Plugin = {
  name: 'leave-out',
  setup: (build) => {
    for (const { filter, contents } of NEVER_CALLED) build.onLoad({ filter }, () => ({ contents, loader: 'js' }));
    build.onLoad({ filter: PACKAGE_FILE }, async ({ path }) => {
      const { version } = JSON.parse(await readFile(path, 'utf8')) as { version: string };
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};
