/** What everything of this service is called by in an AWS account. */
export const SERVICE = 'payments';

/** The name of a resource of a stage. */
export const resourceName = (stage: string, what: string): string => `${SERVICE}-${stage}-${what}`;

/** The log of the API Gateway, one line a request. */
export const accessLogName = (stage: string): string => `/aws/vendedlogs/${resourceName(stage, 'access')}`;
/** The log of a function; with `*`, of all that a stage has. */
export const functionLogName = (stage: string, functionName: string): string =>
  `/aws/lambda/${resourceName(stage, functionName)}`;

/** The stack of what must never be lost. */
export const dataStackName = (stage: string): string => resourceName(stage, 'data');
/** The stack of what can be made again at any time. */
export const apiStackName = (stage: string): string => resourceName(stage, 'api');

/** The stack of the dashboard, where a stage has one. */
export const dashboardStackName = (stage: string): string => resourceName(stage, 'dashboard');

/** The configuration set that a stage's mails are sent by in SES. */
export const mailConfigurationSetName = (stage: string): string => resourceName(stage, 'mail');

/** The one table of a stage, which a restored one stands beside. */
export const tableName = (stage: string): string => resourceName(stage, 'table');

/** The secret that keys a stage's hashes. */
export const hashKeyName = (stage: string): string => `/${SERVICE}/${stage}/hash-key`;

/** What the keys of a stage are for, by the variable that tells a function where they are. */
export const KEYS_FOR = { SIGN_IN_KEYS: 'sign-in', PAGE_LINK_KEYS: 'page-links', WEBHOOK_KEYS: 'webhooks' } as const;
/** A variable that tells a function where keys are. */
export type KeysVariable = keyof typeof KEYS_FOR;
/** All of them. */
export const KEYS_VARIABLES = Object.keys(KEYS_FOR) as readonly KeysVariable[];

/** The secret that holds keys of a stage. */
export const keysName = (stage: string, variable: KeysVariable): string =>
  `/${SERVICE}/${stage}/keys/${KEYS_FOR[variable]}`;

/** The secret that holds the credentials of a provider of a stage. */
export const providerSecretName = (stage: string, provider: string): string =>
  `/${SERVICE}/${stage}/providers/${provider}`;
