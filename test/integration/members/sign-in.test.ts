import { computeCode } from '#shared/members/domain/sign-in.ts';
import { tokenHash } from '#shared/members/domain/token.ts';
import { deriveUserId } from '#shared/members/domain/user.ts';
import type { Mail } from '#shared/members/ports.ts';
import { endMembership } from '#shared/members/use-cases/change-members.ts';
import { finishSignIn } from '#shared/members/use-cases/finish-sign-in.ts';
import { sendMail } from '#shared/members/use-cases/send-mail.ts';
import { startSignIn } from '#shared/members/use-cases/start-sign-in.ts';
import { DAY, MINUTE } from '#shared/platform/kernel/time.ts';
import { createAccountClient, signInSteppedUp } from '#test/support/worlds/account-client.ts';
import { FROM, invite, makeMembersDeps } from '#test/support/worlds/dashboard.ts';
import { createDashboardClient } from '#test/support/worlds/dashboard-client.ts';
import { SIGN_IN_KEY } from '#test/support/worlds/keys.ts';
import { makeWorld } from '#test/support/worlds/world.ts';

const OWNER = 'ada@ada-stores.example.com';

const open = async () => {
  const world = await makeWorld();
  const shop = (await world.addBusiness()).id;
  await invite(world, shop, OWNER, 'owner');
  const { deps, mails } = makeMembersDeps(world);
  const sent: Mail[] = [];
  const take = async (mail: Mail): Promise<'sent'> => {
    sent.push(mail);
    return 'sent';
  };
  return {
    world,
    shop,
    mails,
    sent,
    /** Asks for a code. `previousCookie`: the cookie of a browser that has asked before. */
    ask: (email = OWNER, from = FROM, previousCookie?: string) =>
      startSignIn(deps, { email, requestOrigin: from, previousCookie }),
    finish: (signInCookie: string | undefined, code: string, replacedToken?: string) =>
      finishSignIn(deps, { signInCookie, code, from: FROM, replacedToken }),
    code: (token: string) => computeCode(SIGN_IN_KEY, tokenHash(token)),
    /** Sends every mail that was queued. */
    post: async () => {
      for (const mail of mails.splice(0)) await sendMail({ ...deps, sendMail: take }, mail);
    },
  };
};
/** Returns a code that differs from `code`. */
const wrong = (code: string): string => (code === '00000000' ? '00000001' : '00000000');

