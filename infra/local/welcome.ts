import { liveTour, type Step, tour } from './commands.ts';
import { fileIn } from './data-dir.ts';
import { type Demo, demoKey } from './demo.ts';
import { INBOX_PATH } from './inbox/routes.ts';
import type { Stack } from './stack.ts';

const indented = (text: string): string => text.replace(/^/gm, '  ');

const steps = (tried: readonly Step[]): string =>
  tried.map(({ title, command }) => `${title}\n\n${indented(command)}\n`).join('\n');

/** Live mode, where the provider twin plays the providers. */
const live = (baseUrl: string, demo: Demo, payUrl: string): string => `
Live mode, with the provider twin instead of Paystack, Monnify and Korapay (no money moves):

  Secret key   ${demoKey(demo, 'secret', 'live')}
  Public key   ${demoKey(demo, 'public', 'live')}
  Transfers    ${payUrl}   (the twin forgets its accounts when it stops)

${steps(liveTour(baseUrl, demo, payUrl))}`;

/** What a person reads when the stack is up. `payUrl`: the provider twin's, if it runs. `milliseconds`: how long the start took. */
export const welcome = (
  { baseUrl, demo, payUrl }: Pick<Stack, 'baseUrl' | 'demo' | 'payUrl'>,
  dataDir: string,
  milliseconds: number,
): string => `
Ready on ${baseUrl}
Up in ${(milliseconds / 1_000).toFixed(1)} s. Stop with Ctrl-C.

  Business     ${demo.business.name}, ${demo.business.id}
  Secret key   ${demoKey(demo, 'secret')}
  Public key   ${demoKey(demo, 'public')}
  Inbox        ${baseUrl}${INBOX_PATH}   (webhooks as they arrive, signatures checked)
  Data         ${dataDir}   (begin again: npm start -- --reset)
  Log          ${fileIn(dataDir, 'log')}

Paste these into another terminal, one after the other.

${steps(tour(baseUrl, demo))}${payUrl === undefined ? '' : live(baseUrl, demo, payUrl)}`;
