import fc from 'fast-check';
import { checkoutAssets } from '#infra/pages/checkout-assets.ts';
import { widgetScript } from '#infra/pages/widget-script.ts';
import type { BusinessProfile } from '#shared/businesses/domain/profile.ts';
import { shownAttempt } from '#shared/checkouts/domain/attempt.ts';
import { acceptPayment, type Checkout, fail, passTime, rejectPayment } from '#shared/checkouts/domain/checkout.ts';
import { payerView, type Viewing } from '#shared/checkouts/domain/payer-view.ts';
import { checkoutPage } from '#shared/pages/checkout/document.ts';
import { contentName, mainOf, type Shown } from '#shared/pages/checkout/main.ts';
import { statusOf } from '#shared/pages/checkout/status.ts';
import {
  copyableNaira,
  groupedDigits,
  lagosDate,
  lagosTime,
  naira as nairaWords,
  plainNaira,
  timeLeft,
} from '#shared/pages/checkout/words.ts';
import { html } from '#shared/pages/html.ts';
import { kobo } from '#shared/platform/kernel/money.ts';
import { MINUTE } from '#shared/platform/kernel/time.ts';
import { longerTest, runsOf } from '#test/support/jest/long.ts';
import { NOON, naira, paymentOf, pendingCheckout } from '#test/unit/api/examples.ts';

const PROFILE: BusinessProfile = {
  displayName: 'Ada Stores',
  support: { kind: 'email', address: 'help@ada.example.ng' },
  websites: ['https://shop.example.ng'],
  brandColor: '#0a7d4f',
  isRouted: false,
  logo: null,
};
const pending: Checkout = { ...pendingCheckout(), callbackUrl: 'https://shop.example.ng/done' };
const { expiresAt: END, account: ACCOUNT } = shownAttempt(pending);

type About = Partial<Shown> & Partial<Pick<Viewing, 'isSuspended' | 'other' | 'isSlowEverywhere'>>;

const shownOf = (checkout: Checkout, more: About = {}): Shown => {
  const { now = NOON, sentAt = null, isSuspended = false, other, isSlowEverywhere, ...rest } = more;
  const viewing = { now, sentAt, isSuspended, takesRest: true };
  const view = payerView(checkout, {
    ...viewing,
    ...(other && { other }),
    ...(isSlowEverywhere && { isSlowEverywhere }),
  });
  return { link: 'PAY-0.tag', checkout, view, profile: PROFILE, now, sentAt, isEmbedded: false, ...rest };
};
const textOf = (shown: Shown): string =>
  mainOf(shown)
    .text.replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');
const pageOf = (shown: Shown) => checkoutPage(shown, checkoutAssets());

describe('words', () => {
  test('write money as payers read it, and as bank apps take it', () => {
    expect([0, 5, 100, 850_075, 999_999_999_999_999].map((one) => nairaWords(kobo.parse(one)))).toEqual([
      '₦0.00',
      '₦0.05',
      '₦1.00',
      '₦8,500.75',
      '₦9,999,999,999,999.99',
    ]);
    expect(plainNaira(kobo.parse(850_075))).toBe('8500.75');
    const selected = (shown: { text: string }): string => shown.text.replaceAll(/<[^>]+>/g, '');
    // What is selected by hand is what a bank app takes, however it looks.
    expect(selected(groupedDigits('2690803175'))).toBe('2690803175');
    expect(groupedDigits('2690803175').text.match(/<span/g)).toHaveLength(3);
    for (const amount of [99, 850_075, 125_000_050, 123_456_789_000]) {
      expect(selected(copyableNaira(kobo.parse(amount)))).toBe(plainNaira(kobo.parse(amount)));
    }
  });

  test('write times of Lagos, with the day where it is another', () => {
    const at = Date.UTC(2026, 10, 20, 14, 20);
    expect(lagosTime(at, at - MINUTE)).toBe('15:20 WAT');
    expect(lagosTime(Date.UTC(2026, 10, 20, 23, 30), at)).toBe('00:30 WAT on 21 November');
    expect(lagosDate(at)).toBe('15:20 WAT on 20 November 2026');
    expect(
      [30_000, 61_000, 27.5 * MINUTE, 120 * MINUTE, 24 * 60 * MINUTE].map((left) => timeLeft(at + left, at)),
    ).toEqual(['in less than a minute', 'in 1 minute', 'in 27 minutes', 'in 2 hours', 'in 24 hours']);
  });
});