describe('a sign-in code', () => {
  test('has a queue of its own, in which no other mail waits', async () => {
    const { world, shop, ask, mails, post, sent } = await open();
    const { cookie } = await signInSteppedUp(world, OWNER);
    const owner = createDashboardClient(world, cookie(), shop);
    for (let n = 0; n < 20; n += 1) await owner.invite({ body: { email: `person${n}@example.com`, role: 'viewer' } });
    await ask();
    expect([mails.length, (await world.itemsOf('MAIL')).length]).toEqual([1, 21]);
    await post();
    expect(sent.map(({ subject }) => subject)).toEqual(['Your code for the payments dashboard']);
  });

  test('reaches a member in any spelling of the address, and signs in once', async () => {
    const { ask, finish, post, sent } = await open();
    const { token } = await ask('Ada@Ada-Stores.example.com ');
    await post();
    expect(sent.map(({ to, subject }) => [to, subject])).toEqual([[OWNER, 'Your code for the payments dashboard']]);
    expect(sent[0]?.text).toContain('with Firefox, from 102.89.23.17');
    const code = /code is (\d{8})/.exec(sent[0]?.text ?? '')?.[1] ?? '';
    const { session } = await finish(token, code);
    expect(session).toMatchObject({ email: OWNER, steppedUpAt: null, browser: 'Firefox', address: '102.89.23.17' });
    await expect(finish(token, code)).rejects.toMatchObject({ code: 'code_expired' });
  });

  test('reaches a member with a non-ASCII domain in any spelling', async () => {
    const { world, shop, ask, finish, post, sent } = await open();
    const ascii = 'tunde@xn--mnchen-3ya.de';
    const spellings = ['Tunde@München.de', 'tunde@mu\u0308nchen.de', 'TUNDE@XN--MNCHEN-3YA.DE', ascii];
    await invite(world, shop, 'Tunde@München.de', 'viewer');
    for (const spelled of spellings.slice(1)) {
      await expect(invite(world, shop, spelled, 'viewer')).rejects.toThrow(/member/);
    }
    for (const [i, spelled] of spellings.entries()) {
      const { token } = await ask(spelled, { ...FROM, addressBlock: `10.0.0.${i}` });
      await post();
      const [mail] = sent.splice(0);
      const code = /code is (\d{8})/.exec(mail?.text ?? '')?.[1] ?? '';
      expect([mail?.to, (await finish(token, code)).session.email]).toEqual([ascii, ascii]);
      // An address gets at most three codes in 15 minutes.
      world.clock.advance(15 * MINUTE);
    }
  });

  test('comes in a mail with our own name for the browser, whatever its header says', async () => {
    const { world } = await open();
    const { askForCode, mails } = createAccountClient(world);
    await askForCode({ body: { email: OWNER }, userAgent: 'Firefox. Your account is locked. Call 0700-123-4567' });
    expect(mails).toMatchObject([{ browser: 'Firefox' }]);
  });

  test('works only in the browser that asked for it', async () => {
    const { ask, finish, code } = await open();
    const [first, other] = [await ask(), await ask()];
    await expect(finish(other.token, code(first.token))).rejects.toMatchObject({ code: 'wrong_code' });
    for (const token of [undefined, '', 'A'.repeat(43), 'x'.repeat(5_000)]) {
      await expect(finish(token, code(first.token))).rejects.toMatchObject({ code: 'code_expired' });
    }
  });

  test('works for ten minutes, even if other codes are requested meanwhile', async () => {
    const { world, ask, finish, code } = await open();
    const first = await ask();
    world.clock.advance(MINUTE);
    const second = await ask(OWNER, FROM, first.cookie);
    const third = await ask(OWNER, FROM, second.cookie);
    world.clock.advance(9 * MINUTE - 1);
    await expect(finish(third.cookie, code(first.token))).resolves.toBeDefined();
    await expect(finish(third.cookie, code(second.token))).resolves.toBeDefined();
    await expect(finish(third.cookie, code(first.token))).rejects.toMatchObject({ code: 'wrong_code' });
    world.clock.advance(1);
    await expect(finish(first.cookie, code(first.token))).rejects.toMatchObject({ code: 'code_expired' });
  });

  test('works beside the five other codes that an address can get in two windows of 15 minutes', async () => {
    const { world, ask, finish, code } = await open();
    world.clock.advance(15 * MINUTE - 1);
    const signIns = [await ask()];
    for (let n = 1; n < 6; n++) {
      if (n === 3) world.clock.advance(1);
      signIns.push(await ask(OWNER, FROM, signIns.at(-1)?.cookie));
    }
    const [first, last] = [signIns[0], signIns[5]];
    await expect(finish(last?.cookie, code(first?.token ?? ''))).resolves.toBeDefined();
  });

  test('has five tries, even if another code is requested, and whatever else is in the cookie', async () => {
    const { ask, finish, code } = await open();
    const first = await ask();
    const second = await ask(OWNER, FROM, first.cookie);
    for (let tries = 0; tries < 5; tries++) {
      await expect(finish(second.cookie, wrong(code(first.token)))).rejects.toMatchObject({ code: 'wrong_code' });
    }
    for (const cookie of [second.cookie, first.cookie, `x.${first.token}..${first.token}`]) {
      await expect(finish(cookie, code(first.token))).rejects.toMatchObject({ code: 'code_expired' });
    }
  });

  test('ends the session that the browser had before', async () => {
    const { world, ask, finish, code } = await open();
    const first = await ask();
    const { token: formerToken, session } = await finish(first.token, code(first.token));
    const second = await ask();
    await finish(second.token, code(second.token), formerToken);
    await expect(world.deps.sessions.find(session.tokenHash)).resolves.toBeUndefined();
  });

  test('may be mistyped four times', async () => {
    const { ask, finish, code } = await open();
    const { token } = await ask();
    for (let tries = 0; tries < 4; tries++) {
      await expect(finish(token, wrong(code(token)))).rejects.toMatchObject({ code: 'wrong_code' });
    }
    await expect(finish(token, code(token))).resolves.toBeDefined();
  });

  test('no longer works after five wrong codes, even if they come at the same time', async () => {
    const { ask, finish, code } = await open();
    const { token } = await ask();
    const tries = Array.from({ length: 20 }, () => finish(token, wrong(code(token))));
    const codes = (await Promise.allSettled(tries)).map((result) => result.status === 'rejected' && result.reason.code);
    expect(codes.filter((errorCode) => errorCode === 'wrong_code')).toHaveLength(5);
    await expect(finish(token, code(token))).rejects.toMatchObject({ code: 'code_expired' });
  });

  test('makes one session if it is entered several times at once', async () => {
    const { ask, finish, code } = await open();
    const { token } = await ask();
    const tries = Array.from({ length: 4 }, () => finish(token, code(token)));
    const results = await Promise.allSettled(tries);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('no longer works after ten minutes', async () => {
    const { world, ask, finish, code } = await open();
    const { token } = await ask();
    world.clock.advance(10 * MINUTE);
    await expect(finish(token, code(token))).rejects.toMatchObject({ code: 'code_expired' });
  });

  test('gets no mail after it has expired', async () => {
    const { world, ask, post, sent } = await open();
    await ask();
    world.clock.advance(10 * MINUTE);
    await post();
    expect(sent).toEqual([]);
  });

  test('does not sign in a person who is no longer a member', async () => {
    const { world, shop, ask, finish, code } = await open();
    await invite(world, shop, 'chidi@ada-stores.example.com', 'developer');
    const { token } = await ask('chidi@ada-stores.example.com');
    await endMembership(world.deps, {
      businessId: shop,
      userId: deriveUserId('chidi@ada-stores.example.com'),
      actor: 'a test',
    });
    await expect(finish(token, code(token))).rejects.toMatchObject({ code: 'wrong_code' });
  });
});

describe('the keys of sign-in codes', () => {
  const OLD = 'the-key-of-codes-before-the-rotation';
  const NEW = 'the-key-of-codes-after-the-rotation';

  test('are not the stage’s hash key, which makes no valid code', async () => {
    const { world, ask, finish } = await open();
    const { token } = await ask();
    await expect(finish(token, computeCode(world.deps.hashKey, tokenHash(token)))).rejects.toMatchObject({
      code: 'wrong_code',
    });
  });

  test('may be two during a rotation, and a code of either key signs in', async () => {
    const { world, ask } = await open();
    const deps = { ...world.deps, signInKeys: async () => [NEW, OLD] as const };
    for (const key of [OLD, NEW]) {
      const { token } = await ask();
      const code = computeCode(key, tokenHash(token));
      await expect(
        finishSignIn(deps, { signInCookie: token, code, from: FROM, replacedToken: undefined }),
      ).resolves.toBeDefined();
    }
  });

  test('are read again before a code counts as wrong, and that costs no second try', async () => {
    const { world, ask } = await open();
    const refreshes: boolean[] = [];
    const signInKeys = async ({ refresh = false } = {}) => {
      refreshes.push(refresh);
      return [refresh ? NEW : OLD] as const;
    };
    const deps = { ...world.deps, signInKeys };
    const { token } = await ask();
    const finish = (code: string) =>
      finishSignIn(deps, { signInCookie: token, code, from: FROM, replacedToken: undefined });
    const code = computeCode(NEW, tokenHash(token));
    for (let tries = 0; tries < 4; tries++) {
      await expect(finish(wrong(code))).rejects.toMatchObject({ code: 'wrong_code' });
    }
    await expect(finish(code)).resolves.toBeDefined();
    expect(refreshes).toEqual(Array.from({ length: 5 }, () => [false, true]).flat());
  });

  test('make mailed codes only with the current key', async () => {
    const { world, ask, mails, sent } = await open();
    const { token } = await ask();
    const take = async (mail: Mail): Promise<'sent'> => {
      sent.push(mail);
      return 'sent';
    };
    const deps = { ...world.deps, signInKeys: async () => [NEW, OLD] as const, sendMail: take };
    for (const mail of mails.splice(0)) await sendMail(deps, mail);
    expect(sent[0]?.text).toContain(`Your code is ${computeCode(NEW, tokenHash(token))}.`);
  });
});

describe('an e-mail address', () => {
  test('without a user is treated like any other address, but gets no mail', async () => {
    const { ask, mails, post, sent, finish, code } = await open();
    const { token } = await ask('nobody@example.com');
    expect(mails).toHaveLength(1);
    await post();
    expect(sent).toEqual([]);
    await expect(finish(token, code(token))).rejects.toMatchObject({ code: 'wrong_code' });
  });

  test('gets three codes in 15 minutes and ten a day, whoever asks', async () => {
    const { world, ask, mails } = await open();
    const counts: number[] = [];
    for (let quarter = 0; quarter < 5; quarter++) {
      const from = (n: number) => ({ ...FROM, addressBlock: `102.89.${quarter}.${n}` });
      await Promise.allSettled(Array.from({ length: 5 }, (_, n) => ask(OWNER, from(n))));
      counts.push(mails.splice(0).length);
      world.clock.advance(15 * MINUTE);
    }
    expect(counts).toEqual([3, 3, 3, 1, 0]);
    world.clock.advance(DAY);
    await ask();
    expect(mails).toHaveLength(1);
  });

  test('gets a message when its codes are used up, with or without a user, and the last code still works', async () => {
    const { ask, finish, code, mails } = await open();
    for (const email of [OWNER, 'nobody@example.com']) {
      for (let n = 0; n < 2; n++) await ask(email);
      const last = await ask(email);
      mails.splice(0);
      await expect(ask(email, FROM, last.cookie)).rejects.toMatchObject({
        code: 'rate_limited',
        message: expect.stringMatching(
          /^Three codes were requested for this e-mail address in 15 minutes, which is the limit\. A code that you have works for ten minutes, .* You can ask for another code from \d+ \w+ 2026 at \d\d:\d\d, Lagos time\.$/,
        ),
      });
      expect(mails).toEqual([]);
      const finished = finish(last.cookie, code(last.token));
      await (email === OWNER ? expect(finished).resolves.toBeDefined() : expect(finished).rejects.toBeDefined());
    }
  });

  test('gets no codes through a network that asks too often, but gets them through another network', async () => {
    const { world, ask } = await open();
    for (let n = 0; n < 60; n++) await ask(`somebody-${n}@example.com`);
    await expect(ask()).rejects.toMatchObject({
      code: 'rate_limited',
      details: { retryAfterSeconds: (15 * MINUTE - (world.clock.now() % (15 * MINUTE))) / 1_000 },
    });
    await expect(ask(OWNER, { ...FROM, addressBlock: '41.58.0.9' })).resolves.toBeDefined();
  });
});
