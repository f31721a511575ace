import { tour } from './commands.ts';
import { fileIn } from './data-dir.ts';
import { type Demo, testKey } from './demo.ts';
import { INBOX_PATH } from './inbox/routes.ts';

const indented = (text: string): string => text.replace(/^/gm, '  ');

/** What a person reads when the stack is up. `milliseconds` is how long that took. */
export const welcome = (baseUrl: string, demo: Demo, dataDir: string, milliseconds: number): string => `
Ready on ${baseUrl}
Up in ${(milliseconds / 1_000).toFixed(1)} s. Stop with Ctrl-C.

  Business     ${demo.business.name}, ${demo.business.id}
  Secret key   ${testKey(demo, 'secret')}
  Public key   ${testKey(demo, 'public')}
  Inbox        ${baseUrl}${INBOX_PATH}   (webhooks as they arrive, signatures checked)
  Data         ${dataDir}   (begin again: npm start -- --reset)
  Log          ${fileIn(dataDir, 'log')}

Paste these into another terminal, one after the other.

${tour(baseUrl, demo)
  .map(({ title, command }) => `${title}\n\n${indented(command)}\n`)
  .join('\n')}`;
