import { asUnavailable, isThrottled, isUnavailable } from './aws-client.ts';
import { type HttpAnswer, type HttpLimits, post } from './aws-http.ts';
import { authorizationOf } from './aws-signature.ts';

/*
 * Calls of DynamoDB and SQS. The SDK spends three quarters of a call's processor time on steps that it plans anew for each one
 * (0033-own-aws-calls.md), so writing, signing, sending and reading are done here. The rest is the SDK's: its client's region,
 * credentials, endpoint and retries, and what an error means.
 */

/** A service that speaks AWS JSON 1.0 (Smithy 2.0, "AWS JSON 1.0 protocol"). */
interface AwsService {
  /** As signatures name it. */
  readonly name: string;
  /** Before the operation's name in `x-amz-target`. */
  readonly target: string;
}
export const DYNAMODB: AwsService = { name: 'dynamodb', target: 'DynamoDB_20120810' };
export const SQS: AwsService = { name: 'sqs', target: 'AmazonSQS' };

type RetryToken = object;
/** The SDK's retry strategy of its second version, which every mode of retries is. It waits before it gives the next token. */
interface RetryStrategy {
  acquireInitialRetryToken(scope: string): Promise<RetryToken>;
  refreshRetryTokenForRetry(token: RetryToken, error: { errorType: 'THROTTLING' | 'TRANSIENT' }): Promise<RetryToken>;
  recordSuccess(token: RetryToken): void;
}

/** What a call asks of the SDK's client. */
export interface AwsConfig {
  readonly region: () => Promise<string>;
  readonly credentials: () => Promise<{
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string | undefined;
  }>;
  /** Where a caller's own endpoint is. */
  readonly endpoint?: (() => Promise<{ protocol: string; hostname: string; port?: number }>) | undefined;
  /** Where the environment or a profile says that it is. */
  readonly serviceConfiguredEndpoint?: () => Promise<string | undefined>;
  readonly endpointProvider: (given: { Region: string; UseFIPS: boolean; UseDualStack: boolean }) => { url: URL };
  readonly useFipsEndpoint: () => Promise<boolean>;
  readonly useDualstackEndpoint: () => Promise<boolean>;
  readonly retryStrategy: () => Promise<object>;
  readonly protocol: {
    deserializeResponse(operation: object, context: object, answer: HttpAnswer): Promise<never>;
  };
}

/** A command of the SDK. */
export interface AwsCommand {
  readonly input: object;
  /** The SDK's schema of its operation, a tuple. */
  readonly schema?: unknown;
}

type OperationSchema = readonly [
  kind: number,
  namespace: string,
  name: string,
  traits: unknown,
  input: unknown,
  output: unknown,
];

/** Sends a command with this input, and returns the answer as it is on the wire: no value of ours is one that the SDK would convert. */
export type AwsCall = (command: AwsCommand, input?: object, signal?: AbortSignal) => Promise<unknown>;

/** The endpoint of a client: its own, one that the environment or a profile configures, or the region's. */
export const endpointOf = async (config: AwsConfig): Promise<URL> => {
  if (config.endpoint) {
    const { protocol, hostname, port } = await config.endpoint();
    return new URL(`${protocol}//${hostname}${port === undefined ? '' : `:${port}`}`);
  }
  const configured = await config.serviceConfiguredEndpoint?.();
  if (configured !== undefined) return new URL(configured);
  const [Region, UseFIPS, UseDualStack] = await Promise.all([
    config.region(),
    config.useFipsEndpoint(),
    config.useDualstackEndpoint(),
  ]);
  return config.endpointProvider({ Region, UseFIPS, UseDualStack }).url;
};

/** `20260106T132909Z`. */
const signingTime = (now: Date): string => now.toISOString().replace(/[-:]|\.\d{3}/g, '');

/** Throws what the SDK makes of an answer that is not a success. */
const refuse = async (config: AwsConfig, schema: OperationSchema, answer: HttpAnswer): Promise<never> => {
  const [, namespace, name, traits, input, output] = schema;
  try {
    return await config.protocol.deserializeResponse({ namespace, name, traits, input, output }, { ...config }, answer);
  } catch (error) {
    // What a proxy answers in place of AWS is no JSON, and the SDK cannot tell its status.
    const { $metadata = { httpStatusCode: answer.statusCode } } = error as { readonly $metadata?: object };
    throw Object.assign(error as Error, { $metadata });
  }
};

/** Settles as the work does, or rejects with the signal's reason as soon as that aborts. */
const untilAborted = async <T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
  if (!signal) return work;
  let listening = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    listening = () => reject(signal.reason);
  });
  signal.addEventListener('abort', listening, { once: true });
  if (signal.aborted) listening();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', listening);
  }
};

/** Repeats an attempt as the client's retry strategy says: it waits, and refuses when the tries are used up. Not once the signal has aborted. */
const withRetries = async <T>(
  { retryStrategy }: AwsConfig,
  signal: AbortSignal | undefined,
  attempt: () => Promise<T>,
): Promise<T> => {
  const strategy = (await retryStrategy()) as RetryStrategy;
  let token = await strategy.acquireInitialRetryToken('');
  for (;;) {
    try {
      const result = await attempt();
      strategy.recordSuccess(token);
      return result;
    } catch (error) {
      if (signal?.aborted || !isUnavailable(error)) throw error;
      const errorType = isThrottled(error) ? 'THROTTLING' : 'TRANSIENT';
      const next = await strategy.refreshRetryTokenForRetry(token, { errorType }).catch(() => undefined);
      if (next === undefined) throw error;
      token = next;
    }
  }
};

/**
 * Calls of a service with the settings of the SDK's client for it. `answerMs`: the time of one attempt.
 * @throws DependencyUnavailable when AWS throttled every attempt, failed, or did not answer, or when the signal's own time was up;
 * the signal's reason when it aborts for another; otherwise the SDK's errors.
 */
export const awsCalls = (
  { config }: { readonly config: AwsConfig },
  { name: service, target }: AwsService,
  { answerMs }: Pick<HttpLimits, 'answerMs'>,
): AwsCall => {
  let endpoint: URL | undefined;

  const attempt = async (schema: OperationSchema, body: string, signal: AbortSignal | undefined): Promise<unknown> => {
    endpoint ??= await endpointOf(config);
    const { host } = endpoint;
    const [region, { accessKeyId, secretAccessKey, sessionToken }] = await Promise.all([
      config.region(),
      config.credentials(),
    ]);
    // In alphabetical order, because all of them are signed.
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      host,
      'x-amz-date': signingTime(new Date()),
      ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }),
      'x-amz-target': `${target}.${schema[2]}`,
      ...(service === SQS.name && { 'x-amzn-query-mode': 'true' }),
    };
    const authorization = authorizationOf(headers, body, { accessKeyId, secretAccessKey, region, service });
    const sent = { ...headers, authorization, 'content-length': Buffer.byteLength(body) };
    const answer = await post(endpoint, sent, body, { answerMs, signal });
    if (answer.statusCode !== 200) return refuse(config, schema, answer);
    return answer.body.length === 0 ? {} : JSON.parse(answer.body.toString());
  };

  return async (command, input = command.input, signal) => {
    const schema = command.schema as OperationSchema;
    const body = JSON.stringify(input);
    try {
      return await untilAborted(
        withRetries(config, signal, () => attempt(schema, body, signal)),
        signal,
      );
    } catch (error) {
      throw asUnavailable(error);
    }
  };
};
