import fc from 'fast-check';
import { checkoutAssets } from '#infra/pages/checkout-assets.ts';
import { widgetScript } from '#infra/pages/widget-script.ts';
import type { BusinessProfile } from '#shared/businesses/domain/profile.ts';
import { shownAttempt } from '#shared/checkouts/domain/attempt.ts';
import {
  acceptPayment,
  type Checkout,
  fail,
  passTime,
  rejectPayment,
  reversePayments,
} from '#shared/checkouts/domain/checkout.ts';
import { checkoutPage } from '#shared/pages/checkout/document.ts';
import { contentName, renderMain } from '#shared/pages/checkout/main.ts';
import type { PageContext } from '#shared/pages/checkout/shown.ts';
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
import { longerTest, runsOf } from '#test/support/jest/long.ts';
import { type About, everyView, shownOf as shownFor } from '#test/support/worlds/payer-views.ts';
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

const shownOf = (checkout: Checkout, more: About = {}): PageContext => shownFor(checkout, PROFILE, more);
const textOf = (shown: PageContext): string =>
  renderMain(shown)
    .text.replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');
const pageOf = (shown: PageContext) => checkoutPage(shown, checkoutAssets());

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
    expect(['Chiamaka Okafor', 'OKAFOR,  CHIAMAKA GRACE', 'Tunde', '', '***'].map(shortName)).toEqual([
      ...['Chiamaka O.', 'OKAFOR C. G.', 'Tunde', '', ''],
    ]);
    const parted = ['OKAFOR/CHIAMAKA GRACE', 'tunde.bakare@example.com', 'Adé-Bayo O’Neil_2690803175'];
    expect(parted.map(shortName)).toEqual(['OKAFOR C. G.', 'tunde.bakare e.', 'Adé-Bayo O. 2.']);
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
    expect(lagosMoment(at)).toBe('20 November 2026, 15:20:00 WAT');
    expect(
      [30_000, 61_000, 27.5 * MINUTE, 120 * MINUTE, 24 * 60 * MINUTE].map((left) => timeLeft(at + left, at)),
    ).toEqual(['in less than a minute', 'in 1 minute', 'in 27 minutes', 'in 2 hours', 'in 24 hours']);
  });
});

