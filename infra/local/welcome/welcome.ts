import { fileIn } from '#infra/local/data/data-dir.ts';
import { DEMO_OWNER, type Demo, demoKey } from '#infra/local/data/demo.ts';
import { dashboardUrl } from '#infra/local/environment.ts';
import { INBOX_PATH } from '#infra/local/inbox/routes.ts';
import { MAIL_PATH } from '#infra/local/mail/routes.ts';
import { SHOP_PATH } from '#infra/local/shop/routes.ts';
import type { Stack } from '#infra/local/stack.ts';
import type { RateLimits } from '#shared/platform/requests/rate-limit.ts';
import { joinSteps, liveTour, type TourStep, tour } from './tour.ts';

const indented = (text: string): string => text.replace(/^(?=.)/gm, '  ');

const block = (steps: readonly TourStep[]): string => `${indented(joinSteps(steps))}\n`;

const liveKeys = (demo: Demo): string => `
  Secret key   ${demoKey(demo, 'secret', 'live')}
  Public key   ${demoKey(demo, 'public', 'live')}`;

/** Live mode with the provider simulator in place of the providers. */
const simulator = (baseUrl: string, demo: Demo, payUrl: string): string => `
Live mode, with the provider simulator instead of the providers (no money moves):
${liveKeys(demo)}
  Transfers    ${payUrl}   (a form; the simulator forgets its accounts when it stops)

Paste this block to pay a checkout there:

${block(liveTour(baseUrl, demo, payUrl))}`;

/** Live mode with the providers that the environment names. */
const live = (baseUrl: string, demo: Demo): string => `
Live mode is on. Providers reach it at ${baseUrl}/providers/<provider>/notifications, so that address must be reachable from the internet.
${liveKeys(demo)}
`;

const liveMode = ({ baseUrl, demo, payUrl, hasLive }: StackInfo): string => {
  if (payUrl !== undefined) return simulator(baseUrl, demo, payUrl);
  return hasLive ? live(baseUrl, demo) : '';
};

type StackInfo = Pick<Stack, 'baseUrl' | 'demo' | 'payUrl' | 'hasLive' | 'rateLimits'>;

const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`;

/** The welcome for a stack that is restarted often. `milliseconds`: how long the start took. */
export const briefWelcome = ({ baseUrl }: StackInfo, dataDir: string, milliseconds: number): string => `
Ready on ${baseUrl}
Up in ${seconds(milliseconds)}. Webhooks arrive at ${baseUrl}${INBOX_PATH}. The demo keys are in ${fileIn(dataDir, 'demo')}.
`;

const limit = (perSecond: number): string => (perSecond === 0 ? 'no limit' : `${perSecond} requests a second`);

const limits = ({ live, test, publicAddress }: RateLimits): string =>
  `test keys ${limit(test)}, live keys ${limit(live)}, an address with a public key ${limit(publicAddress)}`;

/** What a person reads when the stack is up. `milliseconds`: how long the start took. */
export const welcome = (stack: StackInfo, dataDir: string, milliseconds: number): string => {
  const { baseUrl, demo, rateLimits } = stack;
  return `
Ready on ${baseUrl}
Up in ${seconds(milliseconds)}. Stop with Ctrl-C.

  Business     ${demo.business.name}, ${demo.business.id}
  Secret key   ${demoKey(demo, 'secret')}
  Public key   ${demoKey(demo, 'public')}
  Inbox        ${baseUrl}${INBOX_PATH}   (webhooks as they arrive, signatures checked)
  Shop         ${baseUrl}${SHOP_PATH}   (a demo shop: buy something and pay on the payment page)
  Pay          ${baseUrl}${SHOP_PATH}/pay   (starts an order there, and leads to its checkout_url)
  Dashboard    ${dashboardUrl(baseUrl)}   (sign in as ${DEMO_OWNER}; the code is at ${baseUrl}${MAIL_PATH})
  Docs         ${baseUrl}/docs   (for tools: ${baseUrl}/api/v1/openapi.json, .yaml, ${baseUrl}/api/v1/postman.json, and ${baseUrl}/llms.txt)
  Limits       ${limits(rateLimits)}
  Data         ${dataDir}   (to begin with empty data: npm start -- --reset)
  Log          ${fileIn(dataDir, 'log')}

Paste this block into another terminal. It needs bash or zsh, and curl.

${block(tour(baseUrl, demo))}${liveMode(stack)}`;
};
