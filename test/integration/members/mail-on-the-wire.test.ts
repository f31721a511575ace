import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { deriveUserId } from '#shared/members/domain/user.ts';
import { codeQueue } from '#shared/members/mail/code-queue.ts';
import { mailer } from '#shared/members/mail/mailer.ts';
import type { CodeMail } from '#shared/members/ports.ts';
import { connectQueue } from '#shared/platform/queues/connect-queue.ts';
import { deliveryQueue } from '#shared/webhooks/queue/delivery-queue.ts';
import { startSes } from '#test/support/emulators/ses.ts';
import { makeWorld } from '#test/support/worlds/world.ts';

const EMAIL = 'ada@ada-stores.example.com';
const SENDER = { from: 'payments@example.com', configurationSet: 'payments-dev-mail' };
const LETTERS = 'Adé “phone\uffff\ufdd0” \u007f 💸 \u{10ffff}';
const ASCII = /^[\x20-\x7e]+$/;

describe('a queue carries ASCII alone', () => {
  const open = async () => {
    const { queueUrls } = await makeWorld();
    const sqs = new SQSClient();
    const bodyAt = async (QueueUrl: string): Promise<string> => {
      const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl }));
      return Messages[0]?.Body ?? '';
    };
    return { queueUrls, bodyAt, client: connectQueue() };
  };

  test('for a mail in any letters, which its consumer reads as it was', async () => {
    const { queueUrls, bodyAt, client } = await open();
    const mail: CodeMail = {
      userId: deriveUserId(EMAIL),
      tokenHash: 'ab12',
      browser: `${LETTERS}\n${LETTERS}`,
      address: LETTERS,
      askedAt: 1,
    };
    await codeQueue(client, queueUrls.first).send(mail);
    const body = await bodyAt(queueUrls.first);
    expect(body).toMatch(ASCII);
    expect(JSON.parse(body)).toEqual(mail);
  });

  test('for a delivery', async () => {
    const { queueUrls, bodyAt, client } = await open();
    const about = {
      endpointId: 'whe_01JD3N5Y8Z0000000000000000',
      mode: 'live',
      attempt: 1,
      redeliveries: 1,
      dueAt: 1,
    } as const;
    const job = { ...about, eventId: LETTERS };
    await deliveryQueue(client, queueUrls).send('first', [job]);
    const body = await bodyAt(queueUrls.first);
    expect(body).toMatch(ASCII);
    expect(JSON.parse(body)).toEqual(job);
  });
});

describe('SES is asked', () => {
  const variable = 'AWS_ENDPOINT_URL_SESV2';
  const before = process.env[variable];
  afterEach(() => {
    if (before === undefined) delete process.env[variable];
    else process.env[variable] = before;
  });
  const mail = { to: EMAIL, subject: 'Ada Stores: a change', text: 'It changed.' };
  let asked: unknown;
  /** SES as it answers every mail with one error. */
  const failing = async (status: number, type: string, message = 'Domain ends with hyphen') => {
    const server = createServer(async (request, response) => {
      asked = await json(request);
      response.writeHead(status, { 'content-type': 'application/json', 'x-amzn-errortype': type });
      response.end(JSON.stringify({ message }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    process.env[variable] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return server;
  };

  test('to mail one reader', async () => {
    const ses = await startSes();
    process.env[variable] = ses.endpoint;
    expect(await mailer(SENDER)(mail)).toBe('sent');
    expect(ses.sent).toMatchObject([mail]);
    await ses.stop();
  });

  test.each([
    [400, 'BadRequestException', 'refused'],
    [400, 'MessageRejected', 'thrown'],
    [403, 'AccessDeniedException', 'thrown'],
    // In the sandbox, for more than one mail a second: the queue then gives it again within seconds.
    [429, 'TooManyRequestsException', 'thrown'],
  ])('and an answer %i %s is %s', async (status, type, outcome) => {
    const server = await failing(status, type);
    expect(await mailer(SENDER)(mail).catch(() => 'thrown')).toBe(outcome);
    expect(asked).toMatchObject({ FromEmailAddress: SENDER.from, ConfigurationSetName: SENDER.configurationSet });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  test.each([
    ['a reader whom nobody has verified in its sandbox is refused', [EMAIL.toUpperCase()], 'refused'],
    ['a sender whom nobody has verified is thrown', [SENDER.from], 'thrown'],
    ['both is thrown', [EMAIL, SENDER.from], 'thrown'],
  ])('and of %s', async (_, identities, outcome) => {
    const named = `Email address is not verified. The following identities failed the check in region EU-WEST-1: ${identities.join(', ')}`;
    const server = await failing(400, 'MessageRejected', named);
    expect(await mailer(SENDER)(mail).catch(() => 'thrown')).toBe(outcome);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});
