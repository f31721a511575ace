import { createHmac } from 'node:crypto';
import { DAY, isoMicros, MINUTE } from '#shared/platform/kernel/time.ts';
import { PROVIDERS } from '#shared/providers/domain/names.ts';
import { findAmount } from '#shared/providers/domain/report.ts';
import { LOOK_UP } from '#test/support/worlds/provider-calls.ts';
import { startReceiver } from '#test/support/worlds/receiver.ts';
import { playProviderLimits } from './scene-provider-limits.ts';
import type { RecordedStage } from './stage.ts';
import { type Ask, expectStatus, makeCustomer, makeIdempotencyHeaders, PAYER, sendTwice } from './steps.ts';

const KORAPAY_LOOK_UP = /^\/charges\/(?!bank-transfer)/;
const OPENING_ACCOUNT = { paystack: /^\/dedicated_account$/, monnify: /reserved-accounts$/ };

/** Plays live mode at every provider: accounts that open, get money and close, and the rare cases of the scenes below. */
export const liveMode = async (stage: RecordedStage): Promise<void> => {
  const { simulator } = stage;
  const ask = expectStatus((await stage.openBusiness('Chika Foods Limited'))('live'));
  const receiver = await startReceiver();
  await ask(201, 'POST', '/webhook-endpoints', { url: receiver.url });
  const checkout = (provider: string) => ({ amount: 8_500, ...PAYER, provider });
  const account = (provider: string) => ({ ...makeCustomer(), provider });

  // This checkout may go to several providers, by their health.
  const askRouted = expectStatus((await stage.openBusiness('Sade Books Limited', true))('live'));
  await askRouted(201, 'POST', '/checkout/initialize', { amount: 8_500, ...PAYER });

  let reference = '';
  for (const provider of PROVIDERS) {
    const { data } = await sendTwice(ask, 201, 'POST', '/checkout/initialize', checkout(provider));
    reference = data.reference;
    const amount = Math.round(data.amount_to_pay * 100);
    await simulator.pay({ provider, accountNumber: data.account_number, amount });
    const { accounts } = await sendTwice(ask, 201, 'POST', '/virtual-accounts', account(provider));
    const [{ id, account_number: accountNumber }] = accounts;
    await simulator.pay({ provider, accountNumber, amount: 125_050 });
    await simulator.settled();
    const payments = await ask(200, 'GET', `/virtual-accounts/${id}/payments`);
    await ask(200, 'GET', '/payments');
    await ask(200, 'GET', '/payments/export');
    await ask(200, 'GET', `/checkouts?account_number=${accountNumber}`);
    await ask(200, 'GET', `/virtual-accounts?account_number=${accountNumber}`);
    await ask(200, 'GET', `/payments/${payments.data[0].id}`);
    if (provider === 'monnify') await ask(200, 'POST', `/virtual-accounts/${id}/delete`, {});
    else await ask(200, 'DELETE', `/virtual-accounts/${id}`);
  }

  // Money arrives before the answer that opens its account.
  for (const provider of PROVIDERS) {
    simulator.fault(provider, { kind: 'before_answer', times: 2 });
    await ask(201, 'POST', '/checkout/initialize', checkout(provider));
    await ask(201, 'POST', '/virtual-accounts', account(provider));
    simulator.fault(provider, null);
  }
  // The provider rejects the request, and the intent is deleted.
  simulator.fault('korapay', { kind: 'unauthorised' });
  await ask(422, 'POST', '/virtual-accounts', account('korapay'), makeIdempotencyHeaders());
  const order = { ...checkout('korapay'), merchant_reference: 'free' };
  await ask(502, 'POST', '/checkout/initialize', order, makeIdempotencyHeaders());
  simulator.fault('korapay', null);

  await playHealth(stage, ask);
  await playHalfAssignment(stage, ask, reference);
  await playVanishedMoney(stage, ask);
  await playWaitingMoney(stage, ask);
  await playEarlyRejection(stage, ask);
  await playReinstated(stage, ask, 'requery', 9_476);
  await playReinstated(stage, ask, 'expire', 9_475);
  await playReinstated(stage, ask, 'sent', 9_474);
  await playProviderLimits(stage, ask);
  await playLostAnswers(stage, ask);
  await playAccountNotification(stage, ask);
  await playLostNotification(stage, ask);
  await playReconciliationOnly(stage, ask);
  await playUnheardAssignment(stage, ask, reference);
  await playReturnAndRequery(stage, ask);
  await playReturnAndReport(stage, ask);
  await playReview(stage, ask);
  await stage.deliver();
  await receiver.stop();
};

