import { deriveUserId } from '#shared/members/domain/user.ts';
import { changeRole } from '#shared/members/use-cases/change-members.ts';
import { landMoney } from '#shared/payments/use-cases/land-money.ts';
import { DAY, HOUR, MINUTE } from '#shared/platform/kernel/time.ts';
import { prepareSummary } from '#shared/sweeps/use-cases/tell-day.ts';
import { invite, mailNotices, SIGN_IN_URL, signIn } from '#test/support/worlds/dashboard.ts';
import { createDashboardClient } from '#test/support/worlds/dashboard-client.ts';
import { ASKED, merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { makeRejection, makeTransfer } from '#test/support/worlds/reports.ts';

openWorldForEachTest();

const OWNER = 'ada@ada-stores.example.com';
const SECOND_OWNER = 'dayo@ada-stores.example.com';
/** The time to seven the next morning: the world begins at one in the afternoon in Lagos. */
const TO_MORNING = 18 * HOUR;

const as = async (email: string) => createDashboardClient(world, await signIn(world, email), merchant.business.id);
const choose = async (email: string, body: object) => (await as(email)).chooseMail({ body });
const setRole = (email: string, to: 'owner' | 'viewer') =>
  changeRole(world.deps, { businessId: merchant.business.id, userId: deriveUserId(email), role: to, actor: 'a test' });

/** Runs the mailing twice: one run writes a notice, and the next run mails it. Returns readers and subjects. */
const mailedSubjects = async (): Promise<string[]> => {
  const sent = [...(await mailNotices(world)), ...(await mailNotices(world))];
  return sent.map(({ to, subject }) => `${to}: ${subject}`);
};

let transfers = 0;
const pay = async (amount = ASKED): Promise<void> => {
  const { reference } = await merchant.checkout('paystack', { amount: amount / 100 });
  transfers += 1;
  const money = makeTransfer(reference, amount, 'accepted', `KPY-PAY-${transfers}`);
  await landMoney(world.deps, 'paystack', money, { askedAt: world.clock.now() });
};

const summaries = () => world.itemsOf('DAILY');

beforeEach(async () => {
  await invite(world, merchant.business.id, OWNER, 'owner');
  await invite(world, merchant.business.id, SECOND_OWNER, 'owner');
});

describe('an owner who chooses the daily summary', () => {
  test('gets one mail at seven in the morning about the day before; no other owner does', async () => {
    expect((await choose(OWNER, { daily_summary: true })).json.data).toEqual({ daily_summary: true, endpoints: true });
    await pay();
    await pay(1_234_550);
    const { reference } = await merchant.checkout('paystack');
    await landMoney(world.deps, 'paystack', makeRejection(reference, 50_000), { askedAt: world.clock.now() });
    world.clock.advance(TO_MORNING - 1);
    expect(await mailedSubjects()).toEqual([]);
    world.clock.advance(1);
    expect(await mailNotices(world)).toEqual([]);
    const sent = await mailNotices(world);
    expect(sent).toEqual([
      {
        to: OWNER,
        subject: 'Ada Stores Limited: ₦20,845.50 landed on Friday, 20 November 2026',
        text: `₦20,845.50 in 2 payments landed on Friday, 20 November 2026.

Business: Ada Stores Limited
The day before: ₦0.00 in 0 payments
Sent back on arrival: ₦500.00

These are payments of live mode. A day lasts from midnight to midnight in Lagos, and a payment counts on the day on which it was recorded. Fees are not deducted.

Dashboard: ${SIGN_IN_URL}

You get this mail because you chose the daily summary. You can switch it off in the dashboard under My account.
`,
      },
    ]);
    for (let n = 0; n < 10; n += 1) {
      world.clock.advance(2 * HOUR);
      expect(await mailedSubjects()).toEqual([]);
    }
  });

  test('gets no mail about a day without money, except the first one after a day with money', async () => {
    await choose(OWNER, { daily_summary: true });
    world.clock.advance(TO_MORNING);
    expect(await mailedSubjects()).toEqual([]);
    await pay();
    world.clock.advance(DAY);
    expect(await mailedSubjects()).toEqual([
      `${OWNER}: Ada Stores Limited: ₦8,500.00 landed on Saturday, 21 November 2026`,
    ]);
    world.clock.advance(DAY);
    expect(await mailedSubjects()).toEqual([
      `${OWNER}: Ada Stores Limited: nothing landed on Sunday, 22 November 2026`,
    ]);
    world.clock.advance(DAY);
    expect(await mailedSubjects()).toEqual([]);
  });

  test('gets late mails about days that were missed, but only about the newest three', async () => {
    await choose(OWNER, { daily_summary: true });
    const mailedDays = async (days: number): Promise<string[]> => {
      for (let n = 0; n < days; n += 1) {
        await pay();
        world.clock.advance(DAY);
      }
      const sent: string[] = [];
      for (let n = 0; n < 8; n += 1) sent.push(...(await mailedSubjects()));
      return sent.map((line) => line.replace(/^.* landed on /, ''));
    };
    // The clock goes back to the morning of the first day, so that each day here begins at seven.
    world.clock.advance(TO_MORNING - DAY);
    expect(await mailedDays(2)).toEqual(['Friday, 20 November 2026', 'Saturday, 21 November 2026']);
    expect(await mailedDays(5)).toEqual([
      'Tuesday, 24 November 2026',
      'Wednesday, 25 November 2026',
      'Thursday, 26 November 2026',
    ]);
    expect(await mailedDays(1)).toEqual(['Friday, 27 November 2026']);
  });

  test('gets one mail, even if several runs work at once, and a run dies before it writes the notice', async () => {
    await choose(OWNER, { daily_summary: true });
    await pay();
    world.clock.advance(TO_MORNING);
    const [due] = await summaries();
    if (!due) throw new Error('There is no summary.');
    const dead = async (): Promise<never> => {
      throw new Error('The run died.');
    };
    const dies = { ...world.deps, summaries: { ...world.deps.summaries, moveOn: dead } };
    await prepareSummary(dies, { businessId: merchant.business.id, dueAt: Number(due.dueAt) });
    expect(await mailedSubjects()).toEqual([]);
    world.clock.advance(5 * MINUTE);
    const runs = await Promise.all(Array.from({ length: 4 }, mailedSubjects));
    expect([...runs.flat(), ...(await mailedSubjects())]).toEqual([
      `${OWNER}: Ada Stores Limited: ₦8,500.00 landed on Friday, 20 November 2026`,
    ]);
  });

  test('gets no mail after switching the summary off, and mails again after switching it on', async () => {
    await choose(OWNER, { daily_summary: true });
    await pay();
    expect((await choose(OWNER, { daily_summary: false })).json.data.daily_summary).toBe(false);
    expect(await summaries()).toHaveLength(1);
    world.clock.advance(TO_MORNING);
    expect(await mailedSubjects()).toEqual([]);
    expect(await summaries()).toEqual([]);
    await choose(OWNER, { daily_summary: true });
    await pay();
    world.clock.advance(DAY);
    expect(await mailedSubjects()).toEqual([
      `${OWNER}: Ada Stores Limited: ₦8,500.00 landed on Saturday, 21 November 2026`,
    ]);
  });

  test('loses the choice with the role of an owner', async () => {
    await choose(SECOND_OWNER, { daily_summary: true });
    await pay();
    await setRole(SECOND_OWNER, 'viewer');
    await setRole(SECOND_OWNER, 'owner');
    world.clock.advance(TO_MORNING);
    expect([await mailedSubjects(), await summaries()]).toEqual([[], []]);
  });
});

test('a daily summary that nobody wants continues if an owner chooses it just before it ends', async () => {
  await choose(OWNER, { daily_summary: true });
  await choose(OWNER, { daily_summary: false });
  await pay();
  world.clock.advance(TO_MORNING);
  const { end } = world.deps.summaries;
  const late = {
    end: async (taken: Parameters<typeof end>[0]) => {
      await choose(SECOND_OWNER, { daily_summary: true });
      await end(taken);
    },
  };
  const [due] = await summaries();
  await prepareSummary(
    { ...world.deps, summaries: { ...world.deps.summaries, ...late } },
    { businessId: merchant.business.id, dueAt: Number(due?.dueAt) },
  );
  expect(await summaries()).toMatchObject([{ day: '2026-11-21' }]);
});

test('a business has one daily summary if several owners choose it at the same time, and each owner is mailed', async () => {
  const both = await Promise.all([OWNER, SECOND_OWNER].map(as));
  const answers = await Promise.all(both.map((owner) => owner.chooseMail({ body: { daily_summary: true } })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(await summaries()).toHaveLength(1);
  await pay();
  world.clock.advance(TO_MORNING);
  expect((await mailedSubjects()).map((line) => line.split(':')[0]).sort()).toEqual([OWNER, SECOND_OWNER]);
});

test('the audit log and the dashboard show an owner’s choice of mails, and nobody is mailed about the choice', async () => {
  const owner = await as(OWNER);
  await owner.chooseMail({ body: { daily_summary: true, endpoints: false } });
  await owner.chooseMail({ body: { daily_summary: true } });
  world.clock.advance(1);
  expect((await owner.chooseMail({ body: {} })).json.data).toEqual({ daily_summary: true, endpoints: false });
  const { data } = (await owner.audit({})).json;
  expect(data).toMatchObject([
    {
      action: 'PATCH /v1/mail',
      actor: { email: OWNER },
      what: 'switched the daily summary on and mails about webhook endpoints off',
    },
  ]);
  expect(await mailNotices(world)).toEqual([]);
  expect((await owner.chooseMail({ body: { daily_summary: 'yes' } })).json.code).toBe('validation_failed');
});
