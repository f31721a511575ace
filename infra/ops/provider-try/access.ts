import * as z from 'zod';
import { runningStack } from '#infra/ops/local-stage.ts';
import { OperatorError } from '#infra/ops/operator-error.ts';
import { parseJson } from '#shared/platform/json.ts';
import type { AnySettings } from '#shared/providers/common/description.ts';
import { isLoopback, type ProviderTrial } from '#shared/providers/common/simulator/tried-provider.ts';
import {
  credentialsVariable,
  NoCredentials,
  parseCredentials,
  readCredentials,
} from '#shared/providers/credentials.ts';
import type { Customer, ProviderName } from '#shared/providers/domain/provider.ts';
import { REGISTRY, type RegisteredProvider } from '#shared/providers/registry.ts';
import type { ProviderSettings } from '#shared/providers/settings.ts';

/** A sandbox, and what opens it. */
export interface SandboxAccess {
  readonly settings: z.infer<AnySettings>;
  readonly credentials: Readonly<Record<string, unknown>>;
}

/** Where a try gets settings and credentials from, beside the environment. */
export interface AccessOptions {
  /** Takes the place of the address in the settings. */
  readonly baseUrl: string | undefined;
  /** Of a deployed stage, with the secret that it reads. Undefined without one. */
  readonly stageSettings: ProviderSettings | undefined;
}

const objectIn = (variable: string): Readonly<Record<string, unknown>> => {
  const text = process.env[variable]?.trim();
  const parsed = z.record(z.string(), z.unknown()).safeParse(text ? parseJson(text) : {});
  if (!parsed.success) throw new OperatorError(`The variable ${variable} does not hold a JSON object.`);
  return parsed.data;
};

/** What the environment or, without credentials there, a running local stack with `--live-simulator` says of a provider. */
const localAccess = (name: ProviderName) => {
  const fromEnvironment = process.env[credentialsVariable(name)];
  const live = fromEnvironment?.trim() ? undefined : runningStack()?.live;
  return {
    settings: live?.settings[name] ?? objectIn('PROVIDERS')[name] ?? {},
    credentials: live?.credentials[name] ?? fromEnvironment,
  };
};

/** The settings of a try as the provider's description has them. @throws OperatorError that names what is missing or wrong. */
const settingsFrom = (name: ProviderName, raw: object): z.infer<AnySettings> => {
  const registered: RegisteredProvider = REGISTRY[name];
  const parsed = registered.settings.safeParse(raw);
  if (parsed.success) return parsed.data;
  const wrong = [...new Set(parsed.error.issues.map(({ path }) => path.join('.')))].join(' and ');
  throw new OperatorError(
    `The settings of ${name} lack ${wrong} or have a wrong one. Set PROVIDERS='{"${name}": {…}}'; docs/operating/first-deployment.md lists them.`,
  );
};

const readAccess = async (
  name: ProviderName,
  { sandboxSettings }: ProviderTrial,
  { baseUrl, stageSettings }: AccessOptions,
): Promise<SandboxAccess> => {
  const schema = REGISTRY[name].credentials;
  const address = baseUrl === undefined ? {} : { baseUrl };
  if (stageSettings) {
    const settings = stageSettings[name];
    if (!settings) throw new OperatorError(`The stage has not enabled ${name}. Name it in infra/config.ts and deploy.`);
    const credentials = await readCredentials({ name, schema, secretId: settings.secretId });
    return { settings: { ...settings, ...address }, credentials };
  }
  const local = localAccess(name);
  // The simulator has the banks of live mode.
  const defaults = baseUrl === undefined ? sandboxSettings : {};
  return {
    settings: settingsFrom(name, { ...defaults, ...local.settings, ...address }),
    credentials: parseCredentials({ name, schema, secretId: undefined }, local.credentials),
  };
};

/**
 * Reads the settings and credentials of a sandbox.
 * @throws OperatorError where something is missing, and for everything that may move money, whatever the caller says.
 */
export const sandboxAccess = async (
  name: ProviderName,
  tried: ProviderTrial,
  options: AccessOptions,
): Promise<SandboxAccess> => {
  const access = await readAccess(name, tried, options).catch((error: unknown) => {
    throw error instanceof NoCredentials ? new OperatorError(error.message) : error;
  });
  const baseUrl = new URL(access.settings.baseUrl);
  if (baseUrl.protocol !== 'https:' && !isLoopback(baseUrl)) {
    throw new OperatorError('The credentials are sent over https only. Write a base URL that begins with https://.');
  }
  const objection = tried.objection({ baseUrl, credentials: access.credentials });
  if (objection !== undefined) {
    throw new OperatorError(`Only a sandbox is tried, never live mode, and nothing was sent. ${objection}`);
  }
  return access;
};

/** Invented, with identity numbers that no sandbox takes for a real person's. */
const SOMEBODY = {
  name: 'Ifeoluwa Tryson Adebanjo',
  phone: '+2348030000100',
  email: 'ifeoluwa.adebanjo@example.com',
  bvn: '21212121212',
  nin: '12121212121',
};

const customer = z.strictObject({
  name: z.string().min(3).default(SOMEBODY.name),
  phone: z.string().default(SOMEBODY.phone),
  email: z.email().default(SOMEBODY.email),
  bvn: z.string().default(SOMEBODY.bvn),
  nin: z.string().default(SOMEBODY.nin),
});

/**
 * The customer of a try: invented, or what the variable TRY_CUSTOMER says, where the sandbox wants somebody whom it knows. A variable,
 * because arguments of commands stay in the history of a shell. @throws OperatorError for a wrong one, naming fields only.
 */
export const triedCustomer = (): Customer => {
  const parsed = customer.safeParse(objectIn('TRY_CUSTOMER'));
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : issue.path));
  throw new OperatorError(`TRY_CUSTOMER has a field that is wrong or unknown: ${wrong.join(', ')}.`);
};
