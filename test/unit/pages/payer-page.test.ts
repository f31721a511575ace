import fc from 'fast-check';
import { checkoutAssets } from '#infra/pages/checkout-assets.ts';
import { widgetScript } from '#infra/pages/widget-script.ts';
import type { BusinessProfile } from '#shared/businesses/domain/profile.ts';
import { shownAttempt } from '#shared/checkouts/domain/attempt.ts';
import {
  acceptPayment,
  type Checkout,
  expireByTime,
  fail,
  rejectPayment,
  reversePayments,
} from '#shared/checkouts/domain/checkout.ts';
import { checkoutPage } from '#shared/pages/checkout/document.ts';
import { contentName, renderMain } from '#shared/pages/checkout/main.ts';
import type { PageContext } from '#shared/pages/checkout/page-context.ts';
import { toStatusAnswer } from '#shared/pages/checkout/status.ts';
import {
  copyableNaira,
  groupedDigits,
  lagosMoment,
  lagosTime,
  naira as nairaWords,
  plainNaira,
  shortName,
  timeLeft,
} from '#shared/pages/checkout/words.ts';
import { html } from '#shared/pages/html.ts';
import { asReversed } from '#shared/payments/domain/payment.ts';
import { kobo } from '#shared/platform/kernel/money.ts';
import { MINUTE } from '#shared/platform/kernel/time.ts';
import { longerTest, setRuns } from '#test/support/jest/long.ts';
import { everyView, showCheckout, type ViewOptions } from '#test/support/worlds/payer-views.ts';
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

const show = (checkout: Checkout, more: ViewOptions = {}): PageContext => showCheckout(checkout, PROFILE, more);
const readText = (page: PageContext): string =>
  renderMain(page)
    .text.replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');
const renderPage = (page: PageContext) => checkoutPage(page, checkoutAssets());

describe('the texts of the payment page', () => {
  test('write money for payers and for bank apps, and shorten names', () => {
    expect([0, 5, 100, 850_075, 999_999_999_999_999].map((amount) => nairaWords(kobo.parse(amount)))).toEqual([
      '₦0.00',
      '₦0.05',
      '₦1.00',
      '₦8,500.75',
      '₦9,999,999,999,999.99',
    ]);
    expect(plainNaira(kobo.parse(850_075))).toBe('8500.75');
    expect(['Chiamaka Okafor', 'OKAFOR,  CHIAMAKA GRACE', 'Tunde', '', '***'].map(shortName)).toEqual([
      ...['Chiamaka O.', 'OKAFOR C. G.', 'Tunde', '', ''],
    ]);
    const parted = ['OKAFOR/CHIAMAKA GRACE', 'tunde.bakare@example.com', 'Adé-Bayo O’Neil_2690803175'];
    expect(parted.map(shortName)).toEqual(['OKAFOR C. G.', 'tunde.bakare e.', 'Adé-Bayo O. 2.']);
    const selected = (part: { text: string }): string => part.text.replaceAll(/<[^>]+>/g, '');
    // Numbers look grouped, but text selected by hand has no spaces or commas, so that a bank app accepts it.
    expect(selected(groupedDigits('2690803175'))).toBe('2690803175');
    expect(groupedDigits('2690803175').text.match(/<span/g)).toHaveLength(3);
    for (const amount of [99, 850_075, 125_000_050, 123_456_789_000]) {
      expect(selected(copyableNaira(kobo.parse(amount)))).toBe(plainNaira(kobo.parse(amount)));
    }
  });

  test('write times of Lagos, with the day if it is not today', () => {
    const at = Date.UTC(2026, 10, 20, 14, 20);
    expect(lagosTime(at, at - MINUTE)).toBe('15:20 WAT');
    expect(lagosTime(Date.UTC(2026, 10, 20, 23, 30), at)).toBe('00:30 WAT on 21 November');
    expect(lagosMoment(at)).toBe('20 November 2026, 15:20:00 WAT');
    expect(
      [30_000, 61_000, 27.5 * MINUTE, 120 * MINUTE, 24 * 60 * MINUTE].map((left) => timeLeft(at + left, at)),
    ).toEqual(['in less than a minute', 'in 1 minute', 'in 27 minutes', 'in 2 hours', 'in 24 hours']);
  });
});

