import { createHmac } from 'node:crypto';
import { MINUTE } from '#shared/domain/kernel/time.ts';
import { amountOf } from '#shared/domain/money/report.ts';
import { startReceiver } from '#test/support/worlds/receiver.ts';
import type { RecordedStage } from './stage.ts';
import { type Ask, customer, expecting, idempotently, PAYER, twice } from './steps.ts';

const PROVIDERS = ['paystack', 'monnify', 'korapay'] as const;
const KORAPAY_LOOK_UP = /^\/charges\/(?!bank-transfer)/;
const OPENING_ACCOUNT = { paystack: /^\/dedicated_account$/, monnify: /reserved-accounts$/ };

/** Live mode at every provider: opened, paid and closed; refused; faster than its answer; unmatched; never announced. */
export const liveMode = async (stage: RecordedStage): Promise<void> => {
  const { twin } = stage;
  const ask = expecting((await stage.openBusiness('Chika Foods Limited'))('live'));
  const receiver = await startReceiver();
  await ask(201, 'POST', '/webhook-endpoints', { url: receiver.url });
  const checkout = (provider: string) => ({ amount: 8_500, ...PAYER, provider });
  const account = (provider: string) => ({ ...customer(), provider });

  let reference = '';
  for (const provider of PROVIDERS) {
    const { data } = await twice(ask, 201, 'POST', '/checkout/initialize', checkout(provider));
    reference = data.reference;
    const amount = Math.round(data.amount_to_pay * 100);
    await twin.pay({ provider, accountNumber: data.account_number, amount });
    const { accounts } = await twice(ask, 201, 'POST', '/virtual-accounts', account(provider));
    const [{ id, account_number: accountNumber }] = accounts;
    await twin.pay({ provider, accountNumber, amount: 125_050 });
    await twin.settled();
    if (provider === 'monnify') await ask(200, 'POST', `/virtual-accounts/${id}/delete`, {});
    else await ask(200, 'DELETE', `/virtual-accounts/${id}`);
  }

  // Money that is faster than the answer which opens its account.
  for (const provider of PROVIDERS) {
    twin.fault(provider, { kind: 'before_answer', times: 2 });
    await ask(201, 'POST', '/checkout/initialize', checkout(provider));
    await ask(201, 'POST', '/virtual-accounts', account(provider));
    twin.fault(provider, null);
  }
  // A provider that says no: what was to be opened is forgotten.
  twin.fault('korapay', { kind: 'unauthorised' });
  await ask(422, 'POST', '/virtual-accounts', account('korapay'), idempotently());
  await ask(502, 'POST', '/checkout/initialize', checkout('korapay'), idempotently());
  twin.fault('korapay', null);

  await assignedHalfway(stage, ask, reference);
  await endedBesideMoney(stage, ask);
  await unanswered(stage, ask);
  await stage.deliver();
  await receiver.stop();
};

/** Openings whose answers get lost: a retry takes over, money waits for its account, the sweeper settles the rest. */
const unanswered = async (stage: RecordedStage, ask: Ask): Promise<void> => {
  const { twin } = stage;
  const headers = idempotently();
  const wanted = { amount: 9_000, ...PAYER, provider: 'paystack' };
  twin.fault('paystack', { kind: 'lost_answer', path: /^\/charge$/ });
  await ask(502, 'POST', '/checkout/initialize', wanted, headers);
  await ask(502, 'POST', '/checkout/initialize', { ...wanted, amount: 9_100 });
  twin.fault('paystack', null);
  await ask(201, 'POST', '/checkout/initialize', wanted, headers);

  const strays = [];
  for (const provider of ['paystack', 'monnify'] as const) {
    const known = twin.books.accounts().length;
    // Paystack is asked for the customer's accounts under the same path first: that answer arrives.
    let asked = provider === 'paystack' ? 1 : 0;
    const random = (): number => (asked-- > 0 ? 1 : 0);
    twin.fault(provider, { kind: 'lost_answer', path: OPENING_ACCOUNT[provider], probability: 0.5, random });
    await ask(422, 'POST', '/virtual-accounts', { ...customer(), provider });
    twin.fault(provider, null);
    const accountNumber = twin.books.accounts()[known]?.number ?? '';
    await twin.pay({ provider, accountNumber, amount: 310_000 });
    strays.push(await twin.pay({ provider, accountNumber, amount: 320_000 }));
  }
  await twin.settled();
  await takeBack(stage, strays[0]?.transferId ?? '', 320_000);
  for (let tens = 0; tens < 7; tens++) {
    stage.clock.advance(10 * MINUTE);
    await stage.sweep();
  }
};

/** A checkout that its merchant ends while its money waits as unmatched, since a look-up failed: the money lands instead. */
const endedBesideMoney = async ({ twin }: RecordedStage, ask: Ask): Promise<void> => {
  // The first look-up is that of the notification; the next would land the money once the checkout is there.
  let passing = 1;
  const random = (): number => (passing-- > 0 ? 1 : 0);
  twin.fault('korapay', { kind: 'before_answer', times: 1 });
  twin.fault('korapay', { kind: 'gateway_fault', status: 502, path: KORAPAY_LOOK_UP, probability: 0.5, random });
  const wanted = { amount: 9_300, ...PAYER, provider: 'korapay' };
  const { data } = await ask(201, 'POST', '/checkout/initialize', wanted);
  twin.fault('korapay', null);
  await ask(409, 'POST', `/checkouts/${data.reference}/expire`);
};

/** Operations say whose the money of a charge is, and break off before it lands: its next notification lands it. */
const assignedHalfway = async ({ twin, ...stage }: RecordedStage, ask: Ask, to: string): Promise<void> => {
  twin.fault('korapay', { kind: 'lost_answer', path: /bank-transfer$/ });
  await ask(502, 'POST', '/checkout/initialize', { amount: 9_200, ...PAYER, provider: 'korapay' });
  twin.fault('korapay', null);
  const accountNumber = twin.books.accounts().at(-1)?.number ?? '';
  await twin.pay({ provider: 'korapay', accountNumber, amount: 920_000 });
  await twin.settled();
  const reference = await stage.assign(920_000, to);
  const data = { reference };
  const signature = createHmac('sha256', twin.credentials.korapay.secretKey).update(JSON.stringify(data)).digest('hex');
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

/** Paystack sends money back that has no owner yet, and notifies us. */
const takeBack = async ({ twin, ...stage }: RecordedStage, transferId: string, amount: number): Promise<void> => {
  const found = (await stage.unmatched()).find(
    ({ provider, money }) => provider === 'paystack' && amountOf(money) === amount,
  );
  await twin.reverse('paystack', transferId);
  const body = JSON.stringify({
    event: 'refund.processed',
    data: { transaction_reference: found?.money.providerReference, status: 'processed' },
  });
  const signature = createHmac('sha512', twin.credentials.paystack.secretKey).update(body).digest('hex');
  await notify(stage, 'paystack', { 'x-paystack-signature': signature }, body);
};
