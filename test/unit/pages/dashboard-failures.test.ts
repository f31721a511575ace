import { findAdvice, findFirstLine } from '#shared/pages/dashboard/client/parts/failure.ts';
import { failureSentence } from '#shared/webhooks/http-out/failure-sentence.ts';
import { NOT_PUBLIC } from '#shared/webhooks/http-out/pinned-lookup.ts';

const AT = '2026-11-27T23:12:33.000Z';
const adviseOnStatus = (status: number) => findAdvice({ status_code: status, error: null, at: AT });
const adviseOnError = (error: string | null) => findAdvice({ status_code: null, error, at: AT });

describe('the advice on a webhook that did not arrive', () => {
  test.each([
    [302, 'we follow no redirect'],
    [400, 'Your program rejected the webhook.'],
    [401, 'signing secret'],
    [403, 'firewall'],
    [404, 'There is no such page'],
    [405, 'does not accept POST'],
    [410, 'this page no longer exists'],
    [422, 'Your program rejected the webhook.'],
    [429, 'too many requests'],
    [500, 'Your program failed while it handled the webhook. Read its log at 28 Nov 2026, 00:12:33, Lagos time.'],
    [502, 'does not run'],
    [503, 'does not run'],
    [504, 'does not run'],
    [599, 'Your program failed'],
  ])('after HTTP %i says “%s”', (status, words) => {
    expect(adviseOnStatus(status)).toContain(words);
  });

  test.each([
    ['No answer within 15 s.', 'answer at once'],
    [failureSentence({ name: '', message: '', code: 'ENOTFOUND', syscall: 'queryA' }), 'DNS records'],
    [failureSentence({ name: '', message: '', code: 'CERT_HAS_EXPIRED' }), 'certificate'],
    [failureSentence({ name: '', message: '', code: 'ERR_SSL_WRONG_VERSION_NUMBER' }), 'https works'],
    [failureSentence({ name: '', message: '', code: NOT_PUBLIC }), 'the whole internet can reach'],
    ['The request was not sent: the URL must begin with https.', 'the whole internet can reach'],
    [failureSentence({ name: '', message: '', code: 'ECONNREFUSED' }), 'No program listens there'],
    [failureSentence({ name: '', message: '', code: 'ECONNRESET' }), 'The connection broke'],
    ['The connection was closed without an answer.', 'The connection broke'],
    [null, 'The connection broke'],
  ])('after an attempt without an answer (%s) says “%s”', (error, words) => {
    expect(adviseOnError(error)).toContain(words);
  });
});

test('the first line of an answer that is not empty is found, and shortened', () => {
  expect(findFirstLine('\n  Fatal error: Uncaught PDOException \nat orders.php')).toBe(
    'Fatal error: Uncaught PDOException',
  );
  expect(findFirstLine('x'.repeat(1_024))).toHaveLength(200);
  expect(findFirstLine(' \n')).toBeUndefined();
  expect(findFirstLine(null)).toBeUndefined();
});
