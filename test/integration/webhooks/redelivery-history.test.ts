import { MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import {
  api,
  openMerchantForEachTest,
  receiver,
  sendTestEvent,
  time,
  world,
} from '#test/support/worlds/test-merchant.ts';

const NOON = '2026-11-20T12:00:00.000000Z';

describe('the history of a redelivered delivery', () => {
  openMerchantForEachTest({ simulated: { consumers: 1 } });
  let eventId: string;
  beforeEach(async () => {
    eventId = await sendTestEvent();
  });

  const answerWithText = (status: number, text: string): void =>
    receiver.answer((response) => {
      world.clock.advance(40);
      response.writeHead(status).end(text);
    });
  const pass = (milliseconds: number) => time.runUntil(world.clock.now() + milliseconds);
  const history = async () => (await api.getEvent(eventId)).json.data.deliveries;
  const sendAgain = async (): Promise<void> => {
    await pass(MINUTE);
    expect((await api.redeliver(eventId)).status).toBe(202);
  };

  test('keeps the successful attempt from before the redelivery, whatever follows', async () => {
    answerWithText(200, 'first');
    await pass(0);
    const first = { number: 1, at: NOON, status_code: 200, duration_ms: 40, error: null, response: 'first' };
    expect(await history()).toMatchObject([{ status: 'succeeded', attempts: [first] }]);

    await sendAgain();
    expect(await history()).toMatchObject([{ status: 'pending', attempts: [first] }]);
    answerWithText(500, 'second');
    await pass(0);
    const second = { ...first, number: 2, at: '2026-11-20T12:01:00.040000Z', status_code: 500, response: 'second' };
    expect(await history()).toMatchObject([{ status: 'pending', attempts: [first, second] }]);

    answerWithText(200, 'third');
    await pass(5 * SECOND);
    await sendAgain();
    answerWithText(200, 'fourth');
    await pass(0);
    const [{ status, attempts }] = await history();
    expect(status).toBe('succeeded');
    const texts = attempts.map(({ number, response }: { number: number; response: string }) => [number, response]);
    expect(texts).toEqual([
      [1, 'first'],
      [2, 'second'],
      [3, 'third'],
      [4, 'fourth'],
    ]);
    expect(attempts.slice(0, 2)).toEqual([first, second]);
  });
});
