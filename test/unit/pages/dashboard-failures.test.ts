import { adviceOn, firstLine } from '#shared/pages/dashboard/client/parts/failure.ts';
import { failureSentence } from '#shared/webhooks/http-out/failure-sentence.ts';
import { NOT_PUBLIC } from '#shared/webhooks/http-out/pinned-lookup.ts';

const AT = '2026-11-27T23:12:33.000Z';
const answered = (status: number) => adviceOn({ status_code: status, error: null, at: AT });
const failed = (error: string | null) => adviceOn({ status_code: null, error, at: AT });

describe('the advice on a webhook that did not arrive', () => {
  test.each([
    [302, 'no redirect is followed'],
    [400, 'Your program refused the webhook.'],
    [401, 'signing secret'],
    [403, 'firewall'],
    [404, 'There is no such page'],
    [405, 'takes no POST'],
    [410, 'nothing shall be sent there any more'],
    [422, 'Your program refused the webhook.'],
    [429, 'takes no more for now'],
    [500, 'Your program failed at the webhook. Look into its log at 28 Nov 2026, 00:12:33, Lagos time.'],
    [502, 'does not run'],
    [503, 'does not run'],
    [504, 'does not run'],
    [599, 'Your program failed'],
  ])('follows from HTTP %i: %s', (status, words) => {
    expect(answered(status)).toContain(words);
  });

  test.each([
    ['No answer within 15 s.', 'answer at once'],
    [failureSentence({ name: '', message: '', code: 'ENOTFOUND', syscall: 'queryA' }), 'DNS records'],
    [failureSentence({ name: '', message: '', code: 'CERT_HAS_EXPIRED' }), 'certificate'],
    [failureSentence({ name: '', message: '', code: 'ERR_SSL_WRONG_VERSION_NUMBER' }), 'https works'],
    [failureSentence({ name: '', message: '', code: NOT_PUBLIC }), 'the whole internet can reach'],
    ['The request was not sent: the URL must begin with https.', 'the whole internet can reach'],
    [failureSentence({ name: '', message: '', code: 'ECONNREFUSED' }), 'Nothing listens there'],
    [failureSentence({ name: '', message: '', code: 'ECONNRESET' }), 'The connection broke'],
    ['The connection was closed without an answer.', 'The connection broke'],
    [null, 'The connection broke'],
  ])('follows from what the service says of an attempt without an answer: %s', (error, words) => {
    expect(failed(error)).toContain(words);
  });
});

test('the first line with text of an answer is shown, cut', () => {
  expect(firstLine('\n  Fatal error: Uncaught PDOException \nat orders.php')).toBe(
    'Fatal error: Uncaught PDOException',
  );
  expect(firstLine('x'.repeat(1_024))).toHaveLength(200);
  expect(firstLine(' \n')).toBeUndefined();
  expect(firstLine(null)).toBeUndefined();
});