/** Opens and pays an account whose answer gets lost. Paystack then notifies us that it was issued. */
const playAccountNotification = async (stage: RecordedStage, ask: Ask): Promise<void> => {
  const { simulator } = stage;
  let callsToPass = 1;
  const random = (): number => (callsToPass-- > 0 ? 1 : 0);
  simulator.fault('paystack', { kind: 'lost_answer', path: OPENING_ACCOUNT.paystack, probability: 0.5, random });
  const { errors } = await ask(422, 'POST', '/virtual-accounts', { ...makeCustomer(), provider: 'paystack' });
  simulator.fault('paystack', null);
  const account = simulator.books.accounts().at(-1);
  await simulator.pay({ provider: 'paystack', accountNumber: account?.number ?? '', amount: 330_000 });
  await simulator.settled();
  const email = `${errors[0].virtual_account_id}@accounts.example.com`.toLowerCase();
  await notifyAsPaystack(stage, 'dedicatedaccount.assign.success', { customer: { email } });
};

/** Opens accounts whose answers get lost: a retry takes over, money waits for its account, and the sweeper settles the rest. */
const playLostAnswers = async (stage: RecordedStage, ask: Ask): Promise<void> => {
  const { simulator } = stage;
  const headers = makeIdempotencyHeaders();
  const order = { amount: 9_000, ...PAYER, provider: 'paystack' };
  simulator.fault('paystack', { kind: 'lost_answer', path: /^\/charge$/ });
  await ask(502, 'POST', '/checkout/initialize', order, headers);
  await ask(502, 'POST', '/checkout/initialize', { ...order, amount: 9_100, merchant_reference: 'kept' });
  simulator.fault('paystack', null);
  await ask(201, 'POST', '/checkout/initialize', order, headers);
  await payWithoutAnswer(simulator, ask, 9_400);
  simulator.fault('korapay', { kind: 'gateway_fault', status: 502 });
  await ask(502, 'POST', '/checkout/initialize', { ...order, provider: 'korapay', merchant_reference: 'dropped' });
  simulator.fault('korapay', null);
  await stage.abandonAccount();

  const strays = [];
  for (const provider of ['paystack', 'monnify'] as const) {
    const known = simulator.books.accounts().length;
    // Paystack first lists the customer's accounts under the same path. That answer must arrive.
    let callsToPass = provider === 'paystack' ? 1 : 0;
    const random = (): number => (callsToPass-- > 0 ? 1 : 0);
    simulator.fault(provider, { kind: 'lost_answer', path: OPENING_ACCOUNT[provider], probability: 0.5, random });
    await ask(422, 'POST', '/virtual-accounts', { ...makeCustomer(), provider });
    simulator.fault(provider, null);
    const accountNumber = simulator.books.accounts()[known]?.number ?? '';
    await simulator.pay({ provider, accountNumber, amount: 310_000 });
    strays.push(await simulator.pay({ provider, accountNumber, amount: 320_000 }));
  }
  await simulator.settled();
  await returnUnmatched(stage, strays[0]?.transferId ?? '', 320_000);
  for (let tens = 0; tens < 7; tens++) {
    stage.clock.advance(10 * MINUTE);
    await stage.sweep();
  }
};

/**
 * Ends or requeries checkouts whose money waits as unmatched after a failed look-up, and lets a provider notify us again of one charge. The
 * money lands.
 */
const playWaitingMoney = async (stage: RecordedStage, ask: Ask): Promise<void> => {
  for (const [status, way, naira] of [
    [409, 'expire', 9_300],
    [200, 'requery', 9_310],
    [200, 'sent', 9_330],
  ] as const) {
    const end = (opened: CheckoutWithWaitingMoney) =>
      way === 'sent' ? stage.reportTransfer(opened.url) : ask(status, 'POST', `/checkouts/${opened.reference}/${way}`);
    await end(await openWithWaitingMoney(stage, ask, naira));
    // Operators have already assigned the money to the checkout.
    const assigned = await openWithWaitingMoney(stage, ask, naira + 50);
    await stage.assign(assigned.kobo, assigned.reference);
    await end(assigned);
  }
  await notifyOfCharge(stage, (await openWithWaitingMoney(stage, ask, 9_370)).reference);
};

interface CheckoutWithWaitingMoney {
  readonly reference: string;
  readonly url: string;
  readonly kobo: number;
}

