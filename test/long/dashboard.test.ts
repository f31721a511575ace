import { setTimeout as sleep } from 'node:timers/promises';
import { inBrowser } from '#test/support/worlds/browser.ts';
import {
  BROWSER_LIMIT_MS,
  openDashboardForAllTests,
  shop,
  site,
  stack,
} from '#test/support/worlds/dashboard-browser.ts';
import { eventually, openBusiness } from '#test/support/worlds/merchant.ts';
import { startReceiver } from '#test/support/worlds/receiver.ts';

/* Tests the dashboard in a browser: every screen in each state, size and colour, and the members' tasks. */

const PAYER = { payer_email: 'tunde.bakare@example.com', payer_name: 'Tunde Bakare' };
const CUSTOMER = {
  customer_name: 'Adaeze Okafor',
  customer_phone: '+2348031234567',
  customer_email: 'adaeze.okafor@example.com',
};
/** Matches the requests of screens, but not the one for the signed-in member. */
const SCREEN_REQUESTS = /\/api\/dashboard\/(v1\/|sessions)/;
const browserTest = inBrowser(BROWSER_LIMIT_MS);

describe('the dashboard in a browser', () => {
  const { openPage, codeFor, invite, signIn, textOf, shows, goTo, addPasskey, inEachLayout } =
    openDashboardForAllTests();

  const SCREENS = [
    'overview',
    'checkouts',
    'payments',
    'virtual-accounts',
    'events',
    'webhooks',
    'keys',
    'business',
    'team',
    'audit-log',
    'account',
  ];

  browserTest('has a good layout in each size at the sign-in, and says what is wrong with a code', async () => {
    const { page } = await openPage();
    await page.goto(`${site}/dashboard`);
    await page.waitForSelector('h1');
    await inEachLayout(page);
    await page.fill('input[name=email]', 'nobody@example.com');
    await page.click('text=Mail me a code');
    await page.waitForSelector('input[name=code]');
    await inEachLayout(page);
    await page.fill('input[name=code]', '00000000');
    await page.click('button[type=submit]');
    await shows(page, 'This is not the code that was mailed.');
    await inEachLayout(page);
  });

  browserTest('opens a linked screen after the sign-in, and signing out ends the session', async () => {
    const { page } = await signIn('viewer', shop, `/dashboard/${shop.id}/test/payments?outcome=accepted`);
    expect(page.url()).toBe(`${site}/dashboard/${shop.id}/test/payments?outcome=accepted`);
    await shows(page, 'Nothing matches these filters.');
    await page.click('text=Sign out');
    await page.waitForSelector('text=Mail me a code');
    await page.reload();
    await page.waitForSelector('text=Mail me a code');
  });

  browserTest('has a good layout in each size on every screen of a new business', async () => {
    const fresh = await openBusiness(stack, 'Bola Fabrics');
    const { page } = await signIn('owner', fresh);
    for (const screen of SCREENS) {
      await goTo(page, screen, 'test', fresh);
      await inEachLayout(page);
    }
  });

  browserTest('has a good layout in each size on every screen with content', async () => {
    const { page } = await signIn();
    await shop.listen();
    const start = async (merchant_reference: string) => {
      const { json } = await shop.api('POST', '/checkout/initialize', {
        body: { amount: 8_500.75, ...PAYER, merchant_reference, description: 'A long order of many things '.repeat(3) },
      });
      return json.data.reference as string;
    };
    const paid = await start('ORDER-1');
    const short = await start('ORDER-2');
    await shop.api('POST', '/checkout/sandbox/simulate', { body: { reference: paid } });
    await shop.api('POST', '/checkout/sandbox/simulate', { body: { reference: short, amount: 8_000 } });
    const { json } = await shop.api('POST', '/virtual-accounts', {
      body: { ...CUSTOMER, banks: ['paystack'] },
    });
    const account = json.accounts[0].id as string;
    await shop.api('POST', `/virtual-accounts/${account}/sandbox/simulate`, { body: { amount: 5_000 } });
    const events = await eventually('the events are listed', async () => {
      const { data } = (await shop.api('GET', '/events')).json;
      return data.length >= 3 ? data : undefined;
    });
    const endpoint = (await shop.api('GET', '/webhook-endpoints')).json.data[0].id as string;
    const more = [
      ...[`checkouts/${paid}`, `checkouts/${short}`, `virtual-accounts/${account}`, `events/${events[0].id}`],
      ...[`webhooks/${endpoint}`, 'find?q=tunde.bakare@example.com'],
    ];
    for (const screen of [...SCREENS, ...more]) {
      await goTo(page, screen);
      await inEachLayout(page);
    }
    // A developer can find the order by its number, its reference or its account number.
    const { account_number: number } = (await shop.api('GET', `/checkout/verify/${short}`)).json.data;
    for (const name of ['ORDER-2', short, short.toLowerCase(), number]) {
      await goTo(page, 'overview');
      await page.fill('#find', name);
      await page.keyboard.press('Enter');
      await shows(page, '₦500.75 is missing, so the order is not paid.');
      await shows(page, 'checkout.underpaid');
    }
    await page.fill('#find', json.accounts[0].account_number);
    await page.keyboard.press('Enter');
    await eventually('the virtual account is shown', async () => page.url().endsWith(`/virtual-accounts/${account}`));
    await goTo(page, 'checkouts');
    await page.fill('#filter-merchant_reference', 'ORDER-2');
    await page.click('button:has-text("Filter")');
    await eventually('only ORDER-2 is listed', async () => !(await textOf(page)).includes('ORDER-1'));
  });

  browserTest(
    'shows on every screen an error with the id of its request, and what a role does not include',
    async () => {
      const { page } = await signIn();
      // The client's pauses between tries become twenty times shorter.
      await page.addInitScript('const real = setTimeout; window.setTimeout = (work, ms) => real(work, ms / 20);');
      const cause = (status: number, code: string, message: string) =>
        page.route(SCREEN_REQUESTS, (request) => {
          const body = JSON.stringify({ status: false, message, code, request_id: `request-${status}` });
          return request.fulfill({ status, contentType: 'application/json', body });
        });
      const anId = '01KDVDNX1Q0Y8J6W6KZ0H3S5TA';
      const details = [
        ...['checkouts/PAY-7Q2M9XK4T1B8V6N3C5ZD', `virtual-accounts/va_${anId}`, `events/evt_${anId}`],
        ...[`webhooks/whe_${anId}`, `payments/pay_${anId}`, 'find?q=ORDER-1'],
      ];
      for (const screen of [...SCREENS, ...details]) {
        await cause(500, 'internal_error', 'Something went wrong on our side.');
        await goTo(page, screen);
        await shows(page, 'Something went wrong on our side.');
        await shows(page, 'request-500');
        if (screen === 'keys' || details.includes(screen)) await inEachLayout(page);
        await page.unroute(SCREEN_REQUESTS);
        // Every member may see their own account.
        if (screen === 'account') continue;
        await cause(403, 'forbidden_role', 'Your role in this business does not allow this.');
        await goTo(page, screen);
        await shows(page, 'Your role does not include this. Ask an owner of the business.');
        await page.unroute(SCREEN_REQUESTS);
      }
      for (const screen of details.filter((path) => !path.startsWith('find'))) {
        await goTo(page, screen);
        expect([screen, await page.textContent('main [role=alert]')]).toEqual([
          screen,
          expect.stringContaining('not found.'),
        ]);
      }
    },
  );

  browserTest('shows an error if the request for the signed-in member fails', async () => {
    const { page } = await signIn('viewer');
    const failure = { status: false, code: 'internal_error', message: 'Something went wrong on our side.' };
    const body = JSON.stringify({ ...failure, request_id: 'request-1' });
    await page.route('**/api/dashboard/me', (request) =>
      request.fulfill({ status: 500, contentType: 'application/json', body }),
    );
    await page.reload();
    await page.waitForSelector('[role=alert]');
    expect(await page.textContent('[role=alert]')).toBe('Something went wrong on our side.Request request-1');
  });

  browserTest('offers a viewer no changes', async () => {
    const { page } = await signIn('viewer');
    for (const [screen, absent] of [
      ['keys', 'Create a key'],
      ['webhooks', 'New endpoint'],
      ['checkouts', 'New checkout'],
      ['virtual-accounts', 'New virtual account'],
      ['team', 'Invite somebody'],
      ['business', 'Save'],
    ] as const) {
      await goTo(page, screen);
      expect([screen, await textOf(page)]).toEqual([screen, expect.not.stringContaining(absent)]);
    }
    await goTo(page, 'audit-log');
    await shows(page, 'Your role does not include this.');
  });

  browserTest(
    'lets a developer rehearse a payment: start a checkout, pay it, read its event, and send the event again',
    async () => {
      const { page } = await signIn('developer');
      await goTo(page, 'webhooks');
      const before = await textOf(page);
      if (!before.includes('_local/inbox')) {
        await page.fill('#field-url-new', `${stack.baseUrl}/_local/inbox`);
        await page.click('text=Create it');
        await shows(page, 'It is shown only this once.');
        expect(await textOf(page)).toMatch(/whsec_[\w+/=]{20,}/);
        await page.click('text=I have stored it');
        expect(await textOf(page)).not.toContain('whsec_');
      }
      await goTo(page, 'checkouts');
      await page.click('text=New checkout');
      await page.fill('input[name=amount]', '8500.75');
      await page.fill('input[name=payer_email]', PAYER.payer_email);
      await page.click('text=Start it');
      await page.click('text=Pay less');
      await shows(page, 'is missing, so the order is not paid.');
      await page.click('text=Pay exactly');
      await eventually('the checkout is paid', async () => (await page.textContent('.badge')) === 'Paid');
      await page.click('a:has-text("checkout.paid")');
      await page.click('text=Send it again');
      await eventually('the event shows a second attempt', async () =>
        /HTTP \d+[\s\S]*HTTP \d+/.test(await textOf(page)),
      );
    },
  );

  browserTest(
    'gives a developer who lost a signing secret a new one, and says how long the old secret signs',
    async () => {
      const { page } = await signIn('developer');
      const receiver = await startReceiver();
      const created = await shop.api('POST', '/webhook-endpoints', {
        body: { url: receiver.url, events: ['checkout.failed'] },
      });
      const { id } = created.json.data;
      await goTo(page, 'webhooks');
      const card = `li.card:has-text("${id}")`;
      await page.click(`${card} summary:has-text("Signing secret: lost or leaked")`);
      await page.click(`${card} button:has-text("Make a new secret")`);
      await shows(page, 'The old secret signs too until');
      // The secret stays on other screens until the user says that it is stored.
      await page.click('nav.screens a:has-text("Overview")');
      await page.waitForSelector('h1:has-text("Overview")');
      const secret = (await page.textContent('main .strong code')) ?? '';
      expect(secret).toMatch(/^whsec_/);
      await page.click('text=I have stored it');
      expect(await textOf(page)).not.toContain(secret);
      // A third secret would end the first one, which the server may still use.
      await goTo(page, 'webhooks');
      await shows(page, 'two secrets sign until');
      await page.click(`${card} summary:has-text("Signing secret: lost or leaked")`);
      await page.waitForSelector(`${card} button:has-text("End the older secret, and make a new one")`);
      await page.click(`${card} button:has-text("Send a test")`);
      await shows(page, 'Your server’s answer: HTTP 200');
      await shop.api('DELETE', `/webhook-endpoints/${id}`);
      await receiver.stop();
    },
  );

  browserTest(
    'shows a failing server at once with its waiting events, and sends them when the server works again',
    async () => {
      const { page } = await signIn('developer');
      const receiver = await startReceiver();
      receiver.answer((response) => response.writeHead(500).end('The shop’s database is down.'));
      const created = await shop.api('POST', '/webhook-endpoints', { body: { url: receiver.url } });
      const { id } = created.json.data;
      try {
        const start = async () => {
          const { json } = await shop.api('POST', '/checkout/initialize', { body: { amount: 2_500, ...PAYER } });
          await shop.api('POST', '/checkout/sandbox/simulate', { body: { reference: json.data.reference } });
          return json.data.reference as string;
        };
        const references = await Promise.all(Array.from({ length: 8 }, start));
        await goTo(page, 'overview');
        const line = `li:has(a[href$="${id}"])`;
        await eventually('the overview says that the server fails', async () => {
          const text = (await page.textContent(line)) ?? '';
          if (text.includes('Your server has not accepted our messages since')) return true;
          await page.reload();
          await page.waitForSelector(line);
          return false;
        });
        await goTo(page, 'webhooks');
        await shows(page, 'Your server answered HTTP 500');
        await shows(page, 'The shop’s database is down.');
        await shows(page, 'Your program failed while it handled the webhook. Read its log at ');
        await inEachLayout(page);
        await page.click(`li.card:has-text("${id}") a:has-text("The whole answer")`);
        await shows(page, 'Send it again');
        await goTo(page, `checkouts/${references[0]}`);
        await shows(page, receiver.url);
        await shows(page, 'your server’s last answer: HTTP 500');
        await page.click('a:has-text("checkout.paid")');
        await shows(page, 'The shop’s database is down.');
        receiver.answer((response) => response.writeHead(200).end());
        await page.click(`section.card:has-text("${receiver.url}") button:has-text("Send it again")`);
        await shows(page, 'It is on its way again.');
        await eventually('the event that was sent again has arrived', async () =>
          ((await page.textContent(`section.card:has-text("${receiver.url}")`)) ?? '').includes('Arrived'),
        );
        await goTo(page, `webhooks/${id}`);
        await page.click('text=Send missed events');
        await shows(page, 'being sent');
        await eventually('the other events have arrived', () => {
          const arrived = receiver.received.map(({ body }) => JSON.parse(body).data.reference);
          return references.every((reference) => arrived.includes(reference));
        });
      } finally {
        await shop.api('DELETE', `/webhook-endpoints/${id}`);
        await receiver.stop();
      }
    },
  );

  browserTest('opens a virtual account for a customer, and simulates a transfer to it', async () => {
    const { page } = await signIn('developer');
    await goTo(page, 'virtual-accounts');
    await page.click('button:has-text("New virtual account")');
    await page.fill('input[name=customer_name]', CUSTOMER.customer_name);
    await page.fill('input[name=customer_phone]', CUSTOMER.customer_phone);
    await page.fill('input[name=customer_email]', 'bisi.adewale@example.com');
    await page.click('button:has-text("Open it")');
    await page.waitForSelector('h1:has-text("Virtual account")');
    await page.fill('input[name=amount]', '5000');
    await page.click('button:has-text("Transfer")');
    await shows(page, '₦5,000.00');
    await page.fill('#find', 'bisi.adewale@example.com');
    await page.keyboard.press('Enter');
    await page.click('text=Virtual accounts of bisi.adewale@example.com');
    await shows(page, CUSTOMER.customer_name);
  });

  browserTest('keeps filters in the URL after a reload and after Back', async () => {
    const { page } = await signIn('viewer');
    await goTo(page, 'payments');
    await page.selectOption('#filter-outcome', 'rejected');
    await eventually('the filter is in the URL', () => page.url().endsWith('/payments?outcome=rejected'));
    await page.reload();
    await page.waitForSelector('#filter-outcome');
    expect(await page.evaluate(`document.querySelector('#filter-outcome').value`)).toBe('rejected');
    await page.click('nav.screens a:has-text("Events")');
    await page.waitForSelector('h1:has-text("Events")');
    await page.goBack();
    await page.waitForSelector('h1:has-text("Payments")');
    expect(page.url()).toContain('outcome=rejected');
  });

  browserTest('saves a whitelist that holds for the very next call of the API', async () => {
    const { page } = await signIn('developer');
    await goTo(page, 'keys');
    await page.click('text=Create a key');
    await shows(page, 'It is shown only this once.');
    const key = (await page.textContent('main .strong code')) ?? '';
    await page.click('text=I have stored it');
    expect(await textOf(page)).not.toContain(key);
    const call = async () => {
      const answer = await fetch(`${stack.baseUrl}/api/v1/checkouts`, { headers: { authorization: `Bearer ${key}` } });
      return [answer.status, ((await answer.json()) as { message?: string }).message];
    };
    expect((await call())[0]).toBe(200);
    const card = `li.card:has-text("${key.slice(-4)}")`;
    await page.click(`${card} summary:has-text("IP whitelist")`);
    await page.fill(`${card} textarea`, '102.89.23.0/24');
    await shows(page, 'where you are now.');
    await page.click(`${card} button:has-text("Save the whitelist")`);
    await shows(page, 'The key works only from 102.89.23.0/24.');
    expect(await call()).toEqual([403, 'Request IP is not whitelisted.']);
    await page.fill(`${card} textarea`, '');
    await page.click(`${card} button:has-text("Save the whitelist")`);
    await eventually('the whitelist is lifted', async () => (await call())[0] === 200);
  });

  browserTest('allows changes in live mode with a passkey, but not after a sign-in with a code alone', async () => {
    const { page, context, email } = await signIn();
    await goTo(page, 'keys', 'live');
    expect(await page.textContent('.live-bar')).toContain(
      'It is read-only until you add a passkey, and for a day after that.',
    );
    expect(await textOf(page)).not.toContain('Create a key');
    await addPasskey(context, page, email);
    await goTo(page, 'keys', 'live');
    await page.click('text=Create a key');
    await page.click('dialog button:has-text("Use passkey")');
    await shows(page, 'It is shown only this once.');
    expect(await textOf(page)).toMatch(/sk_live_\w+/);
    await eventually('the owners were mailed', async () => {
      const mails = await stack.mails();
      return mails.find(({ text }) => text.startsWith(`${email} created the live secret key`));
    });
    await goTo(page, 'audit-log', 'live');
    await shows(page, 'created the live secret key');
  });

  browserTest('offers a passkey after a sign-in with a code, and a passkey signs in', async () => {
    const { page, context, email } = await signIn();
    await goTo(page, 'overview');
    await shows(page, 'You signed in with a code. Add a passkey');
    await addPasskey(context, page, email);
    await goTo(page, 'overview');
    expect(await textOf(page)).not.toContain('Add a passkey');
    await goTo(page, 'account');
    await inEachLayout(page);
    await page.click('text=Sign out');
    await page.click('text=Sign in with a passkey');
    await page.waitForSelector('nav.screens');
    await goTo(page, 'account');
    await shows(page, 'with a passkey');
    await goTo(page, 'keys', 'live');
    const session = await context.newCDPSession(page);
    await session.send('WebAuthn.enable');
    await page.click('text=Create a key');
    await shows(page, 'It is shown only this once.');
  });

  browserTest('asks once for a passkey, even if the member takes long to use it', async () => {
    const { page, context, email } = await signIn();
    await addPasskey(context, page, email);
    // The client's time-outs of 30 seconds become 3 seconds.
    await page.addInitScript('const real = AbortSignal.timeout; AbortSignal.timeout = (ms) => real(ms / 10);');
    await goTo(page, 'keys', 'live');
    await page.click('text=Create a key');
    await page.waitForSelector('dialog[open]');
    await sleep(4_000);
    await page.click('dialog button:has-text("Use passkey")');
    await shows(page, 'It is shown only this once.');
    expect(await page.isVisible('dialog[open]')).toBe(false);
  });

  browserTest('lets the session become idle while nobody uses the open page', async () => {
    const { page } = await signIn();
    let questions = 0;
    page.on('request', (request) => {
      if (request.url?.().endsWith('/me')) questions += 1;
    });
    // Five minutes become 200 milliseconds.
    await page.addInitScript(
      'const real = setInterval; window.setInterval = (work, ms) => real(work, ms === 300_000 ? 200 : ms);',
    );
    await goTo(page, 'checkouts');
    const before = questions;
    await sleep(1_000);
    expect(questions).toBe(before);
    await page.keyboard.press('Tab');
    await eventually('the page notices that it is used', async () => questions > before);
  });

  browserTest('lets an owner invite somebody, change the role, and remove the member', async () => {
    const { page, context, email } = await signIn();
    await addPasskey(context, page, email);
    await goTo(page, 'team');
    const clerk = 'clerk@ada-stores.example.com';
    await page.fill('input[name=email]', clerk);
    await page.click('button:has-text("Invite")');
    await page.waitForSelector('dialog[open]');
    await inEachLayout(page);
    await page.click('dialog button:has-text("Use passkey")');
    await shows(page, clerk);
    const card = `li.card:has-text("${clerk}")`;
    await page.click(`${card} summary:has-text("Role")`);
    await page.selectOption(`${card} select`, 'developer');
    await page.click(`${card} button:has-text("Change the role")`);
    await page.waitForSelector(`${card} p:has-text("Developer, member since")`);
    await page.click(`${card} summary:has-text("Remove")`);
    await page.click(`${card} button:has-text("Remove ${clerk}")`);
    await eventually('the clerk is gone', async () => !(await page.isVisible(card)));
  });

  browserTest(
    'can be used with the keyboard alone: to sign in, to roll a key, and to send an event again',
    async () => {
      const { page } = await openPage();
      // This business has only one endpoint, so the keyboard reaches its button.
      const foods = await openBusiness(stack, 'Efe Foods');
      const email = await invite('owner', foods);
      const receiver = await foods.listen('checkout.paid');
      const { json } = await foods.api('POST', '/checkout/initialize', { body: { amount: 2_500, ...PAYER } });
      await foods.api('POST', '/checkout/sandbox/simulate', { body: { reference: json.data.reference } });
      await eventually('the webhook arrived', () => receiver.received.length === 1);
      const reach = async (target: string): Promise<void> => {
        for (let n = 0; n < 200; n += 1) {
          const at = await page.evaluate(
            `(() => { const element = document.activeElement; return [element.id, element.textContent.trim(), element.labels?.[0]?.textContent]; })()`,
          );
          if ((at as (string | undefined)[]).includes(target)) return;
          await page.keyboard.press('Tab');
        }
        throw new Error(`The keyboard does not reach ${target}.`);
      };
      await page.goto(`${site}/dashboard`);
      await page.waitForSelector('h1');
      await reach('field-email');
      await page.keyboard.type(email);
      await page.keyboard.press('Enter');
      await page.waitForSelector('input[name=code]');
      const code = await codeFor(email);
      await reach('field-code');
      await page.keyboard.type(code);
      await page.keyboard.press('Enter');
      await page.waitForSelector('nav.screens');
      await reach('API keys');
      await page.keyboard.press('Enter');
      await page.waitForSelector('li.card');
      await reach('Roll');
      await page.keyboard.press('Enter');
      await reach('The old key stops');
      await page.keyboard.press('ArrowUp');
      expect(await page.evaluate('document.activeElement.selectedOptions[0].textContent')).toBe('in an hour');
      await reach('Roll this key');
      await page.keyboard.press('Enter');
      await shows(page, 'It is shown only this once.');
      await reach('I have stored it');
      await page.keyboard.press('Enter');
      const until = await eventually('the old key is shown with its end', () =>
        page.evaluate(`document.querySelector('li.card:has(.badge.waits) time:nth-of-type(2)')?.dateTime`),
      );
      const minutes = (Date.parse(String(until)) - Date.now()) / 60_000;
      expect(minutes).toBeGreaterThan(58);
      expect(minutes).toBeLessThanOrEqual(60);
      await reach('Events');
      await page.keyboard.press('Enter');
      await page.waitForSelector('td a');
      await reach('checkout.paid');
      await page.keyboard.press('Enter');
      await page.waitForSelector('text=Send it again');
      await reach('Send it again');
      await page.keyboard.press('Enter');
      await shows(page, 'It is on its way again.');
      await eventually('the webhook arrived again', () => receiver.received.length === 2);
      await receiver.stop();
    },
  );
});
