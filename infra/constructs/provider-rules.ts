import type { PROVIDERS } from '#shared/providers/domain/names.ts';

type ProviderName = (typeof PROVIDERS)[number];

/** A stage's choice of providers, as far as rules ask. */
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

/** Rules of a stage's providers: which are enabled, which is the default, and where checkouts may be routed. */
export const PROVIDER_RULES: readonly ProviderRule[] = [
  {
    setting: 'defaultProvider',
    holds: ({ providers, defaultProvider }) =>
      providers[defaultProvider] !== undefined || Object.values(providers).every((provider) => provider === undefined),
    message: 'must be one of the providers that are enabled',
  },
  {
    setting: 'routing.order',
    holds: ({ routing: { order } }) => new Set(order).size === order.length,
    message: 'must name each provider once',
  },
  {
    setting: 'routing.order',
    holds: ({ routing: { order }, defaultProvider }) => order.length === 0 || order[0] === defaultProvider,
    message: 'must begin with defaultProvider, which businesses without routing go to',
  },
  {
    setting: 'routing.order',
    holds: ({ routing: { order }, providers }) =>
      order.every((name) => providers[name] !== undefined) ||
      Object.values(providers).every((provider) => provider === undefined),
    message: 'must name providers that are enabled',
  },
  {
    setting: 'sandbox',
    holds: ({ stage, sandbox }) => stage !== 'prod' || sandbox === undefined,
    message: 'must be left out in prod, since it would fail the tests of every business',
  },
  {
    setting: 'providers',
    holds: ({ providers }) => Object.values(providers).every((provider) => provider?.secretId === undefined),
    message: 'must leave secretId out, since the data stack makes and names the secrets',
  },
];