describe('each view says what the payer has to know', () => {
  const half = acceptPayment(pending, paymentOf({ amount: naira(2_000) })).checkout;
  const sentBack = rejectPayment(pending, paymentOf({ amount: naira(1_500), outcome: 'rejected' })).checkout;
  const ended = (passTime(pending, END) ?? { checkout: pending }).checkout;

  test.each<[string, PageContext, readonly string[]]>([
    [
      'pay',
      shownOf(pending),
      ['Transfer ₦5,000.00', 'Send exactly this amount, once,', 'I’ve sent the money', 'Cancel'],
    ],
    [
      'confirming',
      shownOf(pending, { sentAt: NOON }),
      ['Looking for your transfer of ₦5,000.00', 'You may leave this page', 'I haven’t sent it yet'],
    ],
    [
      'confirming for some minutes',
      shownOf(pending, { sentAt: NOON - 3 * MINUTE }),
      ['Some banks take a few minutes more. Your transfer is not lost.'],
    ],
    [
      'confirming for long',
      shownOf(pending, { sentAt: NOON - 11 * MINUTE }),
      ['It has not arrived yet. Ask your bank', 'Don’t pay twice', pending.reference],
    ],
    [
      'sent back',
      shownOf(sentBack),
      ['₦1,500.00 was sent back', 'It was not the amount asked for.', 'To pay, send exactly ₦5,000.00.'],
    ],
    [
      'the right amount sent back',
      shownOf(rejectPayment(pending, paymentOf({ amount: naira(5_000), outcome: 'rejected' })).checkout),
      ['₦5,000.00 was sent back', 'It was not accepted.', 'Before you send it again, contact Ada Stores with'],
    ],
    [
      'underpaid, the rest on its way',
      shownOf(half, { sentAt: NOON }),
      ['Looking for your transfer of ₦3,000.00', '₦2,000.00 of ₦5,000.00 has arrived.'],
    ],
    [
      'checking, the money on its way',
      shownOf(pending, { now: END, sentAt: NOON }),
      ['Looking for your transfer', 'Time is up: please don’t send money now. What you have sent still counts.'],
    ],
    ['underpaid', shownOf(half), ['₦3,000.00 is still missing', '₦2,000.00 of ₦5,000.00 has arrived.']],
    [
      'paid in part',
      shownOf(half, { now: END }),
      ['Paid in part', '₦5,000.00', 'Time is up.', 'Don’t send more to this account'],
    ],
    ['checking', shownOf(pending, { now: END }), ['Time is up: please don’t send money now']],
    [
      'expired',
      shownOf(ended),
      ['Nothing had arrived by 13:00 WAT. Money that still arrives counts.', 'don’t pay twice', ended.reference],
    ],
    ['failed', shownOf(fail(pending).checkout), ['could not be completed', 'Return to Ada Stores']],
    ['closed shop', shownOf(pending, { isSuspended: true }), ['Ada Stores can’t take payments now']],
    [
      'paid',
      shownOf(acceptPayment(pending, paymentOf({ amount: naira(5_500) })).checkout),
      [
        'Payment received',
        '₦5,500.00 has arrived at Ada Stores',
        '₦500.00 more than asked for',
        'Return to Ada Stores',
      ],
    ],
  ])('%s', (_, shown, texts) => {
    for (const text of texts) expect(textOf(shown)).toContain(text);
    expect(renderMain(shown).text.match(/<h1 /g)).toHaveLength(1);
  });

  test('an account to pay into is shown only while money may be sent to it', () => {
    const { accountNumber } = ACCOUNT;
    const shows = (shown: PageContext): boolean => renderMain(shown).text.includes(accountNumber);
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
    const isCopied = (number: string): boolean => renderMain(shownOf(moved)).text.includes(`data-copy="${number}"`);
    expect([account.accountNumber, shownBefore.accountNumber].map(isCopied)).toEqual([true, false]);
  });

  test('what to do where the payer’s bank cannot find the account', () => {
    const WORDS = 'My bank can’t find this account';
    const offered = renderMain(shownOf(pending, { other: 'offered' })).text;
    expect(offered).toContain('action="/pay/PAY-0.tag/another-account?pressed=other-1"');
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
      expect(toStatusAnswer(one).content).toBe(contentName(one));
    }
  });

  test('a payer who waits is not told to cancel, and has the provider asked again without the script', () => {
    const waiting = renderMain(shownOf(pending, { sentAt: NOON })).text;
    expect(waiting).not.toContain('cancelled=true');
    expect(waiting).toContain(
      `/sent?sent=${NOON}&amp;pressed=again-1" class="unscripted"><p>This page does not update itself.</p><button class="check">Check again`,
    );
    expect(renderMain(shownOf(pending)).text).toContain('cancelled=true');
    // It stands before Cancel, as a button.
    expect(renderMain(shownOf(pending)).text).toMatch(/<a class="check" href="[^"]*">Check again.*Cancel/s);
  });

  test('neither the payer’s address, whole names, the provider’s fee nor the metadata', () => {
    const sent = paymentOf({ amount: naira(5_000), senderName: 'TUNDE SECRETLY' });
    const paid = acceptPayment({ ...pending, payerName: 'Tunde Secretly' }, sent).checkout;
    for (const shown of [shownOf(pending), shownOf(paid)]) {
      const page = pageOf(shown).html;
      for (const hidden of [pending.payerEmail, 'SECRETLY', 'Secretly', 'metadata']) expect(page).not.toContain(hidden);
    }
    expect(textOf(shownOf(paid))).toMatch(/Customer Tunde S\. Sent from TUNDE S\., Kuda Microfinance Bank/);
  });

  test('a receipt once it is paid: to whom, how much, for what, from whom, when, and its reference', () => {
    const order = { ...pending, description: 'Six yards of ankara', merchantReference: 'ORDER-2026-00417' };
    const paid = acceptPayment(order, paymentOf({ amount: naira(5_000) })).checkout;
    const rows = [...renderMain(shownOf(paid)).text.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)];
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
    expect(pageOf(shownOf(paid)).html).toContain('<title>Receipt from Ada Stores</title>');
    expect(toStatusAnswer(shownOf(paid)).title).toBe('Receipt from Ada Stores');
  });

  test('what was taken back first, whom to ask, and the account closed below it', () => {
    const whole = paymentOf({ amount: naira(5_000) });
    const taken = reversePayments(acceptPayment(pending, whole).checkout, [asReversed(whole)], whole.amount).checkout;
    const { text } = renderMain(shownOf(taken));
    expect(text).toContain('<h1 tabindex="-1">₦5,000.00 was taken back</h1>');
    expect(textOf(shownOf(taken))).toContain('Before you send it again, contact Ada Stores with');
    expect(text.indexOf('<details')).toBeLessThan(text.indexOf('data-copy'));
    expect(text.indexOf('I’ve sent the money')).toBeLessThan(text.indexOf('</details>'));
    const over = textOf(shownOf((passTime(taken, END) ?? { checkout: taken }).checkout, { now: END }));
    expect(over).toContain('₦5,000.00 was taken back');
    for (const other of ['start again', 'Before you send it again']) expect(over).not.toContain(other);
    const again = shownOf(taken, { sentAt: NOON });
    expect(textOf(again)).toContain('To ask why, contact Ada Stores with');
    expect(textOf(again)).not.toContain('Before you send it again');
  });

  test('in the title how a payment stands that is paid in part or has expired', () => {
    const titles = [pending, half, ended].map((one) => toStatusAnswer(shownOf(one)).title);
    expect(titles).toEqual(['Pay Ada Stores', 'Paid in part: Ada Stores', 'Expired: Ada Stores']);
    // A chat keeps its preview: it never tells how the payment stands.
    const preview = '<meta property="og:title" content="Pay Ada Stores">';
    for (const one of [pending, half, ended]) expect(pageOf(shownOf(one)).html).toContain(preview);
  });

  test('what an ended payment was for', () => {
    const order = { ...pending, description: 'Six yards of ankara', merchantReference: 'ORDER-2026-00417' };
    const over = (passTime(order, END) ?? { checkout: order }).checkout;
    for (const checkout of [over, fail(order).checkout, { ...half, ...order, status: 'underpaid' as const }]) {
      expect(textOf(shownOf(checkout, { now: END }))).toContain(
        '₦5,000.00 for Six yards of ankara, order ORDER-2026-00417',
      );
    }
  });

  test('a payer who has something to read is not led back, and the receipt says what was asked', () => {
    const led = (shown: PageContext): boolean => renderMain(shown).text.includes('data-return');
    const whole = acceptPayment(pending, paymentOf({ amount: naira(5_000) })).checkout;
    const over = acceptPayment(pending, paymentOf({ amount: naira(5_500) })).checkout;
    const twice = rejectPayment(whole, paymentOf({ amount: naira(5_000), outcome: 'rejected' })).checkout;
    expect([whole, over, twice].map((one) => led(shownOf(one)))).toEqual([true, false, false]);
    expect(textOf(shownOf(whole))).toContain('You need to do nothing more.');
    for (const one of [over, twice]) expect(textOf(shownOf(one))).not.toContain('nothing more');
    expect(textOf(shownOf(over))).toContain('Amount ₦5,500.00 Asked for ₦5,000.00');
  });

  test('a receipt of several transfers with each of them, and without what nobody told', () => {
    const rest = paymentOf({ amount: naira(3_000), paidAt: NOON + 9 * MINUTE, senderName: null });
    const twice = acceptPayment(half, rest).checkout;
    expect(textOf(shownOf(twice))).toContain(
      'Sent from ₦2,000.00, OKAFOR C. G., Kuda Microfinance Bank, 20 November 2026, 13:01:00 WAT ₦3,000.00, Kuda Microfinance Bank, 20 November 2026, 13:09:00 WAT',
    );
    const silent = { ...pending, payerName: null, merchantReference: null };
    const paid = acceptPayment(silent, paymentOf({ amount: naira(5_000), senderName: null, senderBank: null }));
    for (const label of ['Asked for', 'Customer', 'Sent from', 'Order', 'For']) {
      expect(renderMain(shownOf(paid.checkout)).text).not.toContain(`<dt>${label}</dt>`);
    }
  });

  test('whose the account is, where its name is not the shop’s', () => {
    const named = (accountName: string) => {
      const attempts = [{ ...shownAttempt(pending), account: { ...ACCOUNT, accountName } }];
      return textOf(shownOf({ ...pending, attempts }));
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

  test('how to send the money wherever it is to be sent', () => {
    for (const shown of [shownOf(pending), shownOf(half), shownOf(pending, { sentAt: NOON })]) {
      expect(textOf(shown)).toContain('Transfers at a bank counter or through a POS agent may fail.');
    }
    const waiting = shownOf(pending, { sentAt: NOON });
    expect(textOf(waiting)).not.toContain('Send exactly this amount, once,');
    expect(renderMain(waiting).text).toContain('<details class="again"><summary>Account to pay into</summary>');
  });

  test('what was sent back, without asking again, to a payer who has just sent the right amount', () => {
    const shown = shownOf(sentBack, { sentAt: NOON + MINUTE, now: NOON + MINUTE });
    expect(shown.view.kind).toBe('confirming');
    expect(textOf(shown)).toContain('₦1,500.00 was sent back');
    expect(textOf(shown)).not.toContain('To pay, send exactly');
  });

  test('a way back to a payer who pressed the button by mistake', () => {
    const linkOf = (more: About) =>
      /href="([^"]*)" data-unsent/.exec(renderMain(shownOf(pending, { sentAt: NOON, ...more })).text)?.[1];
    expect([linkOf({}), linkOf({ isEmbedded: true })]).toEqual(['/pay/PAY-0.tag', '/pay/PAY-0.tag?embed=1']);
  });

  test('all that another phone needs, to be copied at once', () => {
    const [, details] = /data-copy="([^"]*)" data-of="v-all"/.exec(renderMain(shownOf(half)).text) ?? [];
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

  test('the time that is left, which stands out in the last five minutes', () => {
    const closing = (now: number) => /<p class="(closing[^"]*)"/.exec(renderMain(shownOf(pending, { now })).text)?.[1];
    expect([END - 5 * MINUTE - 1, END - 5 * MINUTE, END - MINUTE].map(closing)).toEqual([
      'closing',
      'closing soon',
      'closing soon too-late',
    ]);
  });

  test('that nothing is new, to a browser without the script whose button brought the same page back', () => {
    const nothing = 'Checked at 13:00:00 WAT: nothing new has arrived.';
    const changed = { ...pending, version: 2 };
    const pressed = (button: string, checkout: Checkout = pending, more: About = {}) =>
      textOf(shownOf(checkout, { pressed: button, ...more }));
    expect(pressed('again-1')).toContain(nothing);
    expect(pressed('again-1', pending, { sentAt: NOON })).toContain(nothing);
    expect(pressed('again-1', changed)).not.toContain('Checked at');
    const noOther = 'We can’t open another account right now.';
    const count = (text: string) => text.split(noOther).length - 1;
    // Its form has the sentence too, for the script.
    expect(count(pressed('other-1', pending, { other: 'offered' }))).toBe(2);
    expect(count(pressed('other-1', changed, { other: 'offered' }))).toBe(1);
    expect(pressed('other-1', pending, { other: 'none' })).not.toContain(noOther);
    expect(pressed('other-1', pending, { other: 'none' })).not.toContain('Checked at');
  });

  test('what happens now in one voice: whom to ask stands with the reference, and nothing is said twice', () => {
    for (const [name, shown] of Object.entries(everyView(pending, PROFILE))) {
      const text = textOf(shown);
      const asks = text.match(/contact Ada Stores/gi) ?? [];
      const withReference = text.match(/contact Ada Stores with PAY-/gi) ?? [];
      expect([name, withReference.length]).toEqual([name, asks.length]);
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

  test('shows a chat that its link is pasted into the shop’s name, and neither the amount nor the payer', () => {
    const metas = [...pageOf(shownOf(pending)).html.matchAll(/<meta property="og:(\w+)" content="([^"]*)">/g)];
    expect(Object.fromEntries(metas.map(([, name, content]) => [name, content]))).toEqual({
      title: 'Pay Ada Stores',
      type: 'website',
      description: 'By bank transfer',
    });
    const logo = { id: 'lgo_1', type: 'image/png', width: 120, height: 40 } as const;
    const shown = shownOf(pending, { profile: { ...PROFILE, logo } });
    const image = '<meta property="og:image" content="https://pay.example.ng/logos/lgo_1">';
    expect(checkoutPage(shown, checkoutAssets(), 'https://pay.example.ng').html).toContain(image);
    expect(pageOf(shown).html).not.toContain('og:image');
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
    const { text } = renderMain(shown);
    expect(text).not.toContain('href="https://shop');
    expect(text).toContain('data-close');
  });

  test('has the simulator in test mode alone', () => {
    expect(renderMain(shownOf({ ...pending, mode: 'test' })).text).toContain('/simulate');
    expect(renderMain(shownOf({ ...pending, mode: 'live' })).text).not.toContain('/simulate');
    // It pays into the account before where there was one.
    expect(renderMain(shownOf({ ...pending, mode: 'test' })).text).not.toContain('shown before');
    const attempts = [shownAttempt(pending), { ...shownAttempt(pending), reference: `${pending.reference}-B` }];
    expect(renderMain(shownOf({ ...pending, mode: 'test', attempts })).text).toContain(
      'Pay into the account shown before',
    );
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
    // An account without a name has no row for it.
    const name = text.map((parts) => parts.join('').toWellFormed()).filter((joined) => joined.trim() !== '');
    fc.assert(
      fc.property(name, (given) => {
        expect(shapeOf(pageNamed(given))).toBe(shape);
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
