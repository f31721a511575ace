import type { Fixture } from './fixture.ts';

/** A request to a sandbox that no adapter makes, such as a payment into an account. The path is below the base URL. */
export interface SandboxRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The steps of `ops provider try`, in their order. */
export const STEP_NAMES = [
  'credentials',
  'unknown_reference',
  'account',
  'account_again',
  'account_found',
  'checkout',
  'checkout_again',
  'unpaid',
  'list',
  'credit',
  'credit_listed',
  'paid',
  'paid_listed',
  'account_closed',
] as const;
export type StepName = (typeof STEP_NAMES)[number];

/** A fixture's name, or several if sources disagree: then the best match counts. Null if no source has the answer, which is then not compared. */
type Names<Name> = Name | readonly Name[] | null;
/** Names by the step that makes the call. `usually` applies to each step that is not listed. */
type ByStep<Name> = Partial<Record<StepName | 'usually', Names<Name>>>;

/** A call of an adapter, and the fixtures to compare its answers with. */
export interface TrialCall<Answer, Row> {
  readonly method: SandboxRequest['method'];
  /** Variable parts are in braces: `/charge/{reference}`. Reports show this instead of the real path. */
  readonly path: string;
  /** The answer's fixtures by step. Without `usually`, the call is not expected in a step that is missing here. */
  readonly answer: ByStep<Answer>;
  /** `at` is the path to the rows of a list, or to a single row. `fixture` has the fixtures of our own rows; other rows are not compared. */
  readonly rows?: { readonly at: string; readonly fixture: ByStep<Row> };
}

interface FixtureSet {
  readonly answers: Readonly<Record<string, Fixture>>;
  readonly rows: Readonly<Record<string, Fixture>>;
}

/** The parts of a try that differ from provider to provider. */
interface Trial<Answer, Row> {
  /** Default settings for the provider's sandbox. */
  readonly sandboxSettings: Readonly<Record<string, string>>;
  /** Explains why these credentials or this address might move real money; undefined if they belong to a sandbox. */
  readonly objection: (access: {
    readonly baseUrl: URL;
    readonly credentials: Readonly<Record<string, unknown>>;
  }) => string | undefined;
  readonly calls: readonly TrialCall<Answer, Row>[];
  /** The steps that cannot be tried in the provider's sandbox, with the reason. */
  readonly cannot: Partial<Record<StepName, string>>;
  /** Pays a virtual account in the sandbox. Absent if the provider has no call for it. */
  readonly credit?: (
    credentials: Readonly<Record<string, unknown>>,
    accountNumber: string,
    naira: number,
  ) => SandboxRequest;
}

/** All that a try needs to know about a provider. */
export interface ProviderTrial extends Trial<string, string> {
  readonly fixtures: FixtureSet;
}

/** Declares the try of a provider. The types check that each named fixture exists. */
export const defineTrial = <F extends FixtureSet>(
  fixtures: F,
  trial: Trial<keyof F['answers'] & string, keyof F['rows'] & string>,
): ProviderTrial => ({ ...trial, fixtures });

/** Finds the fixtures of a step: an empty list if no source has the answer, undefined if the step should not make the call. */
export const fixturesFor = (names: ByStep<string>, step: StepName): readonly string[] | undefined => {
  const fixtureNames = names[step] === undefined ? names.usually : names[step];
  if (fixtureNames === undefined) return undefined;
  return fixtureNames === null ? [] : [fixtureNames].flat();
};

/** Whether an address is on this machine, like the simulator's. */
export const isLoopback = ({ hostname }: URL): boolean => /^(127\.0\.0\.1|localhost|\[::1\])$/.test(hostname);

/** Explains why a secret key is refused; undefined for a key of test mode. For providers whose secret keys name their mode (`sk_test_…`, `sk_live_…`). */
export const testKeyObjection = ({
  credentials: { secretKey, previousSecretKey },
}: {
  readonly credentials: Readonly<Record<string, unknown>>;
}): string | undefined =>
  [secretKey, previousSecretKey ?? secretKey].every((key) => String(key).startsWith('sk_test_'))
    ? undefined
    : 'The keys must begin with sk_test_.';
