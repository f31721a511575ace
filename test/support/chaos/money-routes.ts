import type { Simulator } from '#infra/local/simulator/simulator.ts';
import type { Attempt } from '#shared/checkouts/domain/attempt.ts';
import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import { toCheckoutReference, toFirstReference } from '#shared/providers/domain/attempt-reference.ts';
import { ProviderError, ProviderUnavailable } from '#shared/providers/domain/errors.ts';
import type { AccountIssuer } from '#shared/providers/ports.ts';
import type { ApiAnswer } from '#test/support/worlds/api-client.ts';
import type { Deps } from './lives.ts';
import { type Books, indexPayments } from './money-books.ts';
import type { IntendedTransfer } from './money-payers.ts';

/* Checkouts that name no provider: the faults of providers at their openings, and the rules that their attempts must meet in the end. */

/** The probability of each fault of a provider at an opening, beside the simulator's faults. The first fault that is drawn applies. */
const OPENING_ODDS = { refuses: 0.12, 'is away': 0.1, 'is silent': 0.08, 'opens and is silent': 0.3 } as const;
type OpeningFault = keyof typeof OPENING_ODDS;
/** The names under which `faultCounts` counts the faults at the opening of a routed checkout. */
export const OPENING_FAULTS = Object.keys(OPENING_ODDS).map((fault) => `provider ${fault} at opening`);

const drawFault = (random: () => number): OpeningFault | undefined => {
  let left = random();
  for (const [fault, odds] of Object.entries(OPENING_ODDS)) {
    if (left < odds) return fault as OpeningFault;
    left -= odds;
  }
  return undefined;
};

/** Makes one request's providers fail at random at the opening of a payment account. Counts the faults into `faultCounts`. */
export const failAtOpening = (deps: Deps, random: () => number, faultCounts: Record<string, number>): Deps => {
  let isSilent = false;
  const open = (issuer: AccountIssuer, request: Parameters<AccountIssuer['createPaymentAccount']>[0]) => {
    const fault = drawFault(random);
    isSilent = fault === 'is silent' || fault === 'opens and is silent';
    if (!fault) return issuer.createPaymentAccount(request);
    const label = `provider ${fault} at opening`;
    faultCounts[label] = (faultCounts[label] ?? 0) + 1;
    if (fault === 'refuses') return Promise.reject(new ProviderError('It takes no checkout now.'));
    if (fault === 'is away') return Promise.reject(new ProviderUnavailable('Nobody listens there.'));
    if (fault === 'opens and is silent') void issuer.createPaymentAccount(request).catch(() => {});
    return new Promise<never>(() => {});
  };
  return {
    ...deps,
    providers: (mode, name) => {
      const issuer = deps.providers(mode, name);
      return issuer && { ...issuer, createPaymentAccount: (request) => open(issuer, request) };
    },
    // Skip the time-out of a silent provider.
    wait: (milliseconds) => (isSilent ? Promise.resolve() : deps.wait(milliseconds)),
  };
};

/** Reads the shown account from an answer, for a payer. */
export const readShown = ({ json }: ApiAnswer): IntendedTransfer => {
  const { reference, provider, account_number: accountNumber, amount_to_pay } = json.data;
  return { provider, accountNumber, amount: Math.round(amount_to_pay * 100), for: reference };
};

/** Lists the accounts that providers opened for a checkout and that its answer does not show. */
export const listHiddenAccounts = ({ books }: Pick<Simulator, 'books'>, reference: string, shown: string) =>
  books
    .accounts()
    .filter(
      ({ kind, number, reference: accountReference }) =>
        kind === 'payment' && toCheckoutReference(accountReference) === reference && number !== shown,
    );

/**
 * Lists attempts that did not end, accounts that were lost, and references that were used twice. `strange`: accounts of strangers, as
 * provider and reference. An account of a further try that was never shown has no owner (0024-own-charges.md).
 */
