import { CfnSecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { ProviderName } from './environment.ts';
import { hashKeyName, KEYS_FOR, type KeysVariable, keysName, providerSecretName } from './names.ts';
import { toRemovalPolicy } from './payments-table.ts';
import type { StageSettings } from './stage-settings.ts';

/** Length of keys in characters. The functions need at least 32. */
const KEY_LENGTH = 64;

/** Creates the secret with the key of a stage's hashes. Secrets Manager generates the key at the first deployment, and nobody sees it. */
export const hashKeySecret = (scope: Construct, settings: StageSettings): Secret =>
  new Secret(scope, 'HashKey', {
    secretName: hashKeyName(settings.stage),
    description:
      'The key for hashes of request bodies, cursors and e-mail addresses. Never change it: with another key, customers are not found by e-mail.',
    generateSecretString: { passwordLength: KEY_LENGTH, excludePunctuation: true },
    removalPolicy: toRemovalPolicy(settings),
  });

const KEYS_DESCRIPTIONS: Readonly<Record<KeysVariable, string>> = {
  SIGN_IN_KEYS: 'Keys for the sign-in codes of members',
  PAGE_LINK_KEYS: 'Keys for the links of payment pages',
  WEBHOOK_KEYS: 'Keys that encrypt the secrets of webhook endpoints in the table',
};

/**
 * Creates the secret with the keys of one purpose, as JSON. Secrets Manager generates the key at the first deployment, and nobody sees it.
 * Later deployments never change its value.
 */
export const keysSecret = (scope: Construct, settings: StageSettings, variable: KeysVariable): Secret =>
  new Secret(scope, `${KEYS_FOR[variable]}-keys`, {
    secretName: keysName(settings.stage, variable),
    description: `${KEYS_DESCRIPTIONS[variable]}: a JSON object with "key", and with "previousKey" during a rotation.`,
    generateSecretString: {
      secretStringTemplate: '{}',
      generateStringKey: 'key',
      passwordLength: KEY_LENGTH,
      excludePunctuation: true,
    },
    removalPolicy: toRemovalPolicy(settings),
  });

/**
 * Creates the secret for a provider's credentials. It has no value, because a generated one would look like credentials. The provider stays
 * off until an operator sets a value. Deployments never change the value. `contents` describes what the secret must contain.
 */
export const providerSecret = (
  scope: Construct,
  settings: StageSettings,
  provider: ProviderName,
  contents: string,
): CfnSecret => {
  const secret = new CfnSecret(scope, `${provider}-credentials`, {
    name: providerSecretName(settings.stage, provider),
    description: `Credentials at ${provider}: ${contents}.`,
  });
  secret.applyRemovalPolicy(toRemovalPolicy(settings));
  return secret;
};
