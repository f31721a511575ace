import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Returns the text of a secret by its id; undefined if it has no value. Throws the name of an error of Secrets Manager. */
export type Secrets = (secretId: string) => string | undefined;

let secrets: Secrets = () => undefined;

const makeAnswer = (SecretId: string): readonly [status: number, body: object] => {
  try {
    const SecretString = secrets(SecretId);
    if (SecretString !== undefined) return [200, { Name: SecretId, SecretString }];
    return [400, { __type: 'ResourceNotFoundException', message: "Secrets Manager can't find the specified secret." }];
  } catch (name) {
    return [400, { __type: name, message: 'User: arn:aws:sts::111122223333:assumed-role/x may not GetSecretValue.' }];
  }
};

const start = async (): Promise<string> => {
  const server = createServer(async (incoming, response) => {
    const [status, body] = makeAnswer(JSON.parse((await incoming.toArray()).join('')).SecretId);
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  // Neither the server nor a connection keeps the worker running.
  server.on('connection', (socket) => socket.unref()).unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
let started: Promise<string> | undefined;

/** Sets the secrets of Secrets Manager from now on. All files of a worker share one server, because a function keeps its client. */
export const serveSecrets = async (next: Secrets): Promise<void> => {
  secrets = next;
  started ??= start();
  process.env.AWS_ENDPOINT_URL_SECRETS_MANAGER = await started;
};
