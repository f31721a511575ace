import type { Simulator } from '#infra/local/simulator/simulator.ts';
import type { Attempt } from '#shared/checkouts/domain/attempt.ts';
import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import { firstReference, toCheckoutReference } from '#shared/providers/domain/attempt-reference.ts';
import { ProviderError, ProviderUnavailable } from '#shared/providers/domain/errors.ts';
import type { AccountIssuer } from '#shared/providers/ports.ts';
import type { ApiAnswer } from '#test/support/worlds/api-client.ts';
import type { Deps } from './lives.ts';
import { type Books, paymentsOfCheckout } from './money-books.ts';
import type { Meant } from './money-payers.ts';

/* Checkouts that name no provider: the faults of providers at their openings, and the rules that their attempts must meet in the end. */

/** The probability of each fault of a provider at an opening, beside the simulator's faults. The first fault that is drawn applies. */
const OPENING_ODDS = { refuses: 0.12, 'is away': 0.1, 'is silent': 0.08, 'opens and is silent': 0.3 } as const;
type OpeningFault = keyof typeof OPENING_ODDS;
/** The names under which `struck` counts the faults at the opening of a routed checkout. */
export const OPENING_FAULTS = Object.keys(OPENING_ODDS).map((fault) => `provider ${fault} at opening`);

const drawFault = (random: () => number): OpeningFault | undefined => {
  let left = random();
  for (const [fault, odds] of Object.entries(OPENING_ODDS)) {
    if (left < odds) return fault as OpeningFault;
    left -= odds;
  }
  return undefined;
};

/** Makes one request's providers fail at random at the opening of a payment account. Counts the faults into `struck`. */
export const failingAtOpening = (deps: Deps, random: () => number, struck: Record<string, number>): Deps => {
  let isWaitedFor = false;
  const ask = (issuer: AccountIssuer, wanted: Parameters<AccountIssuer['createPaymentAccount']>[0]) => {
    const fault = drawFault(random);
    isWaitedFor = fault === 'is silent' || fault === 'opens and is silent';
    if (!fault) return issuer.createPaymentAccount(wanted);
    const counted = `provider ${fault} at opening`;
    struck[counted] = (struck[counted] ?? 0) + 1;
    if (fault === 'refuses') return Promise.reject(new ProviderError('It takes no checkout now.'));
    if (fault === 'is away') return Promise.reject(new ProviderUnavailable('Nobody listens there.'));
    if (fault === 'opens and is silent') void issuer.createPaymentAccount(wanted).catch(() => {});
    return new Promise<never>(() => {});
  };
  return {
    ...deps,
    providers: (mode, name) => {
      const issuer = deps.providers(mode, name);
      return issuer && { ...issuer, createPaymentAccount: (wanted) => ask(issuer, wanted) };
    },
    // Skip the time-out of a silent provider.
    wait: (milliseconds) => (isWaitedFor ? Promise.resolve() : deps.wait(milliseconds)),
  };
};

/** Reads the shown account from an answer, for a payer. */
export const shownIn = ({ json }: ApiAnswer): Meant => {
  const { reference, provider, account_number: accountNumber, amount_to_pay } = json.data;
  return { provider, accountNumber, amount: Math.round(amount_to_pay * 100), for: reference };
};

/** Lists the accounts that providers opened for a checkout and that its answer does not show. */
export const hiddenAccounts = ({ books }: Pick<Simulator, 'books'>, reference: string, shown: string) =>
  books
    .accounts()
    .filter(
      ({ kind, number, reference: own }) =>
        kind === 'payment' && toCheckoutReference(own) === reference && number !== shown,
    );

/**
 * Lists attempts that did not end, accounts that were lost, and references that were used twice. `strange`: accounts of strangers, as
 * provider and reference. An account of a further try that was never shown has no owner (0024-own-charges.md).
 */
