import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { Stage } from '#infra/ops/connect.ts';
import { OperatorError } from '#infra/ops/operator-error.ts';
import { type Answer, examples, fields, paragraphs } from '#infra/ops/output.ts';
import type { Run } from '#infra/ops/run.ts';
import { businessView } from '#infra/ops/views.ts';
import type { Business } from '#shared/businesses/domain/business.ts';
import { supportText } from '#shared/businesses/domain/profile.ts';
import { logoText, setProfile } from '#shared/businesses/use-cases/set-profile.ts';
import { BUSINESS } from './example-ids.ts';

/** Labels and values of a business's profile, for people to read. */
export const profileLines = ({ profile }: Business): (readonly [label: string, value: string])[] => [
  ['display name', profile.displayName],
  ['support', profile.support ? supportText(profile.support) : 'none'],
  ['websites', profile.websites.join(', ') || 'none'],
  ['brand colour', profile.brandColor ?? 'none'],
  ['logo', profile.logo ? logoText(profile.logo) : 'none'],
  ['routing', profile.isRouted ? 'on' : 'off'],
];

/** The options of `business set`. Commander sets an option to false if its `--no-…` is given. */
interface Options {
  readonly displayName?: string;
  readonly support?: string | false;
  readonly websites?: string | false;
  readonly brandColor?: string | false;
  readonly logo?: string | false;
  readonly routing?: boolean;
}

const falseToNull = (option: string | false | undefined): string | null | undefined =>
  option === false ? null : option;

/** Reads a file as base64. @throws OperatorError if it cannot be read. */
const readLogoFile = async (path: string): Promise<string> => {
  try {
    return await readFile(path, 'base64');
  } catch {
    throw new OperatorError(
      `The file ${JSON.stringify(path)} cannot be read. Give the path of a PNG or JPEG on this machine.`,
    );
  }
};

const set = async (stage: Stage, businessId: string, options: Options): Promise<Answer> => {
  const { displayName, support, websites, brandColor, logo, routing } = options;
  const change = {
    displayName,
    support: falseToNull(support),
    websites: websites === false ? [] : websites?.split(','),
    brandColor: falseToNull(brandColor),
    isRouted: routing,
    logo: logo ? await readLogoFile(logo) : falseToNull(logo),
  };
  const business = await setProfile(stage, { businessId, change, actor: await stage.operator() });
  return {
    json: { business: businessView(business) },
    text: paragraphs(`Payers of ${business.name} now see:`, fields(profileLines(business))),
  };
};

/** `business set`. */
export const addProfileCommand = (group: Command, run: Run): void => {
  group
    .command('set')
    .description('changes what payers see of a business on its payment page; options that are not given change nothing')
    .argument('<business>', 'the id of the business')
    .option(
      '--display-name <name>',
      'the name on the payment page and on the accounts of checkouts, 1 to 100 characters',
    )
    .option('--support <contact>', 'an e-mail address, a phone number such as +2348031234567, or an https address')
    .option('--no-support', 'removes the support contact')
    .option(
      '--websites <origins>',
      'all websites of the business, such as https://shop.example.ng, separated by commas',
    )
    .option('--no-websites', 'removes all websites')
    .option('--brand-color <color>', 'a colour such as #0a7d4f')
    .option('--no-brand-color', 'goes back to the default colour of the payment page')
    .option('--logo <file>', 'a PNG or JPEG of at most 64 kB, 16 to 1024 pixels wide and high')
    .option('--no-logo', 'removes the logo; browsers that have loaded it may keep it')
    .option('--routing', "checkouts that name no provider may go to any provider in the stage's routing order")
    .option('--no-routing', 'checkouts that name no provider go to the default provider only')
    .addHelpText(
      'after',
      examples(
        `business set ${BUSINESS} --display-name "Ada Stores" --support help@adastores.example`,
        `business set ${BUSINESS} --websites https://adastores.example,https://shop.adastores.example`,
      ),
    )
    .action((id: string, options: Options, command: Command) => run(command, (stage) => set(stage, id, options)));
};