describe('the views of the payment page', () => {
  const half = acceptPayment(pending, paymentOf({ amount: naira(2_000) })).checkout;
  const sentBack = rejectPayment(pending, paymentOf({ amount: naira(1_500), outcome: 'rejected' })).checkout;
  const ended = (expireByTime(pending, END) ?? { checkout: pending }).checkout;

  test.each<[string, PageContext, readonly string[]]>([
    ['pay', show(pending), ['Transfer ₦5,000.00', 'Send exactly this amount, once,', 'I’ve sent the money', 'Cancel']],
    [
      'confirming',
      show(pending, { sentAt: NOON }),
      ['Looking for your transfer of ₦5,000.00', 'You may leave this page', 'I haven’t sent it yet'],
    ],
    [
      'confirming for some minutes',
      show(pending, { sentAt: NOON - 3 * MINUTE }),
      ['Some banks take a few minutes more. Your transfer is not lost.'],
    ],
    [
      'confirming for long',
      show(pending, { sentAt: NOON - 11 * MINUTE }),
      ['Your transfer has not arrived yet. Ask your bank', 'Don’t pay twice', pending.reference],
    ],
    [
      'sent back',
      show(sentBack),
      ['₦1,500.00 was sent back', 'It was not the amount asked for.', 'To pay, send exactly ₦5,000.00.'],
    ],
    [
      'the right amount sent back',
      show(rejectPayment(pending, paymentOf({ amount: naira(5_000), outcome: 'rejected' })).checkout),
      [
        '₦5,000.00 was sent back',
        'It was not accepted.',
        'Before you send it again, contact Ada Stores with reference',
      ],
    ],
    [
      'underpaid, the rest on its way',
      show(half, { sentAt: NOON }),
      ['Looking for your transfer of ₦3,000.00', '₦2,000.00 of ₦5,000.00 has arrived.'],
    ],
    [
      'checking, the money on its way',
      show(pending, { now: END, sentAt: NOON }),
      ['Looking for your transfer', 'Time is up: please don’t send money now. Money that you have sent still counts.'],
    ],
    ['underpaid', show(half), ['₦3,000.00 is still missing', '₦2,000.00 of ₦5,000.00 has arrived.']],
    [
      'paid in part',
      show(half, { now: END }),
      ['Paid in part', '₦5,000.00', 'Time is up.', 'Don’t send more to this account'],
    ],
    ['checking', show(pending, { now: END }), ['Time is up: please don’t send money now']],
    [
      'expired',
      show(ended),
      ['No money had arrived by 13:00 WAT. Money that still arrives counts.', 'don’t pay twice', ended.reference],
    ],
    ['failed', show(fail(pending).checkout), ['could not be completed', 'Return to Ada Stores']],
    ['closed shop', show(pending, { isSuspended: true }), ['Ada Stores can’t take payments now']],
    [
      'paid',
      show(acceptPayment(pending, paymentOf({ amount: naira(5_500) })).checkout),
      [
        'Payment received',
        '₦5,500.00 has arrived at Ada Stores',
        '₦500.00 more than asked for',
        'Return to Ada Stores',
      ],
    ],
  ])('the view “%s” says what happened and what to do', (_, page, texts) => {
    for (const text of texts) expect(readText(page)).toContain(text);
    expect(renderMain(page).text.match(/<h1 /g)).toHaveLength(1);
  });

  test('the account is shown only while money may be sent to it', () => {
    const { accountNumber } = ACCOUNT;
    const shows = (page: PageContext): boolean => renderMain(page).text.includes(accountNumber);
    expect([show(pending), show(pending, { sentAt: NOON }), show(half)].map(shows)).toEqual([true, true, true]);
    const closed = [show(half, { now: END }), show(ended), show(pending, { isSuspended: true })];
    expect(closed.map(shows)).toEqual([false, false, false]);
  });

  test('a payer with a second account reads which one to use, and that money on the first one counts', () => {
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
    const read = (checkout: Checkout, more: ViewOptions = {}): string =>
      readText(show(checkout, more)).replaceAll(' ', '');
    const says = (text: string): string => text.replaceAll(' ', '');
    expect(read(moved)).toContain(
      says(
        `Pay into the account below. Already sent money to ${first} at Wema Bank? It still counts. Don’t pay twice.`,
      ),
    );
    const paidHalf = acceptPayment(moved, paymentOf({ amount: naira(2_000) })).checkout;
    for (const text of [read(moved, { sentAt: NOON }), read(paidHalf)]) {
      expect(text).toContain(says(`Money that you sent to ${first} at Wema Bank counts too.`));
      expect(text).toContain('8041277705');
    }
    expect(read(pending)).not.toContain('counts');
    const isCopied = (number: string): boolean => renderMain(show(moved)).text.includes(`data-copy="${number}"`);
    expect([account.accountNumber, shownBefore.accountNumber].map(isCopied)).toEqual([true, false]);
  });

  test('a payer whose bank cannot find the account reads what to do', () => {
    const WORDS = 'My bank can’t find this account';
    const offered = renderMain(show(pending, { other: 'offered' })).text;
    expect(offered).toContain('action="/pay/PAY-0.tag/another-account?pressed=other-1"');
    expect(offered).toContain(`data-busy="Opening another account…">${WORDS}</button>`);
    const none = readText(show(pending, { other: 'none' }));
    expect(none).toContain('If your bank can’t find this account, contact Ada Stores with reference');
    expect(none).not.toContain('We have no other account');
    const [attempt] = pending.attempts;
    const failedAtOthers = {
      ...pending,
      attempts: [...pending.attempts, { ...attempt, state: 'refused', account: undefined }],
    };
    expect(readText(show(failedAtOthers as Checkout, { other: 'none' }))).toContain(
      'We have no other account for this payment.',
    );
    for (const page of [show(pending), show(pending, { other: 'offered', sentAt: NOON }), show(half)]) {
      expect(readText(page)).not.toContain('find this account');
    }
  });

  test('a payer reads that transfers are slow at all banks', () => {
    const words = 'Transfers are slow at all banks right now.';
    for (const sentAt of [null, NOON]) {
      expect(readText(show(pending, { isSlowEverywhere: true, sentAt }))).toContain(words);
      expect(readText(show(pending, { sentAt }))).not.toContain(words);
    }
  });

  test('the content has another name only if an open page must replace it, and not just because a minute passed', () => {
    const pages = [
      show(pending),
      show(pending, { other: 'offered' }),
      show(pending, { other: 'none' }),
      show(pending, { isSlowEverywhere: true }),
      show(pending, { sentAt: NOON }),
      show(pending, { sentAt: NOON - 11 * MINUTE }),
      show({ ...pending, version: pending.version + 1 }),
      show(half),
      show(half, { sentAt: NOON }),
    ];
    expect(new Set(pages.map(contentName)).size).toBe(pages.length);
    expect(contentName(show(pending, { now: NOON + MINUTE }))).toBe(contentName(show(pending)));
    // The served page and its first answer have the same name, so that this answer replaces nothing.
    for (const page of pages) {
      expect(renderPage(page).html).toContain(`data-content="${contentName(page)}"`);
      expect(toStatusAnswer(page).content).toBe(contentName(page));
    }
  });

  test('a waiting payer has no Cancel; if the script does not run, a button asks the provider again', () => {
    const waiting = renderMain(show(pending, { sentAt: NOON })).text;
    expect(waiting).not.toContain('cancelled=true');
    expect(waiting).toContain(
      `/sent?sent=${NOON}&amp;pressed=again-1" class="unscripted"><p>This page does not update itself.</p><button class="check">Check again`,
    );
    expect(renderMain(show(pending)).text).toContain('cancelled=true');
    // The button stands before Cancel.
    expect(renderMain(show(pending)).text).toMatch(/<a class="check" href="[^"]*">Check again.*Cancel/s);
  });

  test('no view contains the payer’s e-mail address, whole names or metadata', () => {
    const sent = paymentOf({ amount: naira(5_000), senderName: 'TUNDE SECRETLY' });
    const paid = acceptPayment({ ...pending, payerName: 'Tunde Secretly' }, sent).checkout;
    for (const page of [show(pending), show(paid)]) {
      const { html } = renderPage(page);
      for (const hidden of [pending.payerEmail, 'SECRETLY', 'Secretly', 'metadata']) expect(html).not.toContain(hidden);
    }
    expect(readText(show(paid))).toMatch(/Customer Tunde S\. Sent from TUNDE S\., Kuda Microfinance Bank/);
  });

  test('a paid view has a receipt: to whom, how much, for what, from whom, when, and its reference', () => {
    const order = { ...pending, description: 'Six yards of ankara', merchantReference: 'ORDER-2026-00417' };
    const paid = acceptPayment(order, paymentOf({ amount: naira(5_000) })).checkout;
    const rows = [...renderMain(show(paid)).text.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)];
    expect(rows.map(([, label, value]) => [label, value?.replaceAll(/<[^>]+>/g, '')])).toEqual([
      ['Paid to', 'Ada Stores'],
      ['Amount', '₦5,000.00'],
      ['For', 'Six yards of ankara'],
      ['Order', 'ORDER-2026-00417'],
      ['Customer', 'Chiamaka O.'],
      ['Sent from', 'OKAFOR C. G., Kuda Microfinance Bank'],
      ['When', '20 November 2026, 13:01:00 WAT'],
      ['Reference', pending.reference],
    ]);
    expect(renderPage(show(paid)).html).toContain('<title>Receipt from Ada Stores</title>');
    expect(toStatusAnswer(show(paid)).title).toBe('Receipt from Ada Stores');
  });

  test('if money was taken back, the view says that first, then whom to ask, and hides the account in a fold below', () => {
    const whole = paymentOf({ amount: naira(5_000) });
    const taken = reversePayments(acceptPayment(pending, whole).checkout, [asReversed(whole)], whole.amount).checkout;
    const { text } = renderMain(show(taken));
    expect(text).toContain('<h1 tabindex="-1">₦5,000.00 was taken back</h1>');
    expect(readText(show(taken))).toContain('Before you send it again, contact Ada Stores with reference');
    expect(text.indexOf('<details')).toBeLessThan(text.indexOf('data-copy'));
    expect(text.indexOf('I’ve sent the money')).toBeLessThan(text.indexOf('</details>'));
    const over = readText(show((expireByTime(taken, END) ?? { checkout: taken }).checkout, { now: END }));
    expect(over).toContain('₦5,000.00 was taken back');
    for (const other of ['start again', 'Before you send it again']) expect(over).not.toContain(other);
    const again = show(taken, { sentAt: NOON });
    expect(readText(again)).toContain('To ask why, contact Ada Stores with reference');
    expect(readText(again)).not.toContain('Before you send it again');
  });

  test('the title says that a payment is paid in part or has expired', () => {
    const titles = [pending, half, ended].map((checkout) => toStatusAnswer(show(checkout)).title);
    expect(titles).toEqual(['Pay Ada Stores', 'Paid in part: Ada Stores', 'Expired: Ada Stores']);
    // A chat keeps its preview, so the preview never says the payment's state.
    const preview = '<meta property="og:title" content="Pay Ada Stores">';
    for (const checkout of [pending, half, ended]) expect(renderPage(show(checkout)).html).toContain(preview);
  });

  test('an ended payment says what it was for', () => {
    const order = { ...pending, description: 'Six yards of ankara', merchantReference: 'ORDER-2026-00417' };
    const over = (expireByTime(order, END) ?? { checkout: order }).checkout;
    for (const checkout of [over, fail(order).checkout, { ...half, ...order, status: 'underpaid' as const }]) {
      expect(readText(show(checkout, { now: END }))).toContain(
        '₦5,000.00 for Six yards of ankara, order ORDER-2026-00417',
      );
    }
  });

  test('a payer who has something to read is not led back to the shop, and the receipt says how much was asked for', () => {
    const isLedBack = (page: PageContext): boolean => renderMain(page).text.includes('data-return');
    const whole = acceptPayment(pending, paymentOf({ amount: naira(5_000) })).checkout;
    const over = acceptPayment(pending, paymentOf({ amount: naira(5_500) })).checkout;
    const twice = rejectPayment(whole, paymentOf({ amount: naira(5_000), outcome: 'rejected' })).checkout;
    expect([whole, over, twice].map((checkout) => isLedBack(show(checkout)))).toEqual([true, false, false]);
    const nothingToDo = 'You don’t need to do anything else.';
    expect(readText(show(whole))).toContain(nothingToDo);
    for (const checkout of [over, twice]) expect(readText(show(checkout))).not.toContain(nothingToDo);
    expect(readText(show(over))).toContain('Amount ₦5,500.00 Asked for ₦5,000.00');
  });

  test('a receipt of several transfers lists each of them, and has no row for unknown values', () => {
    const rest = paymentOf({ amount: naira(3_000), paidAt: NOON + 9 * MINUTE, senderName: null });
    const twice = acceptPayment(half, rest).checkout;
    expect(readText(show(twice))).toContain(
      'Sent from ₦2,000.00, OKAFOR C. G., Kuda Microfinance Bank, 20 November 2026, 13:01:00 WAT ₦3,000.00, Kuda Microfinance Bank, 20 November 2026, 13:09:00 WAT',
    );
    const silent = { ...pending, payerName: null, merchantReference: null };
    const paid = acceptPayment(silent, paymentOf({ amount: naira(5_000), senderName: null, senderBank: null }));
    for (const label of ['Asked for', 'Customer', 'Sent from', 'Order', 'For']) {
      expect(renderMain(show(paid.checkout)).text).not.toContain(`<dt>${label}</dt>`);
    }
  });

  test('an account that is not in the shop’s name says who collects the money', () => {
    const named = (accountName: string) => {
      const attempts = [{ ...shownAttempt(pending), account: { ...ACCOUNT, accountName } }];
      return readText(show({ ...pending, attempts }));
    };
    const why =
      'PAYSTACK CHECKOUT PAYSTACK CHECKOUT collects transfers for Ada Stores. Your bank should show this name.';
    expect(named('PAYSTACK CHECKOUT')).toContain(why);
    for (const name of ['ADA STORES LTD', 'Paybridge-ADA STORES']) {
      expect(named(name)).toContain(`${name} Your bank should show this name.`);
      expect(named(name)).not.toContain('collects transfers');
    }
    expect(named('')).not.toContain('Account name');
  });

  test('each view with an account says how to send the money', () => {
    for (const page of [show(pending), show(half), show(pending, { sentAt: NOON })]) {
      expect(readText(page)).toContain('Transfers at a bank counter or through a POS agent may fail.');
    }
    const waiting = show(pending, { sentAt: NOON });
    expect(readText(waiting)).not.toContain('Send exactly this amount, once,');
    expect(renderMain(waiting).text).toContain('<details class="again"><summary>Account to pay into</summary>');
  });

  test('a payer who has just sent the right amount reads what was sent back, and is not asked to send again', () => {
    const page = show(sentBack, { sentAt: NOON + MINUTE, now: NOON + MINUTE });
    expect(page.view.kind).toBe('confirming');
    expect(readText(page)).toContain('₦1,500.00 was sent back');
    expect(readText(page)).not.toContain('To pay, send exactly');
  });

  test('a payer who pressed the button by mistake has a way back', () => {
    const findLink = (more: ViewOptions) =>
      /href="([^"]*)" data-unsent/.exec(renderMain(show(pending, { sentAt: NOON, ...more })).text)?.[1];
    expect([findLink({}), findLink({ isEmbedded: true })]).toEqual(['/pay/PAY-0.tag', '/pay/PAY-0.tag?embed=1']);
  });

  test('all details that another phone needs can be copied at once', () => {
    const [, details] = /data-copy="([^"]*)" data-of="v-all"/.exec(renderMain(show(half)).text) ?? [];
    expect(details?.split('\n')).toEqual([
      'Pay Ada Stores by bank transfer',
      'Amount: ₦3,000.00',
      'Bank: Sandbox Bank (paystack)',
      'Account number: 1234567898',
      'Account name: Chiamaka Okafor',
      `Reference: ${pending.reference}`,
      'Send exactly this amount, once, before 20 November 2026, 13:30:00 WAT.',
      'Transfers at a bank counter or through a POS agent may fail.',
    ]);
  });

  test('the remaining time stands out in the last five minutes', () => {
    const closing = (now: number) => /<p class="(closing[^"]*)"/.exec(renderMain(show(pending, { now })).text)?.[1];
    expect([END - 5 * MINUTE - 1, END - 5 * MINUTE, END - MINUTE].map(closing)).toEqual([
      'closing',
      'closing soon',
      'closing soon too-late',
    ]);
  });

  test('a browser without the script reads that its button changed nothing', () => {
    const nothing = 'Checked at 13:00:00 WAT: nothing new has arrived.';
    const changed = { ...pending, version: 2 };
    const pressed = (button: string, checkout: Checkout = pending, more: ViewOptions = {}) =>
      readText(show(checkout, { pressed: button, ...more }));
    expect(pressed('again-1')).toContain(nothing);
    expect(pressed('again-1', pending, { sentAt: NOON })).toContain(nothing);
    expect(pressed('again-1', changed)).not.toContain('Checked at');
    const noOther = 'We can’t open another account right now.';
    const count = (text: string) => text.split(noOther).length - 1;
    // The form has the sentence too, for the script.
    expect(count(pressed('other-1', pending, { other: 'offered' }))).toBe(2);
    expect(count(pressed('other-1', changed, { other: 'offered' }))).toBe(1);
    expect(pressed('other-1', pending, { other: 'none' })).not.toContain(noOther);
    expect(pressed('other-1', pending, { other: 'none' })).not.toContain('Checked at');
  });

  test('every view that names a contact also names the reference', () => {
    for (const [name, page] of Object.entries(everyView(pending, PROFILE))) {
      const text = readText(page);
      const asks = text.match(/contact Ada Stores/gi) ?? [];
      const withReference = text.match(/contact Ada Stores with reference PAY-/gi) ?? [];
      expect([name, withReference.length]).toEqual([name, asks.length]);
    }
  });
});