export const findAttemptProblems = (
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
    const hasAccount =
      opened.has(`${provider} ${reference}`) || opened.has(`${provider} ${toFirstReference(reference)}`);
    // Monnify knows a payment before it has an account.
    const isRight = state === 'open' ? hasAccount || shownAt === undefined : state === 'refused' && !hasAccount;
    if (!isRight) problems.push(`${reference} at ${provider}: ${state}, and has an account: ${hasAccount}`);
  }
  return problems;
};

/** Lists the checkouts that were announced as overpaid. */
const listOverpaid = ({ events }: Pick<Books, 'events'>): ReadonlySet<string> =>
  new Set(
    events
      .filter(({ type }) => type === 'checkout.overpaid')
      .map(({ body }) => (JSON.parse(body) as { readonly data: { readonly reference: string } }).data.reference),
  );

/** Lists the checkouts with two accepted payments that each cover the amount. */
const listPaidTwice = (books: Books): readonly Checkout[] => {
  const listAccepted = indexPayments(books, 'accepted');
  return books.checkouts.filter(
    (checkout) => listAccepted(checkout).filter(({ amount }) => amount >= checkout.amount).length > 1,
  );
};

/** Lists checkouts that were paid twice but never announced as overpaid. */
export const findOverpaidProblems = (books: Books): readonly string[] => {
  const overpaid = listOverpaid(books);
  return listPaidTwice(books)
    .filter(({ reference }) => !overpaid.has(reference))
    .map(({ reference }) => `${reference}: paid twice, and never announced as overpaid`);
};

/** Finds the index of the attempt whose account was shown first. */
const findFirstShown = ({ attempts }: Checkout): number => {
  const shownAt = Math.min(...attempts.flatMap((attempt) => attempt.shownAt ?? []));
  return attempts.findIndex((attempt) => attempt.shownAt === shownAt);
};

/** Counts how often each case of routed checkouts occurred. */
export const countRoutingCases = (books: Books) => {
  const routed = books.checkouts.filter(({ isRouted }) => isRouted);
  const attempts = routed.flatMap((checkout) => checkout.attempts);
  const isShown = ({ shownAt }: Attempt): boolean => shownAt !== undefined;
  const isHidden = ({ state, shownAt }: Attempt): boolean => state === 'open' && shownAt === undefined;
  const listPayments = indexPayments(books, 'accepted', 'reversed');
  /** Counts the shown and the hidden accounts that had accepted or reversed money. Each provider has one attempt. */
  const countPaidAccounts = (checkout: Checkout) => {
    const providers = new Set(listPayments(checkout).map(({ provider }) => provider));
    const paid = checkout.attempts.filter(({ provider }) => providers.has(provider));
    return { shown: paid.filter(isShown).length, hidden: paid.filter(isHidden).length };
  };
  const paid = routed.filter((checkout) => checkout.attempts.some(isHidden)).map(countPaidAccounts);
  /** Counts the routed checkouts that opened with the attempt in this place. */
  const countOpenedAt = (place: number): number =>
    routed.filter((checkout) => findFirstShown(checkout) === place).length;
  return {
    routed: routed.length,
    openAtFirst: countOpenedAt(0),
    openAtSecond: countOpenedAt(1),
    openAtThird: countOpenedAt(2),
    otherAccounts: attempts.filter(isShown).length - routed.length,
    paidOnTwoShown: routed.map(countPaidAccounts).filter(({ shown }) => shown > 1).length,
    refusedAttempts: attempts.filter(({ state }) => state === 'refused').length,
    hiddenAccounts: attempts.filter(isHidden).length,
    paidOnShownAlone: paid.filter(({ shown, hidden }) => shown > 0 && hidden === 0).length,
    paidOnHiddenAlone: paid.filter(({ shown, hidden }) => hidden > 0 && shown === 0).length,
    paidOnBoth: paid.filter(({ shown, hidden }) => shown > 0 && hidden > 0).length,
    paidTwice: listPaidTwice(books).length,
  };
};