/** Opens a checkout with waiting money. Under load the look-up may end after the answer and land the money. Then another checkout is opened. */
const openWithWaitingMoney = async (
  stage: RecordedStage,
  ask: Ask,
  amount: number,
): Promise<CheckoutWithWaitingMoney> => {
  for (let tries = 0; tries < 5; tries++) {
    const opened = await openBeforeLookUp(stage, ask, amount);
    if ((await stage.unmatched()).some(({ money }) => findAmount(money) === opened.kobo)) return opened;
  }
  throw new Error(`The money of a checkout of ${amount} naira never waited as unmatched.`);
};

const openBeforeLookUp = async (
  { simulator }: RecordedStage,
  ask: Ask,
  amount: number,
): Promise<CheckoutWithWaitingMoney> => {
  // The notification causes the first look-up. A second look-up would land the money on the new checkout, so it fails.
  let passing = 1;
  const random = (): number => (passing-- > 0 ? 1 : 0);
  simulator.fault('korapay', { kind: 'before_answer', times: 1 });
  simulator.fault('korapay', { kind: 'gateway_fault', status: 502, path: KORAPAY_LOOK_UP, probability: 0.5, random });
  const { data } = await ask(201, 'POST', '/checkout/initialize', { amount, ...PAYER, provider: 'korapay' });
  simulator.fault('korapay', null);
  const { reference, checkout_url: url } = data;
  return { reference, url, kobo: Math.round(data.amount_to_pay * 100) };
};

/** Opens a checkout whose answer gets lost. Returns its account at the provider. */
const openWithoutAnswer = async (simulator: RecordedStage['simulator'], ask: Ask, amount: number, headers = {}) => {
  simulator.fault('korapay', { kind: 'lost_answer', path: /bank-transfer$/ });
  await ask(502, 'POST', '/checkout/initialize', { amount, ...PAYER, provider: 'korapay' }, headers);
  simulator.fault('korapay', null);
  return simulator.books.accounts().at(-1);
};

/** Opens a checkout whose answer gets lost, and pays it. */
const payWithoutAnswer = async (simulator: RecordedStage['simulator'], ask: Ask, amount: number): Promise<void> => {
  const { number: accountNumber = '' } = (await openWithoutAnswer(simulator, ask, amount)) ?? {};
  await simulator.pay({ provider: 'korapay', accountNumber, amount: amount * 100 });
  await simulator.settled();
};

/** Plays money that vanishes: Korapay reported it before its checkout was open, but reports none when a retry opens the checkout. */
const playVanishedMoney = async (stage: RecordedStage, ask: Ask): Promise<void> => {
  const headers = makeIdempotencyHeaders();
  const { reference = '' } = (await openWithoutAnswer(stage.simulator, ask, 9_450, headers)) ?? {};
  await stage.saveUnmatched(reference, 945_000);
  await ask(201, 'POST', '/checkout/initialize', { amount: 9_450, ...PAYER, provider: 'korapay' }, headers);
};

/** Plays a provider that fails to open accounts, and at which money that a payer reports does not land. The provider's health is judged. */
const playHealth = async (stage: RecordedStage, ask: Ask): Promise<void> => {
  const provider = 'korapay';
  const { data } = await ask(201, 'POST', '/checkout/initialize', { amount: 9_100, ...PAYER, provider });
  await stage.reportTransfer(data.checkout_url);
  stage.simulator.fault(provider, { kind: 'server_fault' });
  await ask(502, 'POST', '/checkout/initialize', { amount: 9_100, ...PAYER, provider });
  await ask(422, 'POST', '/virtual-accounts', { ...makeCustomer(), provider });
  stage.simulator.fault(provider, null);
  for (const minutes of [6, 1, 3]) {
    stage.clock.advance(minutes * MINUTE);
    await stage.sweep();
  }
  await ask(200, 'GET', '/providers');
};

/** Plays a transfer that is returned and reinstated. It is assigned to a virtual account before its checkout ends or is requeried. */
const playReinstated = async (
  stage: RecordedStage,
  ask: Ask,
  way: 'expire' | 'requery' | 'sent',
  naira: number,
): Promise<void> => {
  const { simulator } = stage;
  const provider = 'paystack';
  const { accounts } = await ask(201, 'POST', '/virtual-accounts', { ...makeCustomer(), provider });
  const { data } = await ask(201, 'POST', '/checkout/initialize', { amount: naira, ...PAYER, provider });
  const amount = Math.round(data.amount_to_pay * 100);
  const { transferId } = await simulator.pay({ provider, accountNumber: data.account_number, amount });
  await simulator.settled();
  await simulator.reverse(provider, transferId, true);
  await simulator.settled();
  simulator.reinstate(provider, transferId);
  await notifyOfRefund(stage, data.reference);
  await stage.assignToAccount(amount, accounts[0].id);
  if (way === 'sent') await stage.reportTransfer(data.checkout_url);
  else await ask(200, 'POST', `/checkouts/${data.reference}/${way}`);
};

