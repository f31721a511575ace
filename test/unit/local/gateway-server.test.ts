import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { gatewayAnswer } from '#infra/local/gateway/answer.ts';
import { type Gateway, openGateway } from '#infra/local/gateway/server.ts';

const REFUSED = gatewayAnswer(503, 'Service Unavailable');
const BODY = '{"reference":"PAY-7H2KQ9XW4M1ZB8T5RC3N"}';

describe('a request that the gateway refuses before it reads the body', () => {
  let gateway: Gateway;
  let socket: Socket;
  let received: string;
  let failure: Error | undefined;
  beforeEach(async () => {
    gateway = await openGateway({ host: '127.0.0.1', port: 0 });
    gateway.serve({ answerHead: () => REFUSED, answer: async () => gatewayAnswer(200, 'OK') }, () => {});
    socket = connect(Number(new URL(gateway.baseUrl).port), '127.0.0.1');
    [received, failure] = ['', undefined];
    socket.on('data', (chunk) => {
      received += chunk.toString();
    });
    socket.on('error', (error) => {
      failure = error;
    });
    await once(socket, 'connect');
  });
  afterEach(async () => {
    socket.destroy();
    await gateway.stop();
  });

  /** Sends a head, and its body a moment later. */
  const post = async (connection: 'close' | 'keep-alive'): Promise<void> => {
    const head = ['POST /api/v1/checkout/initialize HTTP/1.1', 'host: 127.0.0.1', `content-length: ${BODY.length}`];
    socket.write([...head, `connection: ${connection}`, '', ''].join('\r\n'));
    await wait(50);
    socket.write(BODY);
  };
  const countAnswers = (): number => received.split('HTTP/1.1 503 ').length - 1;

  test('gets its answer even if it asks to close the connection', async () => {
    const ended = once(socket, 'close');
    await post('close');
    await ended;
    expect(failure).toBeUndefined();
    expect(countAnswers()).toBe(1);
  });

  test('leaves the connection usable for the next request', async () => {
    await post('keep-alive');
    await post('keep-alive');
    while (countAnswers() < 2) await once(socket, 'data');
    expect(received).not.toContain('400');
    expect(failure).toBeUndefined();
  });
});
