import type { PROVIDERS } from '#shared/providers/domain/names.ts';

type ProviderName = (typeof PROVIDERS)[number];

/** The settings of a stage that the rules check. */
interface ProviderChoice {
  readonly stage: string;
  readonly providers: Readonly<Partial<Record<ProviderName, { readonly secretId?: string | undefined } | undefined>>>;
  readonly defaultProvider: ProviderName;
  readonly routing: { readonly order: readonly ProviderName[] };
  readonly sandbox?: unknown;
}

interface ProviderRule {
  readonly setting: string;
  readonly holds: (choice: ProviderChoice) => boolean;
  readonly message: string;
}

/** Rules for a stage's enabled providers, its default provider and its routing order. */
export const PROVIDER_RULES: readonly ProviderRule[] = [
  {
    setting: 'defaultProvider',
    holds: ({ providers, defaultProvider }) =>
      providers[defaultProvider] !== undefined || Object.values(providers).every((provider) => provider === undefined),
    message: 'must be one of the enabled providers',
  },
  {
    setting: 'routing.order',
    holds: ({ routing: { order } }) => new Set(order).size === order.length,
    message: 'must not name a provider twice',
  },
  {
    setting: 'routing.order',
    holds: ({ routing: { order }, defaultProvider }) => order.length === 0 || order[0] === defaultProvider,
    message: 'must begin with defaultProvider, which businesses without routing use',
  },
  {
    setting: 'routing.order',
    holds: ({ routing: { order }, providers }) =>
      order.every((name) => providers[name] !== undefined) ||
      Object.values(providers).every((provider) => provider === undefined),
    message: 'must name only enabled providers',
  },
  {
    setting: 'sandbox',
    holds: ({ stage, sandbox }) => stage !== 'prod' || sandbox === undefined,
    message: 'must be left out in prod, because it makes test checkouts of every business fail',
  },
  {
    setting: 'providers',
    holds: ({ providers }) => Object.values(providers).every((provider) => provider?.secretId === undefined),
    message: 'must leave secretId out, because the data stack creates and names the secrets',
  },
];