/** Plays a payment that Korapay returns without a notification. `find` causes the look-up that finds the return. */
const playSilentReturn = async (
  stage: RecordedStage,
  ask: Ask,
  naira: number,
  find: (checkout: { reference: string; checkout_url: string }) => Promise<unknown>,
): Promise<void> => {
  const { simulator } = stage;
  const provider = 'korapay';
  const { data } = await ask(201, 'POST', '/checkout/initialize', { amount: naira, ...PAYER, provider });
  const amount = Math.round(data.amount_to_pay * 100);
  const { transferId } = await simulator.pay({ provider, accountNumber: data.account_number, amount });
  await simulator.settled();
  simulator.prefer(provider, { reversalBy: 'amounts' });
  await simulator.reverse(provider, transferId);
  await find(data);
};

/** Plays a silent return that a merchant's requery finds. */
const playReturnAndRequery = (stage: RecordedStage, ask: Ask): Promise<void> =>
  playSilentReturn(stage, ask, 9_490, async ({ reference }) => {
    stage.clock.advance(MINUTE);
    await ask(200, 'POST', `/checkouts/${reference}/requery`);
  });

/** Plays a silent return that is found when the payer reports the transfer on the payment page. */
const playReturnAndReport = (stage: RecordedStage, ask: Ask): Promise<void> =>
  playSilentReturn(stage, ask, 9_495, async ({ checkout_url }) => {
    stage.clock.advance(MINUTE);
    await stage.reportTransfer(checkout_url);
  });

/** Plays a silent return that the review on the payment's seventh day finds. */
const playReview = (stage: RecordedStage, ask: Ask): Promise<void> =>
  playSilentReturn(stage, ask, 9_480, async () => {
    stage.clock.advance(7 * DAY);
    await readNewestTotals(ask);
    await stage.sweep();
  });

/** Reads the totals of the newest payment's day and of the day before. The sum of a finished day is stored. */
const readNewestTotals = async (ask: Ask): Promise<void> => {
  const { data } = await ask(200, 'GET', '/payments?limit=1');
  const [from, to] = [DAY, 0].map((before) => isoMicros(Date.parse(data[0].recorded_at) - before).slice(0, 10));
  await ask(200, 'GET', `/totals?from=${from}&to=${to}`);
};

/** Plays a lost notification. The look-up that reconciliation queues fails, so the sweeper queues it again. */
const playLostNotification = async (stage: RecordedStage, ask: Ask): Promise<void> => {
  const { simulator } = stage;
  const opened = await ask(201, 'POST', '/virtual-accounts', { ...makeCustomer(), provider: 'monnify' });
  simulator.fault('monnify', { kind: 'lost', times: 1 });
  await simulator.pay({ provider: 'monnify', accountNumber: opened.accounts[0].account_number, amount: 340_000 });
  await simulator.settled();
  simulator.fault('monnify', { kind: 'server_fault', path: LOOK_UP.monnify });
  stage.clock.advance(11 * MINUTE);
  await stage.planOneOfTwoLists();
  await stage.sweep();
  simulator.fault('monnify', null);
  stage.clock.advance(2 * MINUTE);
  await stage.sweep();
};

/** Plays money without notifications: only reconciliation finds the money, and later its return. */
const playReconciliationOnly = async (stage: RecordedStage, ask: Ask): Promise<void> => {
  const { simulator } = stage;
  for (const provider of PROVIDERS) simulator.fault(provider, { kind: 'lost' });
  const paid: { provider: (typeof PROVIDERS)[number]; transferId: string }[] = [];
  for (const provider of PROVIDERS) {
    const opened = await ask(201, 'POST', '/virtual-accounts', { ...makeCustomer(), provider });
    const { data } = await ask(201, 'POST', '/checkout/initialize', { amount: 9_600, ...PAYER, provider });
    const numbers = [opened.accounts[0].account_number, data.account_number];
    for (const accountNumber of numbers)
      paid.push({
        provider,
        ...(await simulator.pay({ provider, accountNumber, amount: Math.round(data.amount_to_pay * 100) })),
      });
  }
  stage.clock.advance(11 * MINUTE);
  await stage.sweep();
  for (const { provider, transferId } of paid) await simulator.reverse(provider, transferId);
  stage.clock.advance(DAY);
  await stage.sweep();
  for (const provider of PROVIDERS) simulator.fault(provider, null);
};

