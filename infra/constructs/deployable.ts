import { PROD, parseDomain, type StageSettings, settingsError } from './stage-settings.ts';

/** A setting that a stage may lack until it is deployed; `of`: in this stage alone. */
interface Needed {
  readonly setting: string;
  readonly onlyIn?: string;
  readonly has: (settings: StageSettings) => boolean;
  readonly message: string | ((settings: StageSettings) => string);
}

const ELSEWHERE = 'credentials of another account or region would deploy it there';

const NEEDED: readonly Needed[] = [
  {
    setting: 'account',
    onlyIn: PROD,
    has: ({ account }) => account !== undefined,
    message: `must say where ${PROD} is, by the 12 digits of an AWS account: ${ELSEWHERE}`,
  },
  {
    setting: 'region',
    onlyIn: PROD,
    has: ({ region }) => region !== undefined,
    message: `must say where ${PROD} is, such as 'eu-west-1': ${ELSEWHERE}`,
  },
  {
    setting: 'alarms',
    onlyIn: PROD,
    has: ({ alarms }) => alarms !== undefined,
    message:
      "must say who is called: write alarms: { email: 'oncall@example.com' }, or { topicArn: … } of a topic in SNS, since without it nobody learns that money does not land",
  },
  {
    setting: 'mail.identity',
    has: ({ mail }) => mail === undefined || mail.identity !== undefined,
    message: ({ mail }) =>
      `must name what SES has verified, the domain or the address alone, such as identity: '${parseDomain(mail?.from ?? '')}': aws sesv2 list-email-identities shows them`,
  },
];

/**
 * What a stage must have before it is deployed, and may lack while it is only looked at, as by the operations command.
 * @throws Error with one sentence that says what to write.
 */
export const ensureDeployable = (settings: StageSettings): void => {
  const { stage } = settings;
  const missing = NEEDED.filter(({ onlyIn, has }) => (onlyIn === undefined || onlyIn === stage) && !has(settings));
  if (missing.length > 0) {
    throw settingsError(
      stage,
      missing.map(({ setting, message }) => `${setting} ${typeof message === 'string' ? message : message(settings)}`),
    );
  }
};
