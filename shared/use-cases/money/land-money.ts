import { paymentView } from '#shared/contract/money/payment-view.ts';
import { virtualAccountView } from '#shared/contract/virtual-accounts/virtual-account-view.ts';
import { referenceOfAttempt } from '#shared/domain/checkouts/attempt-reference.ts';
import type { Checkout } from '#shared/domain/checkouts/checkout.ts';
import {
  countsAs,
  isKeptAgain,
  isNewsOf,
  keptAgain,
  landOnCheckout,
  landOnVirtualAccount,
  referenceOfReturn,
  unmatchedIdOf,
  wentBack,
} from '#shared/domain/checkouts/landing.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import type { Tenant } from '#shared/domain/kernel/tenant.ts';
import type { Millis } from '#shared/domain/kernel/time.ts';
import { nameOfOwner, type Payment, type PaymentOwner } from '#shared/domain/money/payment.ts';
import type { ReportedMoney, ReportedTransfer, ReportState } from '#shared/domain/money/report.ts';
import type { ProviderName } from '#shared/domain/providers/provider.ts';
import type { Located, UnmatchedStore } from '#shared/ports/money.ts';
import { announcement, sendNow } from '#shared/use-cases/webhooks/announce.ts';
import { type ChangeDeps, changeCheckout, RecordedBefore } from './change-checkout.ts';

export interface LandDeps extends ChangeDeps {
  readonly unmatched: UnmatchedStore;
}

type Of = Pick<Located, 'known'> & { readonly tenant: Tenant };

const landOnAccount = async (
  deps: LandDeps,
  { tenant, known }: Of,
  id: string,
  money: ReportedMoney,
): Promise<undefined> => {
  const found = await deps.ledger.readVirtualAccount(tenant, id);
  if (!found) return;
  const { business, virtualAccount } = found;
  const landed = landOnVirtualAccount({ id: deps.newId('pay'), recordedAt: deps.now() }, virtualAccount, money, known);
  if (!landed) return;
  if ('sentBack' in landed) {
    if ((await deps.ledger.record({ payment: landed.sentBack })) !== 'recorded') throw new RecordedBefore();
    return;
  }
  const [payment, type] =
    'received' in landed
      ? ([landed.received, 'virtual_account.payment_received'] as const)
      : ([landed.reversed, 'virtual_account.payment_reversed'] as const);
  const data = { payment: paymentView(payment), virtual_account: virtualAccountView(virtualAccount) };
  const { event, deliveries } = announcement(deps, business, tenant.mode, type, data);
  const written = 'received' in landed ? { payment } : { reversed: [payment] };
  if ((await deps.ledger.record({ ...written, event, deliveries })) !== 'recorded') throw new RecordedBefore();
  await sendNow(deps, deliveries);
};

/**
 * Keeps money whose owner is not known. What went back is kept too: older news that it was accepted may still be on its way, and
 * of what was sent back its owner is told when it is known. Throws RecordedBefore when somebody else was faster.
 */
const keepUnmatched = async (
  deps: LandDeps,
  provider: ProviderName,
  money: ReportedMoney,
  { state, askedAt }: Required<Answer>,
  { unmatched }: Located,
): Promise<void> => {
  // What went back of a running total is told again with that.
  if (referenceOfReturn(money) !== undefined || (unmatched && !isNewsOf(unmatched, money, askedAt))) return;
  const isGone = wentBack(money);
  const first = { id: deps.newId('pay'), mode: 'live', provider, transferId: unmatchedIdOf(money) } as const;
  // What goes back begins anew: whoever appears within the hour is told of it.
  const since = unmatched && wentBack(unmatched.money) === isGone ? unmatched : { recordedAt: deps.now(), tries: 0 };
  const { recordedAt, tries } = since;
  // A notification may tell that it went back, and does not say when.
  const asked = Math.max(askedAt, unmatched?.askedAt ?? 0);
  const kept = { ...(unmatched ?? first), money, state, askedAt: asked, recordedAt, tries };
  if (!(await deps.unmatched.keep(kept))) throw new RecordedBefore();
  if (unmatched || isGone) return;
  const event = isKeptAgain(money) ? 'payment_kept_again' : 'payment_unmatched';
  deps.log(event, { provider, payment_id: kept.id });
};

/** Whom money lands on: who has it already, before whom the provider names; or whom operations name. */
export interface LandOn {
  readonly owner: PaymentOwner;
  readonly tenant: Tenant;
}

const landingOn = ({ known, owner, tenant }: Located, assigned: LandOn | undefined): LandOn | undefined => {
  if (known) return { owner: known.owner, tenant: known };
  return assigned ?? (owner && tenant ? { owner, tenant } : undefined);
};

/** How a provider's answer is to be taken. */
interface Answer {
  /** How it sees the payment as a whole. */
  readonly state?: ReportState;
  /** When we began to ask for it. Absent: it may be of any age. */
  readonly askedAt?: Millis;
}

