import type { BusinessStore } from '#shared/businesses/ports.ts';
import { findBusiness } from '#shared/businesses/use-cases/find-business.ts';
import { type Erasure, erasureDigest, newErasure, withPage } from '#shared/erasure/domain/erasure.ts';
import { type ErasedPayer, erasedAddress, isErasedAddress } from '#shared/erasure/domain/personal-fields.ts';
import type { ErasureStore, PayerRecords } from '#shared/erasure/ports.ts';
import { comparableAddress } from '#shared/platform/kernel/email-address.ts';
import { NotPossible } from '#shared/platform/kernel/not-possible.ts';
import type { Runtime } from '#shared/platform/ports.ts';

export interface ErasePayerDeps extends Pick<Runtime, 'now' | 'newId'> {
  readonly businesses: BusinessStore;
  readonly payerRecords: PayerRecords;
  readonly erasures: ErasureStore;
}

export interface ErasePayerInput {
  readonly businessId: string;
  /** The payer's e-mail address; or its replacement, to erase data that came later. */
  readonly email: string;
  /** Other texts that identify the payer in metadata. To continue an unfinished erasure, give the same texts as before. */
  readonly also?: readonly string[];
  readonly operator: string;
}

/** Limits of one call: items in a page, and pages. Together they are half a million items. */
export const ERASURE_BOUNDS = { itemsAPage: 500, pages: 1_000 };

export interface ErasureReport extends Pick<Erasure, 'replacement' | 'read' | 'erased' | 'left' | 'openAccounts'> {
  /** False if another call must continue. */
  readonly isDone: boolean;
}

/** Number of pages between two lines of progress. */
const REPORT_EVERY = 20;

const OTHER_CALL = 'Another call is erasing the same payer. Wait until it has ended, then try again.';

/** Parses an address into the form in which addresses are compared. The error does not repeat the address. */
const parseAddress = (email: string): string => {
  const address = comparableAddress(email);
  if (/^[^\s@]+@[^\s@]+$/.test(address)) return address;
  throw new NotPossible('That is not an e-mail address. Give the address that the payer gave.');
};

const summary = ({ replacement, erased }: Erasure): string => {
  const { checkouts, virtualAccounts, payments, events, answers, notifications } = erased;
  return `erased a payer, whose address is ${replacement} now: ${checkouts} checkouts, ${virtualAccounts} virtual accounts, ${payments} payments, ${events} events, ${answers} stored answers, ${notifications} notifications`;
};

/** Finds the unfinished erasure to continue, or starts a new one. Each call is recorded in the operators' log before it changes anything. */
const begin = async (
  deps: ErasePayerDeps,
  { businessId, operator, also = [] }: ErasePayerInput,
  address: string,
): Promise<Erasure> => {
  const digest = erasureDigest(businessId, address, also);
  const unfinished = await deps.erasures.find(businessId, digest);
  const id = deps.newId('log');
  const replacement = unfinished?.replacement ?? (isErasedAddress(address) ? address : erasedAddress(id));
  const what = `${unfinished ? 'continued' : 'started'} the erasure of a payer, whose address becomes ${replacement}`;
  await deps.businesses.recordChange({ id, businessId, at: deps.now(), who: operator, what });
  if (unfinished) return unfinished;
  const started = newErasure({ businessId, digest, replacement, startedAt: deps.now() });
  if (!(await deps.erasures.save(started))) throw new NotPossible(OTHER_CALL);
  return started;
};

/**
 * Replaces, for an operator, the fields that identify a payer at a business, wherever they are stored, in both modes. Amounts, times,
 * references and sums stay. One call reads a bounded part of the table. It stores its progress after every page, so that another call can
 * continue an interrupted one.
 * @throws NotPossible for an unknown business, a text that is no e-mail address, or while another call erases the same payer.
 */
export const erasePayer = async (
  deps: ErasePayerDeps,
  input: ErasePayerInput,
  report: (progress: string) => void,
  { itemsAPage, pages } = ERASURE_BOUNDS,
): Promise<ErasureReport> => {
  const { businessId, operator, also = [] } = input;
  const address = parseAddress(input.email);
  await findBusiness(deps, businessId);
  let state = await begin(deps, input, address);
  const { replacement } = state;
  const payer: ErasedPayer = { businessId, addresses: [address, replacement], replacement, also };
  for (let page = 0; page < pages; page++) {
    const done = await deps.payerRecords.erasePage(payer, state.after, itemsAPage);
    const before = state;
    state = withPage(before, done);
    if (done.next === null) {
      const change = { id: deps.newId('log'), businessId, at: deps.now(), who: operator, what: summary(state) };
      if (!(await deps.erasures.end(before, change))) throw new NotPossible(OTHER_CALL);
      return { ...state, isDone: true };
    }
    if (!(await deps.erasures.save(state))) throw new NotPossible(OTHER_CALL);
    if (page % REPORT_EVERY === REPORT_EVERY - 1) report(`Read ${state.read} items so far.`);
  }
  return { ...state, isDone: false };
};
