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
const OTHER_CHARACTERS = 'Adé “phone\uffff\ufdd0” \u007f 💸 \u{10ffff}';
const ASCII = /^[\x20-\x7e]+$/;

describe('a queue carries only ASCII', () => {
  const open = async () => {
    const { queueUrls } = await makeWorld();
    const sqs = new SQSClient();
    const bodyAt = async (QueueUrl: string): Promise<string> => {
      const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl }));
      return Messages[0]?.Body ?? '';
    };
    return { queueUrls, bodyAt, client: connectQueue() };
  };

  test('even if a mail has other characters, which its consumer reads unchanged', async () => {
    const { queueUrls, bodyAt, client } = await open();
    const mail: CodeMail = {
      userId: deriveUserId(EMAIL),
      tokenHash: 'ab12',
      browser: `${OTHER_CHARACTERS}\n${OTHER_CHARACTERS}`,
      address: OTHER_CHARACTERS,
      askedAt: 1,
    };
    await codeQueue(client, queueUrls.first).send(mail);
    const body = await bodyAt(queueUrls.first);
    expect(body).toMatch(ASCII);
    expect(JSON.parse(body)).toEqual(mail);
  });

  test('even if a delivery has other characters', async () => {
    const { queueUrls, bodyAt, client } = await open();
    const about = {
      endpointId: 'whe_01JD3N5Y8Z0000000000000000',
      mode: 'live',
      attempt: 1,
      redeliveries: 1,
      dueAt: 1,
    } as const;
    const job = { ...about, eventId: OTHER_CHARACTERS };
    await deliveryQueue(client, queueUrls).send('first', [job]);
    const body = await bodyAt(queueUrls.first);
    expect(body).toMatch(ASCII);
    expect(JSON.parse(body)).toEqual(job);
  });
});

describe('the mailer', () => {
  const variable = 'AWS_ENDPOINT_URL_SESV2';
  const before = process.env[variable];
  afterEach(() => {
    if (before === undefined) delete process.env[variable];
    else process.env[variable] = before;
  });
  const mail = { to: EMAIL, subject: 'Ada Stores: a change', text: 'It changed.' };
  let request: unknown;
  /** Starts an SES that answers every mail with one error. */
  const startFailingSes = async (status: number, type: string, message = 'Domain ends with hyphen') => {
    const server = createServer(async (incoming, response) => {
      request = await json(incoming);
      response.writeHead(status, { 'content-type': 'application/json', 'x-amzn-errortype': type });
      response.end(JSON.stringify({ message }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    process.env[variable] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return server;
  };

  test('sends a mail to one recipient through SES', async () => {
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
    // SES answers this in its sandbox for more than one mail a second. The queue then gives the mail again within seconds.
    [429, 'TooManyRequestsException', 'thrown'],
  ])('turns the answer %i %s into: %s', async (status, type, outcome) => {
    const server = await startFailingSes(status, type);
    expect(await mailer(SENDER)(mail).catch(() => 'thrown')).toBe(outcome);
    expect(request).toMatchObject({ FromEmailAddress: SENDER.from, ConfigurationSetName: SENDER.configurationSet });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  test.each([
    ['refuses the mail if only the recipient is not verified in the sandbox', [EMAIL.toUpperCase()], 'refused'],
    ['throws if the sender is not verified', [SENDER.from], 'thrown'],
    ['throws if neither is verified', [EMAIL, SENDER.from], 'thrown'],
  ])('%s', async (_, identities, outcome) => {
    const message = `Email address is not verified. The following identities failed the check in region EU-WEST-1: ${identities.join(', ')}`;
    const server = await startFailingSes(400, 'MessageRejected', message);
    expect(await mailer(SENDER)(mail).catch(() => 'thrown')).toBe(outcome);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});
