import type { Fixture } from './fixture.ts';

/** A call that no adapter makes: the path is below the base URL. */
export interface SandboxRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The steps of a try, in their order. */
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

/** A fixture's name; several where sources disagree: the one that fits best counts. Null where no source has the answer: it is not compared. */
type Names<Name> = Name | readonly Name[] | null;
/** Names by the step that makes the call; `usually` is for all steps without a name of their own. */
type ByStep<Name> = Partial<Record<StepName | 'usually', Names<Name>>>;

/** A call that an adapter makes, and the fixtures that its answers are compared with. */
export interface TrialCall<Answer, Row> {
  readonly method: SandboxRequest['method'];
  /** Variable parts are in braces: `/charge/{reference}`. Reports show it in place of the real path. */
  readonly path: string;
  /** In steps that it does not name, the call is not expected. */
  readonly answer: ByStep<Answer>;
  /** The path to a list's rows, or to a single one, and the fixtures of a row of ours. Rows of others are not compared. */
  readonly rows?: { readonly at: string; readonly fixture: ByStep<Row> };
}

interface FixtureSet {
  readonly answers: Readonly<Record<string, Fixture>>;
  readonly rows: Readonly<Record<string, Fixture>>;
}

/** What is tried at a provider beside the steps that are the same everywhere. */
interface Trial<Answer, Row> {
  /** Settings of its sandbox, where none are given. */
  readonly sandboxSettings: Readonly<Record<string, string>>;
  /** Why these credentials and this address may move money; undefined for those of a sandbox. */
  readonly objection: (access: {
    readonly baseUrl: URL;
    readonly credentials: Readonly<Record<string, unknown>>;
  }) => string | undefined;
  readonly calls: readonly TrialCall<Answer, Row>[];
  /** What cannot be tried there, and why. */
  readonly cannot: Partial<Record<StepName, string>>;
  /** Pays a virtual account in the sandbox, where the provider has a call for it. */
  readonly credit?: (
    credentials: Readonly<Record<string, unknown>>,
    accountNumber: string,
    naira: number,
  ) => SandboxRequest;
}

/** A provider as a try uses it. */
export interface ProviderTrial extends Trial<string, string> {
  readonly fixtures: FixtureSet;
}

/** Declares what is tried at a provider; checks that each named fixture exists. */
export const defineTrial = <F extends FixtureSet>(
  fixtures: F,
  trial: Trial<keyof F['answers'] & string, keyof F['rows'] & string>,
): ProviderTrial => ({ ...trial, fixtures });

/** The names of the fixtures for a step, none where no source has the answer; undefined where the step is not expected to make the call. */
export const fixturesFor = (names: ByStep<string>, step: StepName): readonly string[] | undefined => {
  const fixtureNames = names[step] === undefined ? names.usually : names[step];
  if (fixtureNames === undefined) return undefined;
  return fixtureNames === null ? [] : [fixtureNames].flat();
};

/** Whether an address is on this machine, as the simulator's is. */
export const isLoopback = ({ hostname }: URL): boolean => /^(127\.0\.0\.1|localhost|\[::1\])$/.test(hostname);

/** Why a secret key of a provider whose keys begin with their mode is refused; undefined for one of test mode. */
export const testKeyObjection = ({
  credentials: { secretKey, previousSecretKey },
}: {
  readonly credentials: Readonly<Record<string, unknown>>;
}): string | undefined =>
  [secretKey, previousSecretKey ?? secretKey].every((key) => String(key).startsWith('sk_test_'))
    ? undefined
    : 'Its keys must begin with sk_test_.';
