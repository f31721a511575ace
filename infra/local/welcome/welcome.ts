import { fileIn } from '#infra/local/data/data-dir.ts';
import { DEMO_OWNER, type Demo, demoKey } from '#infra/local/data/demo.ts';
import { dashboardUrl } from '#infra/local/environment.ts';
import { INBOX_PATH } from '#infra/local/inbox/routes.ts';
import { MAIL_PATH } from '#infra/local/mail/routes.ts';
import { SHOP_PATH } from '#infra/local/shop/routes.ts';
import type { Stack } from '#infra/local/stack.ts';
import type { RateLimits } from '#shared/platform/requests/rate-limit.ts';
import { joinSteps, liveTour, type TourStep, tour } from './tour.ts';

const indent = (text: string): string => text.replace(/^(?=.)/gm, '  ');

const formatBlock = (steps: readonly TourStep[]): string => `${indent(joinSteps(steps))}\n`;

const formatLiveKeys = (demo: Demo): string => `
  Secret key   ${demoKey(demo, 'secret', 'live')}
  Public key   ${demoKey(demo, 'public', 'live')}`;

/** Describes live mode with the provider simulator. */
const describeSimulator = (baseUrl: string, demo: Demo, payUrl: string): string => `
Live mode is on, with the provider simulator instead of the providers. No money moves.
${formatLiveKeys(demo)}
  Transfers    ${payUrl}   (a form for transfers; the simulator loses its accounts when it stops)

Paste this block to pay a checkout in live mode:

${formatBlock(liveTour(baseUrl, demo, payUrl))}`;

/** Describes live mode with the providers in the environment. */
const describeLive = (stageUrl: string, demo: Demo): string => `
Live mode is on. Providers send notifications to ${stageUrl}/providers/<provider>/notifications, so this address must be reachable from the internet.
${formatLiveKeys(demo)}
`;

const describeLiveMode = ({ baseUrl, stageUrl, demo, payUrl, hasLive }: StackInfo): string => {
  if (payUrl !== undefined) return describeSimulator(baseUrl, demo, payUrl);
  return hasLive ? describeLive(stageUrl, demo) : '';
};

type StackInfo = Pick<Stack, 'baseUrl' | 'stageUrl' | 'demo' | 'payUrl' | 'hasLive' | 'rateLimits'>;

const formatSeconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`;

/** Makes the short welcome for a stack that is restarted often. `milliseconds`: duration of the start. */
export const briefWelcome = ({ baseUrl }: StackInfo, dataDir: string, milliseconds: number): string => `
Ready on ${baseUrl}
Started in ${formatSeconds(milliseconds)}. See webhooks at ${baseUrl}${INBOX_PATH}. The keys of the demo business are in ${fileIn(dataDir, 'demo')}.
`;

const formatLimit = (perSecond: number): string => (perSecond === 0 ? 'no limit' : `${perSecond} requests per second`);

const formatLimits = ({ live, test, publicAddress }: RateLimits): string =>
  `test key: ${formatLimit(test)}; live key: ${formatLimit(live)}; address with a public key: ${formatLimit(publicAddress)}`;

/** Makes the welcome that a person reads when the stack is up. `milliseconds`: duration of the start. */
export const welcome = (stack: StackInfo, dataDir: string, milliseconds: number): string => {
  const { baseUrl, demo, rateLimits } = stack;
  return `
Ready on ${baseUrl}
Started in ${formatSeconds(milliseconds)}. Stop with Ctrl-C.

  Business     ${demo.business.name}, ${demo.business.id}
  Secret key   ${demoKey(demo, 'secret')}
  Public key   ${demoKey(demo, 'public')}
  Inbox        ${baseUrl}${INBOX_PATH}   (shows arriving webhooks and checks their signatures)
  Shop         ${baseUrl}${SHOP_PATH}   (a demo shop: buy something and pay on the payment page)
  Pay          ${baseUrl}${SHOP_PATH}/pay   (starts an order in the shop and opens its payment page)
  Dashboard    ${dashboardUrl(baseUrl)}   (sign in as ${DEMO_OWNER}; the code appears at ${baseUrl}${MAIL_PATH})
  Docs         ${baseUrl}/docs   (for tools: ${baseUrl}/api/v1/openapi.json, .yaml, ${baseUrl}/api/v1/postman.json, and ${baseUrl}/llms.txt)
  Limits       ${formatLimits(rateLimits)}
  Data         ${dataDir}   (to start with empty data: npm start -- --reset)
  Log          ${fileIn(dataDir, 'log')}

Paste this block into another terminal. It needs bash or zsh, and curl.

${formatBlock(tour(baseUrl, demo))}${describeLiveMode(stack)}`;
};