describe('each view says what the payer has to know', () => {
  const half = acceptPayment(pending, paymentOf({ amount: naira(2_000) })).checkout;
  const sentBack = rejectPayment(pending, paymentOf({ amount: naira(1_500), outcome: 'rejected' })).checkout;
  const ended = (passTime(pending, END) ?? { checkout: pending }).checkout;

  test.each<[string, Shown, readonly string[]]>([
    [
      'pay',
      shownOf(pending),
      ['Transfer ₦5,000.00', 'Send exactly this amount, once,', 'I’ve sent the money', 'Cancel'],
    ],
    ['confirming', shownOf(pending, { sentAt: NOON }), ['Looking for your transfer', 'You may leave this page']],
    [
      'confirming for long',
      shownOf(pending, { sentAt: NOON - 11 * MINUTE }),
      ['Still not here. Ask your bank', pending.reference],
    ],
    [
      'sent back',
      shownOf(sentBack),
      ['₦1,500.00 was sent back', 'It was not the amount asked for.', 'To pay, send exactly ₦5,000.00.'],
    ],
    [
      'the right amount sent back',
      shownOf(rejectPayment(pending, paymentOf({ amount: naira(5_000), outcome: 'rejected' })).checkout),
      ['₦5,000.00 was sent back', 'It was not accepted.', 'Contact Ada Stores with', 'before you send it again'],
    ],
    ['underpaid, the rest on its way', shownOf(half, { sentAt: NOON }), ['We are looking for your transfer.']],
    [
      'checking, the money on its way',
      shownOf(pending, { now: END, sentAt: NOON }),
      ['Time is up', 'We are looking for your transfer.'],
    ],
    ['underpaid', shownOf(half), ['₦3,000.00 is still missing', 'received ₦2,000.00 of ₦5,000.00']],
    ['paid in part', shownOf(half, { now: END }), ['Paid in part', 'Don’t send more to this account']],
    ['checking', shownOf(pending, { now: END }), ['Time is up: please don’t send money now']],
    ['expired', shownOf(ended), ['Nothing arrived.', 'don’t pay twice', 'contact Ada Stores', ended.reference]],
    ['failed', shownOf(fail(pending).checkout), ['could not be completed', 'Return to Ada Stores']],
    ['closed shop', shownOf(pending, { isSuspended: true }), ['Ada Stores can’t take payments now']],
    [
      'paid',
      shownOf(acceptPayment(pending, paymentOf({ amount: naira(5_500) })).checkout),
      ['Payment received', '₦5,500.00 to Ada Stores', '₦500.00 more than asked for', 'Return to Ada Stores'],
    ],
  ])('%s', (_, shown, texts) => {
    for (const text of texts) expect(textOf(shown)).toContain(text);
    expect(mainOf(shown).text.match(/<h1 /g)).toHaveLength(1);
  });

  test('an account to pay into is shown only while money may be sent to it', () => {
    const { accountNumber } = ACCOUNT;
    const shows = (shown: Shown): boolean => mainOf(shown).text.includes(accountNumber);
    expect([shownOf(pending), shownOf(pending, { sentAt: NOON }), shownOf(half)].map(shows)).toEqual([
      true,
      true,
      true,
    ]);
    const closed = [shownOf(half, { now: END }), shownOf(ended), shownOf(pending, { isSuspended: true })];
    expect(closed.map(shows)).toEqual([false, false, false]);
  });

  test('which account to pay into, and that money on those before counts', () => {
    const first = '269 080 3175';
    const [before] = pending.attempts;
    const account = { ...ACCOUNT, accountNumber: '8041277705', bankName: 'Moniepoint MFB' };
    const shownBefore = { ...ACCOUNT, accountNumber: first.replaceAll(' ', ''), bankName: 'Wema Bank' };
    const moved = {
      ...pending,
      attempts: [
        { ...shownAttempt(pending), account: shownBefore },
        { ...shownAttempt(pending), reference: `${before?.reference}-B`, account },
      ],
    } as Checkout;
    const read = (checkout: Checkout, more: About = {}): string => textOf(shownOf(checkout, more)).replaceAll(' ', '');
    const says = (text: string): string => text.replaceAll(' ', '');
    expect(read(moved)).toContain(
      says(
        `Pay into the account below. Already sent money to ${first} at Wema Bank? It still counts. Don’t pay twice.`,
      ),
    );
    const paidHalf = acceptPayment(moved, paymentOf({ amount: naira(2_000) })).checkout;
    for (const sight of [read(moved, { sentAt: NOON }), read(paidHalf)]) {
      expect(sight).toContain(says(`Money that you sent to ${first} at Wema Bank counts too.`));
      expect(sight).toContain('8041277705');
    }
    expect(read(pending)).not.toContain('counts');
    const isCopied = (number: string): boolean => mainOf(shownOf(moved)).text.includes(`data-copy="${number}"`);
    expect([account.accountNumber, shownBefore.accountNumber].map(isCopied)).toEqual([true, false]);
  });

  test('what to do where the payer’s bank cannot find the account', () => {
    const WORDS = 'My bank can’t find this account';
    const offered = mainOf(shownOf(pending, { other: 'offered' })).text;
    expect(offered).toContain('action="/pay/PAY-0.tag/another-account"');
    expect(offered).toContain(`data-busy="Opening another account…">${WORDS}</button>`);
    const none = textOf(shownOf(pending, { other: 'none' }));
    expect(none).toContain('If your bank can’t find this account, contact Ada Stores with');
    expect(none).not.toContain('We have no other account');
    const [attempt] = pending.attempts;
    const asked = { ...pending, attempts: [...pending.attempts, { ...attempt, state: 'refused', account: undefined }] };
    expect(textOf(shownOf(asked as Checkout, { other: 'none' }))).toContain(
      'We have no other account for this payment.',
    );
    for (const shown of [shownOf(pending), shownOf(pending, { other: 'offered', sentAt: NOON }), shownOf(half)]) {
      expect(textOf(shown)).not.toContain('find this account');
    }
  });

  test('that transfers are slow at all banks', () => {
    const words = 'Transfers are slow at all banks right now.';
    for (const sentAt of [null, NOON]) {
      expect(textOf(shownOf(pending, { isSlowEverywhere: true, sentAt }))).toContain(words);
      expect(textOf(shownOf(pending, { sentAt }))).not.toContain(words);
    }
  });

  test('under a name that is another one wherever an open page is to show it anew, and the same in another minute', () => {
    const shown = [
      shownOf(pending),
      shownOf(pending, { other: 'offered' }),
      shownOf(pending, { other: 'none' }),
      shownOf(pending, { isSlowEverywhere: true }),
      shownOf(pending, { sentAt: NOON }),
      shownOf(pending, { sentAt: NOON - 11 * MINUTE }),
      shownOf({ ...pending, version: pending.version + 1 }),
      shownOf(half),
      shownOf(half, { sentAt: NOON }),
    ];
    expect(new Set(shown.map(contentName)).size).toBe(shown.length);
    expect(contentName(shownOf(pending, { now: NOON + MINUTE }))).toBe(contentName(shownOf(pending)));
    // The page as it is served has the name that its first answer has, so that this replaces nothing.
    for (const one of shown) {
      expect(pageOf(one).html).toContain(`data-content="${contentName(one)}"`);
      expect(statusOf(one).content).toBe(contentName(one));
    }
  });

  test('a payer who waits is not told to cancel, and has the provider asked again without the script', () => {
    const waiting = mainOf(shownOf(pending, { sentAt: NOON })).text;
    expect(waiting).not.toContain('cancelled=true');
    expect(waiting).toContain(`/sent?sent=${NOON}" class="unscripted"><button class="quiet">Check again`);
    expect(mainOf(shownOf(pending)).text).toContain('cancelled=true');
    expect(mainOf(shownOf(pending)).text).toMatch(/<p class="unscripted"><a class="quiet" href="[^"]*">Check again/);
  });

  test('nothing of the payer, the provider’s fee or the metadata', () => {
    const paid = acceptPayment(pending, paymentOf({ amount: naira(5_000), senderName: 'TUNDE SECRETLY' })).checkout;
    for (const shown of [shownOf(pending), shownOf(paid)]) {
      const page = pageOf(shown).html;
      for (const hidden of [pending.payerEmail, 'SECRETLY', 'metadata']) expect(page).not.toContain(hidden);
    }
  });
});