export const attemptProblems = (
  { checkouts }: Pick<Books, 'checkouts'>,
  simulator: Simulator['books'],
  strange: ReadonlySet<string>,
): readonly string[] => {
  const ours = simulator
    .accounts()
    .filter(({ kind, provider, reference }) => kind === 'payment' && !strange.has(`${provider} ${reference}`));
  const problems = [...Map.groupBy(ours, ({ reference }) => reference)]
    .filter(([, accounts]) => accounts.length > 1)
    .map(([reference, accounts]) => `${reference}: used at ${accounts.map(({ provider }) => provider)}`);
  const opened = new Set(ours.map(({ provider, reference }) => `${provider} ${reference}`));
  for (const { provider, reference, state, shownAt } of checkouts.flatMap(({ attempts }) => attempts)) {
    const hasAccount = opened.has(`${provider} ${reference}`) || opened.has(`${provider} ${firstReference(reference)}`);
    // Monnify knows a payment before it has an account.
    const isRight = state === 'open' ? hasAccount || shownAt === undefined : state === 'refused' && !hasAccount;
    if (!isRight) problems.push(`${reference} at ${provider}: ${state}, and has an account: ${hasAccount}`);
  }
  return problems;
};

/** Lists the checkouts that were announced as overpaid. */
const overpaidIn = ({ events }: Pick<Books, 'events'>): ReadonlySet<string> =>
  new Set(
    events
      .filter(({ type }) => type === 'checkout.overpaid')
      .map(({ body }) => (JSON.parse(body) as { readonly data: { readonly reference: string } }).data.reference),
  );

/** Lists the checkouts with two accepted payments that each cover the amount. */
const paidTwiceIn = (books: Books): readonly Checkout[] => {
  const acceptedOf = paymentsOfCheckout(books, 'accepted');
  return books.checkouts.filter(
    (checkout) => acceptedOf(checkout).filter(({ amount }) => amount >= checkout.amount).length > 1,
  );
};

/** Lists checkouts that were paid twice but never announced as overpaid. */
export const overpaidProblems = (books: Books): readonly string[] => {
  const overpaid = overpaidIn(books);
  return paidTwiceIn(books)
    .filter(({ reference }) => !overpaid.has(reference))
    .map(({ reference }) => `${reference}: paid twice, and never announced as overpaid`);
};

/** Finds the index of the attempt whose account was shown first. */
const firstShown = ({ attempts }: Checkout): number => {
  const shownAt = Math.min(...attempts.flatMap((attempt) => attempt.shownAt ?? []));
  return attempts.findIndex((attempt) => attempt.shownAt === shownAt);
};

/** Counts how often each case of routed checkouts occurred. */
export const routingFigures = (books: Books) => {
  const routed = books.checkouts.filter(({ isRouted }) => isRouted);
  const attempts = routed.flatMap((one) => one.attempts);
  const isShown = ({ shownAt }: Attempt): boolean => shownAt !== undefined;
  const isHidden = ({ state, shownAt }: Attempt): boolean => state === 'open' && shownAt === undefined;
  const paymentsOf = paymentsOfCheckout(books, 'accepted', 'reversed');
  /** Counts the shown and the hidden accounts that had accepted or reversed money. Each provider has one attempt. */
  const paidOn = (checkout: Checkout) => {
    const providers = new Set(paymentsOf(checkout).map(({ provider }) => provider));
    const paid = checkout.attempts.filter(({ provider }) => providers.has(provider));
    return { shown: paid.filter(isShown).length, hidden: paid.filter(isHidden).length };
  };
  const paid = routed.filter((one) => one.attempts.some(isHidden)).map(paidOn);
  /** Counts the routed checkouts that opened with the attempt in this place. */
  const openedAt = (place: number): number => routed.filter((one) => firstShown(one) === place).length;
  return {
    routed: routed.length,
    openAtFirst: openedAt(0),
    openAtSecond: openedAt(1),
    openAtThird: openedAt(2),
    otherAccounts: attempts.filter(isShown).length - routed.length,
    paidOnTwoShown: routed.map(paidOn).filter(({ shown }) => shown > 1).length,
    refusedAttempts: attempts.filter(({ state }) => state === 'refused').length,
    hiddenAccounts: attempts.filter(isHidden).length,
    paidOnShownAlone: paid.filter(({ shown, hidden }) => shown > 0 && hidden === 0).length,
    paidOnHiddenAlone: paid.filter(({ shown, hidden }) => hidden > 0 && shown === 0).length,
    paidOnBoth: paid.filter(({ shown, hidden }) => shown > 0 && hidden > 0).length,
    paidTwice: paidTwiceIn(books).length,
  };
};