/** Plays a transfer to an account that Monnify rejects before it has answered the call that opens the account. */
const playEarlyRejection = async (stage: RecordedStage, ask: Ask): Promise<void> => {
  const { simulator } = stage;
  const between = await startReceiver();
  between.answer(async (response) => {
    const eventData = {
      transactionReference: 'MNFY|1|20260101000000|000001',
      product: { type: 'RESERVED_ACCOUNT', reference: simulator.books.accounts().at(-1)?.reference },
      paymentSourceInformation: { amountPaid: 500, sessionId: 'rejected-early' },
    };
    const body = JSON.stringify({ eventType: 'REJECTED_PAYMENT', eventData });
    const signature = createHmac('sha512', simulator.credentials.monnify.secretKey).update(body).digest('hex');
    await notify(stage, 'monnify', { 'monnify-signature': signature }, body);
    response.writeHead(200).end();
  });
  simulator.notifyAt('monnify', between.url);
  simulator.fault('monnify', { kind: 'before_answer', times: 1 });
  await ask(201, 'POST', '/virtual-accounts', { ...makeCustomer(), provider: 'monnify' });
  simulator.fault('monnify', null);
  simulator.notifyAt('monnify', stage.notificationUrl('monnify'));
  await between.stop();
};

/** Plays an assignment that stops before the money lands. The next notification of the charge lands the money. */
const playHalfAssignment = async (stage: RecordedStage, ask: Ask, to: string): Promise<void> => {
  await payWithoutAnswer(stage.simulator, ask, 9_200);
  await notifyOfCharge(stage, await stage.assign(920_000, to));
};

/** Plays an assignment that stops before the money lands, while no notification arrives. Reconciliation lands the money. */
const playUnheardAssignment = async (stage: RecordedStage, ask: Ask, to: string): Promise<void> => {
  await payWithoutAnswer(stage.simulator, ask, 9_210);
  await stage.assign(921_000, to);
  await openWithWaitingMoney(stage, ask, 9_371);
  stage.clock.advance(11 * MINUTE);
  await stage.sweep();
};

/** Notifies us again of a charge at Korapay, with other content. */
const notifyOfCharge = async (stage: RecordedStage, reference: string): Promise<void> => {
  const data = { reference };
  const { secretKey } = stage.simulator.credentials.korapay;
  const signature = createHmac('sha256', secretKey).update(JSON.stringify(data)).digest('hex');
  const body = JSON.stringify({ event: 'charge.success', data });
  await notify(stage, 'korapay', { 'x-korapay-signature': signature }, body);
};

const notify = async (
  { request }: Pick<RecordedStage, 'request'>,
  provider: string,
  signature: Record<string, string>,
  body: string,
): Promise<void> => {
  const headers = { 'content-type': 'application/json', ...signature };
  const { status } = await request('POST', `/providers/${provider}/notifications`, headers, body);
  if (status !== 200) throw new Error(`A notification of ${provider} was answered with ${status}.`);
};

/** Lets Paystack return money without an owner, and notify us. */
const returnUnmatched = async (stage: RecordedStage, transferId: string, amount: number): Promise<void> => {
  const unmatched = (await stage.unmatched()).find(
    ({ provider, money }) => provider === 'paystack' && findAmount(money) === amount,
  );
  await stage.simulator.reverse('paystack', transferId);
  await notifyOfRefund(stage, unmatched?.money.providerReference);
};

/** Notifies us of a refund at Paystack. */
const notifyOfRefund = (stage: RecordedStage, reference: string | undefined): Promise<void> =>
  notifyAsPaystack(stage, 'refund.processed', { transaction_reference: reference, status: 'processed' });

const notifyAsPaystack = async (stage: RecordedStage, event: string, data: unknown): Promise<void> => {
  const body = JSON.stringify({ event, data, at: Date.now() });
  const { secretKey } = stage.simulator.credentials.paystack;
  const signature = createHmac('sha512', secretKey).update(body).digest('hex');
  await notify(stage, 'paystack', { 'x-paystack-signature': signature }, body);
};