describe('the page', () => {
  test('runs its own style and script by their hashes, and talks to this service alone', () => {
    const { headers } = pageOf(shownOf(pending));
    const policy = headers['content-security-policy'] ?? '';
    expect(policy.replaceAll(/'sha256-[\w+/=]+'/g, 'HASH')).toBe(
      "default-src 'none'; script-src HASH; style-src HASH HASH; connect-src 'self'; img-src data:; form-action 'self'; " +
        "base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types pay",
    );
    expect(headers).toMatchObject({
      'x-robots-tag': 'noindex, nofollow',
      'permissions-policy': 'clipboard-write=(self)',
    });
  });

  test('may be framed by the business’s websites alone, and in test mode by the developer’s machine', () => {
    const ancestors = (mode: 'live' | 'test'): string | undefined =>
      /frame-ancestors ([^;]*)/.exec(
        pageOf(shownOf({ ...pending, mode }, { isEmbedded: true })).headers['content-security-policy'] ?? '',
      )?.[1];
    expect(ancestors('live')).toBe('https://shop.example.ng');
    expect(ancestors('test')).toBe('https://shop.example.ng http://localhost:* http://127.0.0.1:*');
  });

  test('in a frame leads nowhere', () => {
    const shown = shownOf(acceptPayment(pending, paymentOf({ amount: naira(5_000) })).checkout, { isEmbedded: true });
    const { text } = mainOf(shown);
    expect(text).not.toContain('href="https://shop');
    expect(text).toContain('data-close');
  });

  test('has the simulator in test mode alone', () => {
    expect(mainOf(shownOf({ ...pending, mode: 'test' })).text).toContain('/simulate');
    expect(mainOf(shownOf({ ...pending, mode: 'live' })).text).not.toContain('/simulate');
    // It pays into the account before where there was one.
    expect(mainOf(shownOf({ ...pending, mode: 'test' })).text).not.toContain('shown before');
    const attempts = [shownAttempt(pending), { ...shownAttempt(pending), reference: `${pending.reference}-B` }];
    expect(mainOf(shownOf({ ...pending, mode: 'test', attempts })).text).toContain('Pay into the account shown before');
  });

  longerTest('keeps its shape, whatever the names in it are', () => {
    const shapeOf = (page: string): string =>
      page
        .replaceAll(/(<(style|script)[^>]*>).*?(<\/\2>)/gs, '$1$3')
        .replaceAll(/"[^"]*"/g, '""')
        .replaceAll(/>[^<]*/g, '>');
    const pageNamed = (name: string) =>
      pageOf({
        ...shownOf({
          ...pending,
          description: name,
          attempts: [{ ...shownAttempt(pending), account: { ...ACCOUNT, accountName: name, bankName: name } }],
          callbackUrl: `https://shop.example.ng/?q=${encodeURIComponent(name)}`,
        }),
        profile: { ...PROFILE, displayName: name, support: { kind: 'page', url: 'https://ada.example.ng/"><script>' } },
      }).html;
    const shape = shapeOf(pageNamed('Ada'));
    const nasty = fc.constantFrom(
      '</script>',
      '<img src=x onerror=a()>',
      '"',
      "'",
      '‮',
      '&amp;',
      '<!--',
      ']]>',
      '${',
      '`',
    );
    const text = fc.array(fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 5 })), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(text, (parts) => {
        const name = parts.join('').toWellFormed();
        expect(shapeOf(pageNamed(name))).toBe(shape);
      }),
      runsOf(100),
    );
  });
});

test('a template escapes everything but templates', () => {
  expect(
    html`<p title="${'"\'&<>'}">${'<b>'}${html`<i>${1}</i>`}${[html`a`, html`&amp;`]}${false}${null}</p>`.text,
  ).toBe('<p title="&quot;&#39;&amp;&lt;&gt;">&lt;b&gt;<i>1</i>a&amp;</p>');
});

test('the page fits into one congestion window, and its script and the widget stay small', async () => {
  const { brotliCompressSync, gzipSync } = await import('node:zlib');
  expect(brotliCompressSync(pageOf(shownOf({ ...pending, mode: 'test' })).html).length).toBeLessThan(14_000);
  expect(gzipSync(checkoutAssets().script).length).toBeLessThan(5_000);
  expect(gzipSync(widgetScript()).length).toBeLessThan(4_000);
});
