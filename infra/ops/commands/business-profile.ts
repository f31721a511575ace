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

/** The profile of a business, line by line. */
export const profileLines = ({ profile }: Business): (readonly [label: string, value: string])[] => [
  ['display name', profile.displayName],
  ['support', profile.support ? supportText(profile.support) : 'none'],
  ['websites', profile.websites.join(', ') || 'none'],
  ['brand colour', profile.brandColor ?? 'none'],
  ['logo', profile.logo ? logoText(profile.logo) : 'none'],
  ['routing', profile.isRouted ? 'on' : 'off'],
];

/** Commander gives false for `--no-…`. */
interface Options {
  readonly displayName?: string;
  readonly support?: string | false;
  readonly websites?: string | false;
  readonly brandColor?: string | false;
  readonly logo?: string | false;
  readonly routing?: boolean;
}

const orNull = (option: string | false | undefined): string | null | undefined => (option === false ? null : option);

/** The bytes of a file, in base64. @throws OperatorError */
const readLogoFile = async (path: string): Promise<string> => {
  try {
    return await readFile(path, 'base64');
  } catch {
    throw new OperatorError(`The file ${JSON.stringify(path)} cannot be read. Name a PNG or JPEG of this machine.`);
  }
};

const set = async (stage: Stage, businessId: string, options: Options): Promise<Answer> => {
  const { displayName, support, websites, brandColor, logo, routing } = options;
  const change = {
    displayName,
    support: orNull(support),
    websites: websites === false ? [] : websites?.split(','),
    brandColor: orNull(brandColor),
    isRouted: routing,
    logo: logo ? await readLogoFile(logo) : orNull(logo),
  };
  const business = await setProfile(stage, { businessId, change, who: await stage.operator() });
  return {
    json: { business: businessView(business) },
    text: paragraphs(`Payers see of ${business.name} now:`, fields(profileLines(business))),
  };
};

/** `business set`. */
export const addProfileCommand = (group: Command, run: Run): void => {
  group
    .command('set')
    .description('sets what payers see of a business on its payment page; what is not named stays')
    .argument('<business>', 'its id')
    .option('--display-name <name>', 'its name on the page and on the accounts of checkouts, 1 to 100 characters')
    .option('--support <where>', 'an e-mail address, a phone number such as +2348031234567, or an https page')
    .option('--no-support', 'shows none')
    .option('--websites <origins>', 'all of its websites, such as https://shop.example.ng, separated by commas')
    .option('--no-websites', 'it has none')
    .option('--brand-color <color>', 'such as #0a7d4f')
    .option('--no-brand-color', 'the colour of the page itself')
    .option('--logo <file>', 'a PNG or JPEG of at most 64 kB, 16 to 1024 pixels wide and high')
    .option('--no-logo', 'shows none; browsers that have seen it may keep it')
    .option('--routing', "checkouts that name no provider may go to the others of the stage's order")
    .option('--no-routing', 'they go to the default provider alone')
    .addHelpText(
      'after',
      examples(
        `business set ${BUSINESS} --display-name "Ada Stores" --support help@adastores.example`,
        `business set ${BUSINESS} --websites https://adastores.example,https://shop.adastores.example`,
      ),
    )
    .action((id: string, options: Options, command: Command) => run(command, (stage) => set(stage, id, options)));
};
