import { PROD, parseDomain, type StageSettings, settingsError } from './stage-settings.ts';

/** A setting that a stage needs when it is deployed. `onlyIn`: the only stage that needs the setting; undefined: every stage needs it. */
interface NeededSetting {
  readonly setting: string;
  readonly onlyIn?: string;
  readonly has: (settings: StageSettings) => boolean;
  readonly message: string | ((settings: StageSettings) => string);
}

const REASON = 'otherwise credentials of another account or region would deploy it there';

const NEEDED_SETTINGS: readonly NeededSetting[] = [
  {
    setting: 'account',
    onlyIn: PROD,
    has: ({ account }) => account !== undefined,
    message: `must be the 12 digits of the AWS account of ${PROD}: ${REASON}`,
  },
  {
    setting: 'region',
    onlyIn: PROD,
    has: ({ region }) => region !== undefined,
    message: `must be the region of ${PROD}, such as 'eu-west-1': ${REASON}`,
  },
  {
    setting: 'alarms',
    onlyIn: PROD,
    has: ({ alarms }) => alarms !== undefined,
    message:
      "must say who gets the alarms, because otherwise nobody learns that money does not land: set alarms: { email: 'oncall@example.com' }, or { topicArn: … } of an SNS topic",
  },
  {
    setting: 'mail.identity',
    has: ({ mail }) => mail === undefined || mail.identity !== undefined,
    message: ({ mail }) =>
      `must be the domain or address that SES has verified, such as identity: '${parseDomain(mail?.from ?? '')}' (see "aws sesv2 list-email-identities")`,
  },
];

/**
 * Checks the settings that a stage needs only when it is deployed. The operations command works without them.
 * @throws Error with one sentence that says what to set.
 */
export const ensureDeployable = (settings: StageSettings): void => {
  const { stage } = settings;
  const missing = NEEDED_SETTINGS.filter(
    ({ onlyIn, has }) => (onlyIn === undefined || onlyIn === stage) && !has(settings),
  );
  if (missing.length > 0) {
    throw settingsError(
      stage,
      missing.map(({ setting, message }) => `${setting} ${typeof message === 'string' ? message : message(settings)}`),
    );
  }
};
