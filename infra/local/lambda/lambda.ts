import { randomUUID } from 'node:crypto';
import { tracingChannel } from 'node:diagnostics_channel';
import type { Context } from 'aws-lambda';
import type { FunctionSpec } from '#infra/function-spec.ts';
import { ACCOUNT, REGION } from '#infra/local/aws-account.ts';

/** A function of the manifest that can be called as Lambda calls it. */
export interface Lambda {
  readonly spec: FunctionSpec;
  /** Calls the handler. @throws what the handler throws, and Error if its time is up. */
  invoke(event: unknown): Promise<unknown>;
}

/** Whether HTTP requests call a function. Queues and schedules call the others. */
export const isCalledByRequests = ({ trigger }: FunctionSpec): boolean =>
  trigger.kind === 'endpoint' || trigger.kind === 'route';

type Handler = (event: unknown, context: Context) => Promise<unknown>;

const doNothing = (): void => {};

const buildContext = ({ name, memoryMb, timeoutSeconds }: FunctionSpec): Context => {
  const deadline = Date.now() + timeoutSeconds * 1_000;
  return {
    functionName: name,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${name}`,
    memoryLimitInMB: String(memoryMb),
    awsRequestId: randomUUID(),
    logGroupName: `/aws/lambda/${name}`,
    logStreamName: 'local',
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => deadline - Date.now(),
    done: doNothing,
    fail: doNothing,
    succeed: doNothing,
  };
};

const withinTime = async (spec: FunctionSpec, work: Promise<unknown>): Promise<unknown> => {
  let timer: NodeJS.Timeout | undefined;
  const timeIsUp = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${spec.name} timed out.`)), spec.timeoutSeconds * 1_000);
  });
  try {
    return await Promise.race([work, timeIsUp]);
  } finally {
    clearTimeout(timer);
  }
};

/** The tracing channel (node:diagnostics_channel) that reports the running function. */
export const RUNNING = 'payments-backend:function';
const running = tracingChannel<string, FunctionSpec>(RUNNING);

/**
 * Imports a function of the manifest. The function reads its environment during the import, so set the variables first. With `isDebugged` a
 * call has no time limit, because a person may be at a breakpoint.
 */
export const loadLambda = async (spec: FunctionSpec, { isDebugged = false } = {}): Promise<Lambda> => {
  const { handler } = (await import(`#functions/${spec.name}/handler.ts`)) as { handler: Handler };
  const call = (event: unknown) => {
    const work = handler(event, buildContext(spec));
    return isDebugged ? work : withinTime(spec, work);
  };
  return { spec, invoke: (event) => running.tracePromise(() => call(event), { ...spec }) };
};
