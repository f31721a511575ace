import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmulators, stopEmulators } from '#test/support/emulators/start-emulators.ts';
import type { Attempt } from './attempt.ts';
import { attackThroughLists } from './lists.ts';
import { attackAsPayer } from './payers.ts';
import { attackProviders } from './providers.ts';
import { attackPublicKeys } from './public-keys.ts';
import { attackWithRefusedKeys } from './refused-keys.ts';
import { attackAsStranger } from './strangers.ts';
import type { TargetOptions } from './target.ts';
import { attackWebhooks } from './webhooks.ts';

const HELP = `Plays an attacker against a local stack that it starts, and prints the cost of each attempt for the attacker and for the service.

  npm run attack                      all attacks, about two minutes
  npm run attack -- strangers         some of: providers payers keys refused webhooks strangers lists
  npm run attack -- --stack ../older  against the local stack of another working copy, to compare two versions`;

const ATTACKS: Readonly<Record<string, (options: TargetOptions) => Promise<Attempt[]>>> = {
  providers: attackProviders,
  payers: attackAsPayer,
  keys: attackPublicKeys,
  refused: attackWithRefusedKeys,
  webhooks: attackWebhooks,
  strangers: attackAsStranger,
  lists: attackThroughLists,
};

const { values, positionals } = parseArgs({
  options: { stack: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => ATTACKS[name] === undefined);
if (values.help || unknown.length > 0) {
  console.log(HELP);
  process.exit(unknown.length > 0 ? 2 : 0);
}

const directory = resolve(values.stack ?? '.');
console.log(`The local stack of ${values.stack ?? 'this working copy'}:\n`);
console.log('| Door | Attempt | What it cost the attacker | What it cost the service, or others |\n|---|---|---|---|');
await startEmulators();
try {
  for (const name of positionals.length > 0 ? positionals : Object.keys(ATTACKS)) {
    for (const { door, attempt, cost, harm } of (await ATTACKS[name]?.({ directory })) ?? []) {
      console.log(`| ${door} | ${attempt} | ${cost} | ${harm} |`);
    }
  }
} finally {
  await stopEmulators();
}
process.exit();
