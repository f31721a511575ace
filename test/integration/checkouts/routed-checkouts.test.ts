import type { Fault } from '#infra/local/simulator/simulator.ts';
import { kobo } from '#shared/platform/kernel/money.ts';
import { HOUR, MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { InputError, OutcomeUnknown, ProviderError, ProviderUnavailable } from '#shared/providers/domain/errors.ts';
import { unknownHealth } from '#shared/providers/domain/health/health.ts';
import { healthyFirst } from '#shared/providers/healthy-first.ts';
import { isLongRun, longerTest, longTest } from '#test/support/jest/long.ts';
import { inNoRole } from '#test/support/permissions/roles.ts';
import { expectReplay } from '#test/support/worlds/answers.ts';
import {
  apiWith,
  breakOpening,
  type Changes,
  changeProviders,
  type LiveApi,
} from '#test/support/worlds/live-faults.ts';
import { ASKED, merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { OPENING } from '#test/support/worlds/provider-calls.ts';
import {
  expectPaid,
  KEY,
  listAccountsAt,
  listAttempts,
  ORDER,
  ORDER_OF_STAGE,
  rejectingProviders,
  silentProviders,
  unreachableProviders,
} from '#test/support/worlds/routed-merchant.ts';

/* Tests checkouts without a requested provider, of a business that uses routing. */

openWorldForEachTest({ routingOrder: ORDER_OF_STAGE });

let api: LiveApi;
beforeEach(() => {
  ({ api } = merchant);
});

test('only the requested provider is asked, and only the default provider for a business without routing', async () => {
  const alone = { status: 502, json: { code: 'provider_error', message: 'paystack could not complete the request.' } };
  const named = await merchant.apiWith(unreachableProviders('paystack')).initialize({ ...ORDER, provider: 'paystack' });
  expect(named).toMatchObject(alone);
  expect(named.json.errors).toBeUndefined();
  const unrouted = await world.addBusiness([], 'live', false);
  expect(await apiWith(world, unrouted, unreachableProviders('paystack')).initialize(ORDER)).toMatchObject(alone);
  expect((await apiWith(world, unrouted, {}).initialize(ORDER)).json.data.provider).toBe('paystack');
  expect(world.loggedLines('checkout_routed')).toEqual([]);
});

test('a checkout opens at the first provider of the order, and asks no other', async () => {
  const { status, json } = await api.initialize(ORDER);
  expect([status, json.data.provider]).toEqual([201, 'paystack']);
  expect(await listAttempts()).toEqual([['paystack', '', 'open']]);
  expect(world.simulator.books.accounts()).toHaveLength(1);
  expect(world.loggedLines('checkout_routed')).toMatchObject([
    { provider: 'paystack', attempt: 1, candidates: 'paystack monnify korapay', passed_over: '', failing: '' },
  ]);
  await expectPaid(json.data.reference, 'paystack', json.data.account_number);
});

describe.each<[string, () => Changes, string]>([
  ['is down', () => unreachableProviders('paystack'), 'refused'],
  ['rejects', () => rejectingProviders(new ProviderError('No.'), 'paystack'), 'refused'],
  ['rejects the amount', () => rejectingProviders(new InputError('No.', 'amount'), 'paystack'), 'refused'],
  ['does not answer', () => silentProviders('paystack'), 'unknown'],
])('while the first provider %s', (_, fault, state) => {
  test('a checkout opens at the second provider, under a reference of its own, and is paid there', async () => {
    const { status, json } = await merchant.apiWith(fault()).initialize(ORDER, KEY);
    expect([status, json.data.provider, json.data.amount_to_pay]).toEqual([201, 'monnify', 8_500]);
    expect(await listAttempts()).toEqual([
      ['paystack', '', state],
      ['monnify', '-B', 'open'],
    ]);
    expect(listAccountsAt('monnify').map(({ reference }) => reference)).toEqual([`${json.data.reference}-B`]);
    expect(await merchant.fetch(json.data.reference)).toEqual(json.data);
    await expectPaid(json.data.reference, 'monnify', json.data.account_number);
    expect(await world.unmatched()).toEqual([]);
    expect(await api.initialize(ORDER, KEY)).toMatchObject({ status: 201, text: expect.stringContaining('"monnify"') });
  });
});

test.each<[string, Fault]>([
  ['fails', { kind: 'server_fault' }],
  ['limits our rate', { kind: 'rate_limited' }],
  ['opens the account and loses the answer', { kind: 'lost_answer' }],
])('a checkout opens at the second provider while the first provider %s', async (_, fault) => {
  world.simulator.fault('paystack', { ...fault, path: OPENING.paystack.checkout });
  const { status, json } = await api.initialize(ORDER);
  expect([status, json.data.provider]).toEqual([201, 'monnify']);
  await expectPaid(json.data.reference, 'monnify', json.data.account_number);
});

test('a checkout opens at the third provider while two fail, and each attempt is logged', async () => {
  const { json } = await merchant.apiWith(unreachableProviders('paystack', 'monnify')).initialize(ORDER);
  expect(json.data.provider).toBe('korapay');
  expect(await listAttempts()).toEqual([
    ['paystack', '', 'refused'],
    ['monnify', '-B', 'refused'],
    ['korapay', '-C', 'open'],
  ]);
  expect(world.loggedLines('checkout_routed')).toMatchObject([
    { provider: 'paystack', attempt: 1 },
    { provider: 'monnify', attempt: 2, after: 'paystack:ProviderUnavailable' },
    { provider: 'korapay', attempt: 3, after: 'monnify:ProviderUnavailable' },
  ]);
  await expectPaid(json.data.reference, 'korapay', json.data.account_number);
});

test('a checkout that no provider opens gets a 502 with each provider’s failure, and is not stored', async () => {
  const answer = await merchant.apiWith(unreachableProviders('paystack', 'monnify', 'korapay')).initialize(ORDER, KEY);
  expect(answer).toMatchObject({
    status: 502,
    json: {
      code: 'provider_error',
      message: 'None of the providers could complete the request. See errors.',
      errors: ORDER_OF_STAGE.map((provider) => ({
        provider,
        message: `${provider} cannot be reached at the moment.`,
        code: 'provider_unreachable',
      })),
    },
  });
  expect(await world.itemsOf('CHK')).toEqual([]);
  expect(await world.itemsOf('MREF')).toEqual([]);
  expect((await api.initialize(ORDER, KEY)).status).toBe(201);
});

test('a checkout gets a 503 with Retry-After if all providers limit our rate', async () => {
  for (const name of ORDER_OF_STAGE) world.simulator.fault(name, { kind: 'rate_limited', retryAfter: '17' });
  const answer = await api.initialize(ORDER);
  expect(answer).toMatchObject({ status: 503, json: { code: 'provider_busy' } });
  expect(answer.json.errors.map(({ code }: { code: string }) => code)).toEqual(Array(3).fill('provider_busy'));
  expect(answer.headers['retry-after']).toBe('17');
});

test('an account that would cost the payer more is not shown, and the next provider is asked', async () => {
  const dearer = changeProviders(world, (issuer, name) => ({
    createPaymentAccount: async (request) => {
      if (name === 'paystack') throw new ProviderError('No.');
      const issued = await issuer.createPaymentAccount(request);
      return name === 'monnify' ? { ...issued, amountToPay: kobo.parse(issued.amountToPay + 5_000) } : issued;
    },
  }));
  const { json } = await merchant.apiWith(dearer).initialize(ORDER);
  expect([json.data.provider, json.data.amount_to_pay]).toEqual(['korapay', 8_500]);
  expect(await listAttempts()).toEqual([
    ['paystack', '', 'refused'],
    ['monnify', '-B', 'unknown'],
    ['korapay', '-C', 'open'],
  ]);
});

test('a payer whom a provider rejects gets a 422 at once', async () => {
  const answer = await merchant
    .apiWith(rejectingProviders(new InputError('No.', 'customer'), 'paystack'))
    .initialize(ORDER);
  expect(answer).toMatchObject({ status: 422, json: { errors: [{ field: 'payer_email' }] } });
  expect(world.simulator.books.accounts()).toEqual([]);
});

test('a provider that does not accept the amount is passed over, and an amount that no provider accepts gets a 422', async () => {
  const { json } = await api.initialize({ ...ORDER, amount: 30 });
  expect(json.data.provider).toBe('monnify');
  expect(world.loggedLines('checkout_routed')).toMatchObject([{ passed_over: 'paystack:amount korapay:amount' }]);
  const none = await api.initialize({ ...ORDER, merchant_reference: 'INV-2', amount: 1 });
  expect(none).toMatchObject({
    status: 422,
    json: { errors: [{ field: 'amount', message: 'amount must be at least 50 naira at paystack.' }] },
  });
});

test('a provider whose breaker is open for this container is passed over, and later asked again', async () => {
  world.simulator.fault('paystack', { kind: 'server_fault', path: OPENING.paystack.checkout });
  const open = async (n: number) =>
    (await api.initialize({ ...ORDER, merchant_reference: `INV-${n}` })).json.data.provider;
  for (let n = 0; n < 8; n += 1) expect(await open(n)).toBe('monnify');
  const asked = world.simulator.books.requests('paystack');
  expect(await open(8)).toBe('monnify');
  expect(world.simulator.books.requests('paystack')).toBe(asked);
  expect(world.loggedLines('checkout_routed').at(-1)).toMatchObject({
    attempt: 1,
    passed_over: 'paystack:breaker_open',
  });
  world.simulator.fault('paystack', null);
  world.clock.advance(MINUTE);
  expect(await open(9)).toBe('paystack');
});

test('a provider has four seconds if it has a successor, and the last provider has twenty', async () => {
  const times: number[] = [];
  const asked = changeProviders(world, () => ({
    createPaymentAccount: async ({ until = 0 }) => {
      times.push(until - world.clock.now());
      throw new ProviderUnavailable('It is down.');
    },
  }));
  expect(await merchant.apiWith(asked).initialize(ORDER)).toMatchObject({ status: 502 });
  expect(times).toEqual([4_000, 4_000, 20_000]);
});

longTest('a silent provider has four seconds, and an account that it opens later is found', async () => {
  breakOpening(world, 'paystack', 'checkout', { kind: 'slow', ms: 5_000 });
  const startedAt = performance.now();
  const { json } = await api.initialize(ORDER);
  expect([json.data.provider, performance.now() - startedAt >= 4_000]).toEqual(['monnify', true]);
  await world.deps.wait(2_000);
  await world.sweepAfter(MINUTE);
  expect(await listAttempts()).toMatchObject([['paystack', '', 'open'], {}]);
  expect(listAccountsAt('paystack')).toHaveLength(1);
});

test('a failing provider is asked last', async () => {
  const now = world.clock.now();
  const failing = { ...unknownHealth('paystack', now), state: 'failing', cause: 'creations_fail', version: 1 } as const;
  await inNoRole(() => world.deps.healthStore.save(failing));
  // One draw in twenty asks a failing provider first; this draw does not.
  const changed = { healthyFirst: healthyFirst({ ...world.deps, draw: () => 0.5 }) };
  const { json } = await merchant.apiWith(changed).initialize(ORDER);
  expect(json.data.provider).toBe('monnify');
  expect(world.loggedLines('checkout_routed')).toMatchObject([
    { candidates: 'monnify korapay paystack', failing: 'paystack:creations_fail' },
  ]);
});

describe('a retry with the Idempotency-Key of a request that no provider opened', () => {
  test('continues with the provider that was asked last, under the same reference', async () => {
    const failed = await merchant.apiWith(silentProviders(...ORDER_OF_STAGE)).initialize(ORDER, KEY);
    expect(failed).toMatchObject({ status: 502, json: { code: 'provider_error' } });
    expect(failed.json.errors.map(({ code }: { code: string }) => code)).toEqual(Array(3).fill('outcome_unknown'));
    const left = [
      ['paystack', '', 'unknown'],
      ['monnify', '-B', 'unknown'],
    ];
    expect(await listAttempts()).toEqual([...left, ['korapay', '-C', 'opening']]);
    const retried = await api.initialize(ORDER, KEY);
    expect([retried.status, retried.json.data.provider]).toEqual([201, 'korapay']);
    expect(await listAttempts()).toEqual([...left, ['korapay', '-C', 'open']]);
    expect([listAccountsAt('paystack'), listAccountsAt('monnify')]).toEqual([[], []]);
    expect(await api.initialize(ORDER, KEY)).toMatchObject(expectReplay(retried));
  });
});

describe('an unanswered attempt of a checkout that opened at another provider', () => {
  /** Opens a checkout at Monnify. Paystack has opened an account too, and its answer was lost. */
  const openTwice = async () => {
    breakOpening(world, 'paystack', 'checkout', { kind: 'lost_answer' });
    const { json } = await api.initialize(ORDER);
    const [hidden] = listAccountsAt('paystack');
    return { reference: json.data.reference as string, shown: json.data.account_number as string, hidden };
  };

  test('becomes open by a look-up, and money on it counts beside the money on the shown account', async () => {
    const { reference, shown, hidden } = await openTwice();
    await world.sweepAfter(MINUTE);
    expect(await listAttempts()).toEqual([
      ['paystack', '', 'open'],
      ['monnify', '-B', 'open'],
    ]);
    const version = (await merchant.fetch(reference)).version;
    expect([version, await world.events()]).toEqual([1, []]);
    await Promise.all([world.pay('paystack', hidden?.number ?? '', ASKED), world.pay('monnify', shown, ASKED)]);
    expect(await merchant.fetch(reference)).toMatchObject({ status: 'paid', paid_amount: 17_000, provider: 'monnify' });
    expect(new Set(await world.eventsOf(reference))).toEqual(new Set(['checkout.paid', 'checkout.overpaid']));
    expect(await world.unmatched()).toEqual([]);
    await world.expectBooksToAgree();
  });

  test('counts money that comes before its look-up', async () => {
    const { reference, hidden } = await openTwice();
    await expectPaid(reference, 'paystack', hidden?.number ?? '');
  });

  test('ends when its provider has not known it for half an hour', async () => {
    const { json } = await merchant.apiWith(silentProviders('paystack')).initialize({ ...ORDER, expires_in: 7_200 });
    await world.minutesPass(20);
    expect(await listAttempts()).toMatchObject([['paystack', '', 'unknown'], {}]);
    await world.minutesPass(20);
    expect(await listAttempts()).toMatchObject([['paystack', '', 'refused'], {}]);
    expect(await merchant.statusOf(json.data.reference)).toBe('pending');
  });

  test('does not prevent the expiry of the checkout while its provider is down, and opens later', async () => {
    const { reference, hidden } = await openTwice();
    const dead: Changes = unreachableProviders('paystack');
    await world.minutesPass(60, 5, dead);
    expect(await merchant.statusOf(reference)).toBe('expired');
    expect(await listAttempts()).toMatchObject([['paystack', '', 'unknown'], {}]);
    world.simulator.fault('paystack', null);
    await world.sweepAfter(HOUR);
    expect(await listAttempts()).toMatchObject([['paystack', '', 'open'], {}]);
    expect(hidden).toBeDefined();
  });
});

test('money on an account that its provider never returned counts after the sweeper opened the checkout at another provider', async () => {
  const broken = changeProviders(world, (issuer, name) => ({
    createPaymentAccount: async (request) => {
      if (name === 'monnify') throw new ProviderError('No.');
      await issuer.createPaymentAccount(request);
      throw new OutcomeUnknown('The answer was lost.');
    },
  }));
  const failing = merchant.apiWith(broken);
  // Each account at the last provider is paid, so the provider does not return it again.
  for (const ends of [['-C'], ['-C', '-C-2'], ['-C', '-C-2', '-C-3']]) {
    expect((await failing.initialize(ORDER, KEY)).status).toBe(502);
    const opened = listAccountsAt('korapay');
    expect(opened.map(({ reference }) => reference.slice(24))).toEqual(ends);
    await world.pay('korapay', opened.at(-1)?.number ?? '', ASKED);
    world.clock.advance(31 * SECOND);
  }
  await world.minutesPass(5);
  expect(await listAttempts()).toEqual([
    ['paystack', '-2', 'open'],
    ['monnify', '-B', 'refused'],
    ['korapay', '-C', 'open'],
  ]);
  const [checkout] = await world.itemsOf('CHK');
  expect(await merchant.fetch(String(checkout?.reference))).toMatchObject({ provider: 'paystack', paid_amount: 8_500 });
  // Money under references that no attempt of the checkout has stays unmatched.
  expect(await world.unmatched()).toHaveLength(2);
});

// Payers must never notice a failing provider.
longerTest.each<[string, () => Changes]>([
  ['dead', () => unreachableProviders('paystack')],
  ['silent', () => silentProviders('paystack')],
  ['rejecting', () => rejectingProviders(new ProviderError('No.'), 'paystack')],
])('every checkout opens while the first provider is %s, and none is lost', async (_, fault) => {
  const count = isLongRun ? 334 : 12;
  const broken = merchant.apiWith(fault());
  const answers = [];
  for (let n = 0; n < count; n += 1) {
    answers.push(await broken.initialize({ ...ORDER, merchant_reference: `INV-${n}` }));
    world.clock.advance(SECOND);
  }
  expect(answers.filter(({ status }) => status !== 201)).toEqual([]);
  expect(new Set(answers.map(({ json }) => json.data.account_number)).size).toBe(count);
});