/** `contradicts`: nothing changed, as a total may be older than what counts (landing.ts), or another has the money than operations name. */
export type Landed = 'landed' | 'unmatched' | 'contradicts';

/** Whether a charge was made for this owner: only of that one does the provider know when it is complete. */
const isMadeFor = (owner: PaymentOwner, { payee }: ReportedMoney): boolean =>
  owner.kind === 'checkout' && payee.by === 'our_reference' && referenceOfAttempt(payee.reference) === owner.reference;

/** Lands it on its owner; a checkout is returned as it is then. */
const landOn = async (
  deps: LandDeps,
  { owner, tenant }: LandOn,
  known: Payment | undefined,
  money: ReportedMoney,
  { state, askedAt }: Required<Answer>,
): Promise<Checkout | undefined> => {
  if (owner.kind === 'virtual_account') return landOnAccount(deps, { tenant, known }, owner.id, money);
  const made = { id: deps.newId('pay'), recordedAt: deps.now(), askedAt };
  return changeCheckout(deps, tenant, owner.reference, (checkout) =>
    landOnCheckout(made, checkout, money, known, state === 'complete' && isMadeFor(owner, money)),
  );
};

/** Whether this is told of a transfer that is recorded as gone, by an answer that was asked for after that. */
const isAfterReturn = (
  { known, unmatched }: Located,
  money: ReportedMoney,
  askedAt: Millis,
): money is ReportedTransfer => {
  // What went back of a running total is never told as kept.
  if (money.kind !== 'transfer' || referenceOfReturn(money) !== undefined) return false;
  if (known) return known.outcome !== 'accepted' && askedAt > known.recordedAt;
  return unmatched !== undefined && wentBack(unmatched.money) && askedAt > unmatched.askedAt;
};

/**
 * What is told of a transfer after it went back. That it is kept again lands nowhere by itself: it is unmatched, its provider is asked
 * again, as an answer may be outdated, and then people are called.
 */
const landAfterReturn = async (
  deps: LandDeps,
  provider: ProviderName,
  money: ReportedTransfer,
  answer: Required<Answer>,
): Promise<Landed> => {
  const again = keptAgain(money);
  const located = await deps.ledger.locate(provider, again);
  const { known, unmatched } = located;
  if (answer.askedAt < (known?.recordedAt ?? unmatched?.askedAt ?? 0)) return 'landed';
  if (known) return landOnce(deps, provider, again, answer, undefined);
  if (!wentBack(money)) {
    await keepUnmatched(deps, provider, again, answer, located);
    return 'unmatched';
  }
  // No trace: it may be kept once more, and older news of that do no harm.
  if (unmatched) await deps.unmatched.forget(unmatched);
  return 'landed';
};

const landOnce = async (
  deps: LandDeps,
  provider: ProviderName,
  money: ReportedMoney,
  answer: Required<Answer>,
  assigned: LandOn | undefined,
): Promise<Landed> => {
  const located = await deps.ledger.locate(provider, money);
  const { known, unmatched } = located;
  if (isAfterReturn(located, money, answer.askedAt)) {
    const landed = await landAfterReturn(deps, provider, money, answer);
    if (known) return landed;
  }
  const on = landingOn(located, assigned);
  if (!on) {
    await keepUnmatched(deps, provider, money, answer, located);
    return 'unmatched';
  }
  if (assigned && nameOfOwner(on.owner) !== nameOfOwner(assigned.owner)) return 'contradicts';
  const isOlder = unmatched !== undefined && !isNewsOf(unmatched, money, answer.askedAt);
  if (isOlder && money.kind === 'running_total') return 'contradicts';
  const isGone = isOlder && wentBack(unmatched.money);
  if (isGone && assigned) return 'unmatched';
  const changed = await landOn(deps, on, known, isGone ? unmatched.money : money, answer);
  // What contradicts stays unmatched, and is asked for again.
  if (changed && !countsAs(changed, money)) return 'contradicts';
  // The payment of a transfer has taken its place; a total's has an id of its own.
  if (unmatched) await deps.unmatched.forget(unmatched);
  return 'landed';
};

/** Each time somebody else has recorded something of the same money. */
const TRIES = 10;

/**
 * The one way in which a provider's money lands, whoever brought the news (architecture.md section 4): recorded once, on
 * the checkout or account that it is for, with its event; or kept as unmatched. `assigned`: operations say whose it is.
 * What is recorded of it meanwhile is read, and decided upon again.
 * @throws service_unavailable when rivals were faster every time.
 */
export const landMoney = async (
  deps: LandDeps,
  provider: ProviderName,
  money: ReportedMoney,
  { state = 'open', askedAt = 0 }: Answer = {},
  assigned?: LandOn,
): Promise<Landed> => {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    try {
      return await landOnce(deps, provider, money, { state, askedAt }, assigned);
    } catch (error) {
      if (!(error instanceof RecordedBefore)) throw error;
      await deps.pause(attempt);
    }
  }
  throw new Refusal('service_unavailable', { retryAfterSeconds: 1 });
};
