import { CfnSecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { ProviderName } from './environment.ts';
import { hashKeyName, KEYS_FOR, type KeysVariable, keysName, providerSecretName } from './names.ts';
import { toRemovalPolicy } from './payments-table.ts';
import type { StageSettings } from './stage-settings.ts';

/** Characters; the functions ask for 32 at least. */
const KEY_LENGTH = 64;

/** The key of a stage's hashes, made by Secrets Manager at the first deployment and seen by nobody. */
export const hashKeySecret = (scope: Construct, settings: StageSettings): Secret =>
  new Secret(scope, 'HashKey', {
    secretName: hashKeyName(settings.stage),
    description:
      'Keys the hashes of request bodies, cursors and e-mail addresses. It stays for the life of the stage: with another one, customers are not found by e-mail.',
    generateSecretString: { passwordLength: KEY_LENGTH, excludePunctuation: true },
    removalPolicy: toRemovalPolicy(settings),
  });

const KEYS_DESCRIPTIONS: Readonly<Record<KeysVariable, string>> = {
  SIGN_IN_KEYS: 'Makes the codes that members sign in with',
  PAGE_LINK_KEYS: 'Makes the links of payment pages',
  WEBHOOK_KEYS: 'Encrypts the secrets of webhook endpoints in the table',
};

/**
 * The secret for keys of one purpose, as JSON: Secrets Manager makes the key at the first deployment, and nobody sees it. A deployment
 * never touches what was put since.
 */
export const keysSecret = (scope: Construct, settings: StageSettings, variable: KeysVariable): Secret =>
  new Secret(scope, `${KEYS_FOR[variable]}-keys`, {
    secretName: keysName(settings.stage, variable),
    description: `${KEYS_DESCRIPTIONS[variable]}: a JSON object with key; previousKey while it is being rotated.`,
    generateSecretString: {
      secretStringTemplate: '{}',
      generateStringKey: 'key',
      passwordLength: KEY_LENGTH,
      excludePunctuation: true,
    },
    removalPolicy: toRemovalPolicy(settings),
  });

/**
 * The secret for a provider's credentials. It begins without a value, and the provider stays switched off until an operator
 * puts one: a generated one would look as if it were set. A deployment never touches what was put. `holds`: what belongs in it.
 */
export const providerSecret = (
  scope: Construct,
  settings: StageSettings,
  provider: ProviderName,
  holds: string,
): CfnSecret => {
  const secret = new CfnSecret(scope, `${provider}-credentials`, {
    name: providerSecretName(settings.stage, provider),
    description: `Credentials at ${provider}: ${holds}.`,
  });
  secret.applyRemovalPolicy(toRemovalPolicy(settings));
  return secret;
};
