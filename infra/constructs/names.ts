/** The first part of the name of every resource of this service in an AWS account. */
export const SERVICE = 'payments';

/** The name of a resource of a stage. */
export const resourceName = (stage: string, name: string): string => `${SERVICE}-${stage}-${name}`;

/** The access log of API Gateway, with one line for each request. */
export const accessLogName = (stage: string): string => `/aws/vendedlogs/${resourceName(stage, 'access')}`;
/** The log group of a function; with `*`, a pattern for all functions of a stage. */
export const functionLogName = (stage: string, functionName: string): string =>
  `/aws/lambda/${resourceName(stage, functionName)}`;

/** The CDK stack of everything that must not be lost. */
export const dataStackName = (stage: string): string => resourceName(stage, 'data');
/** The CDK stack of the API and its functions, which can be created again at any time. */
export const apiStackName = (stage: string): string => resourceName(stage, 'api');

/** The CDK stack of the dashboard. */
export const dashboardStackName = (stage: string): string => resourceName(stage, 'dashboard');

/** The SES configuration set of a stage's mails. */
export const mailConfigurationSetName = (stage: string): string => resourceName(stage, 'mail');

/** The table of a stage. A restored table has another name. */
export const tableName = (stage: string): string => resourceName(stage, 'table');

/** The secret with the key of a stage's hashes. */
export const hashKeyName = (stage: string): string => `/${SERVICE}/${stage}/hash-key`;

/** The purpose of each secret with keys, by the environment variable that has the secret's name. */
export const KEYS_FOR = { SIGN_IN_KEYS: 'sign-in', PAGE_LINK_KEYS: 'page-links', WEBHOOK_KEYS: 'webhooks' } as const;
/** An environment variable with the name of a secret with keys. */
export type KeysVariable = keyof typeof KEYS_FOR;
export const KEYS_VARIABLES = Object.keys(KEYS_FOR) as readonly KeysVariable[];

/** The name of the secret with the keys of one purpose. */
export const keysName = (stage: string, variable: KeysVariable): string =>
  `/${SERVICE}/${stage}/keys/${KEYS_FOR[variable]}`;

/** The name of the secret with a provider's credentials. */
export const providerSecretName = (stage: string, provider: string): string =>
  `/${SERVICE}/${stage}/providers/${provider}`;
