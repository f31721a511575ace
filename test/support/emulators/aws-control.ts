import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A call of an AWS API: a path, or for older APIs an action with parameters. */
export interface ControlCall {
  readonly service: string;
  readonly method: string;
  readonly path: string;
  readonly action: string;
  readonly parameters: URLSearchParams;
  readonly body: string;
  /** The id of the access key that signed the call. */
  readonly signer: string;
}

export interface ControlAnswer {
  readonly status?: number;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The scope of a signature: `Credential=<key>/<date>/<region>/<service>/aws4_request`. */
const SCOPE = /Credential=([^/]+)\/\d+\/[^/]+\/([^/]+)\//;

const readCall = async (request: IncomingMessage): Promise<ControlCall> => {
  const body = await text(request);
  const [, signer = '', service = ''] = SCOPE.exec(request.headers.authorization ?? '') ?? [];
  const target = String(request.headers['x-amz-target'] ?? '').split('.')[1];
  const parameters = new URLSearchParams(target ? '' : body);
  return {
    service,
    signer,
    method: request.method ?? '',
    path: request.url ?? '',
    action: target ?? parameters.get('Action') ?? '',
    parameters,
    body,
  };
};

/** Starts a server in place of AWS's own APIs. `answer` decides the answer to each signed call. */
export const startAwsControl = async (answer: (call: ControlCall) => ControlAnswer | Promise<ControlAnswer>) => {
  const calls: ControlCall[] = [];
  const server = createServer((request, response) => {
    void readCall(request).then(async (call) => {
      calls.push(call);
      const { status = 200, body, headers = {} } = await answer(call);
      response.writeHead(status, headers).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    endpoint,
    calls,
    /** The environment for a command that should use this server as AWS. */
    env: {
      AWS_ENDPOINT_URL: endpoint,
      // The SDK prefers a service's own variable, which names the tests' emulator.
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
      AWS_ACCESS_KEY_ID: 'operator',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_REGION: 'eu-west-1',
      AWS_CONFIG_FILE: '/dev/null',
      AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
      AWS_EC2_METADATA_DISABLED: 'true',
    },
    close: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

/** Makes an answer of an API that uses XML. */
export const xml = (body: string, status = 200): ControlAnswer => ({
  status,
  body,
  headers: { 'content-type': 'text/xml' },
});

/** Makes an error of an API that uses XML. */
export const xmlError = (code: string, message: string, status = 400): ControlAnswer =>
  xml(
    `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
    status,
  );