describe('the payment page', () => {
  test('runs its own style and script by their hashes, and talks only to this service', () => {
    const { headers } = renderPage(show(pending));
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

  test('gives a chat a preview with the shop’s name, without the amount or the payer', () => {
    const metas = [...renderPage(show(pending)).html.matchAll(/<meta property="og:(\w+)" content="([^"]*)">/g)];
    expect(Object.fromEntries(metas.map(([, name, content]) => [name, content]))).toEqual({
      title: 'Pay Ada Stores',
      type: 'website',
      description: 'By bank transfer',
    });
    const logo = { id: 'lgo_1', type: 'image/png', width: 120, height: 40 } as const;
    const withLogo = show(pending, { profile: { ...PROFILE, logo } });
    const image = '<meta property="og:image" content="https://pay.example.ng/logos/lgo_1">';
    expect(checkoutPage(withLogo, checkoutAssets(), 'https://pay.example.ng').html).toContain(image);
    expect(renderPage(withLogo).html).not.toContain('og:image');
  });

  test('may be framed only by the business’s websites, and in test mode by the developer’s machine', () => {
    const ancestors = (mode: 'live' | 'test'): string | undefined =>
      /frame-ancestors ([^;]*)/.exec(
        renderPage(show({ ...pending, mode }, { isEmbedded: true })).headers['content-security-policy'] ?? '',
      )?.[1];
    expect(ancestors('live')).toBe('https://shop.example.ng');
    expect(ancestors('test')).toBe('https://shop.example.ng http://localhost:* http://127.0.0.1:*');
  });

  test('has no link to the shop in a frame', () => {
    const page = show(acceptPayment(pending, paymentOf({ amount: naira(5_000) })).checkout, { isEmbedded: true });
    const { text } = renderMain(page);
    expect(text).not.toContain('href="https://shop');
    expect(text).toContain('data-close');
  });

  test('has the buttons that simulate a payment only in test mode', () => {
    expect(renderMain(show({ ...pending, mode: 'test' })).text).toContain('/simulate');
    expect(renderMain(show({ ...pending, mode: 'live' })).text).not.toContain('/simulate');
    // A button can also pay into an earlier account, if there is one.
    expect(renderMain(show({ ...pending, mode: 'test' })).text).not.toContain('shown before');
    const attempts = [shownAttempt(pending), { ...shownAttempt(pending), reference: `${pending.reference}-B` }];
    expect(renderMain(show({ ...pending, mode: 'test', attempts })).text).toContain(
      'Pay into the account shown before',
    );
  });

  longerTest('keeps its structure, whatever names are in it', () => {
    const stripTexts = (page: string): string =>
      page
        .replaceAll(/(<(style|script)[^>]*>).*?(<\/\2>)/gs, '$1$3')
        .replaceAll(/"[^"]*"/g, '""')
        .replaceAll(/>[^<]*/g, '>');
    const renderNamed = (name: string) =>
      renderPage({
        ...show({
          ...pending,
          description: name,
          attempts: [{ ...shownAttempt(pending), account: { ...ACCOUNT, accountName: name, bankName: name } }],
          callbackUrl: `https://shop.example.ng/?q=${encodeURIComponent(name)}`,
        }),
        profile: { ...PROFILE, displayName: name, support: { kind: 'page', url: 'https://ada.example.ng/"><script>' } },
      }).html;
    const shape = stripTexts(renderNamed('Ada'));
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
    // An empty name is left out, because the page then has no row for it.
    const name = text.map((parts) => parts.join('').toWellFormed()).filter((joined) => joined.trim() !== '');
    fc.assert(
      fc.property(name, (anyName) => {
        expect(stripTexts(renderNamed(anyName))).toBe(shape);
      }),
      setRuns(100),
    );
  });
});

test('the template tag escapes everything but its own HTML', () => {
  expect(
    html`<p title="${'"\'&<>'}">${'<b>'}${html`<i>${1}</i>`}${[html`a`, html`&amp;`]}${false}${null}</p>`.text,
  ).toBe('<p title="&quot;&#39;&amp;&lt;&gt;">&lt;b&gt;<i>1</i>a&amp;</p>');
});

test('the payment page fits into the first congestion window of TCP, and its script and the widget stay small', async () => {
  const { brotliCompressSync, gzipSync } = await import('node:zlib');
  expect(brotliCompressSync(renderPage(show({ ...pending, mode: 'test' })).html).length).toBeLessThan(14_000);
  expect(gzipSync(checkoutAssets().script).length).toBeLessThan(5_000);
  expect(gzipSync(widgetScript()).length).toBeLessThan(4_000);
});
