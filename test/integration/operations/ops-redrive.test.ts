import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { operationsProgram } from '#infra/ops/program.ts';
import type { Lane } from '#shared/webhooks/domain/delivery.ts';
import { deadLetterQueues } from '#shared/webhooks/queue/dead-letter-queues.ts';
import { type DeadLetterQueues, redriveQueue } from '#shared/webhooks/use-cases/redrive-queue.ts';
import { type FaultProxy, startFaultProxy } from '#test/support/emulators/fault-proxy.ts';
import { makeWorld, type World } from '#test/support/worlds/world.ts';

const sqs = new SQSClient();
const LANES = ['first', 'retry', 'slow', 'test'] as const;

interface Task {
  readonly status: string;
  readonly moved: number;
  readonly toMove?: number;
  readonly failure?: string;
}

/** An earlier move that SQS still shows. */
const EARLIER: Task = { status: 'COMPLETED', moved: 9 };

let world: World;
let proxy: FaultProxy;
let deadLetters: DeadLetterQueues;
let urls: Record<Lane, string>;
/** The answers of SQS about its move, one for each call. The last answer repeats. */
let script: Task[];
/** The source queues of the moves that were started. */
let startedSources: string[];
/** Promises that resolve when the moves are done. */
let moving: Promise<void>[];

const queueUrl = (name: string): string => `${process.env.AWS_ENDPOINT_URL_SQS}/000000000000/${name}`;
/** Returns the URLs of the dead-letter queues, at the emulator or at a proxy in front of it. */
const urlsAt = (endpoint: string): typeof urls => {
  const urlOf = (lane: Lane): string => `${endpoint}/000000000000/${world.table.name}-${lane}-dlq`;
  return { first: urlOf('first'), retry: urlOf('retry'), slow: urlOf('slow'), test: urlOf('test') };
};

/** Moves every message back to its source queue, because the emulator has no StartMessageMoveTask. */
const moveAll = async (sourceArn: string): Promise<void> => {
  const source = queueUrl(sourceArn.split(':').at(-1) ?? '');
  for (;;) {
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl: source, MaxNumberOfMessages: 10 }));
    if (Messages.length === 0) return;
    for (const { Body, ReceiptHandle } of Messages) {
      await sqs.send(new SendMessageCommand({ QueueUrl: source.replace(/-dlq$/, ''), MessageBody: Body }));
      await sqs.send(new DeleteMessageCommand({ QueueUrl: source, ReceiptHandle }));
    }
  }
};

const taskBody = ({ status, moved, toMove, failure }: Task) => ({
  Status: status,
  ApproximateNumberOfMessagesMoved: moved,
  ApproximateNumberOfMessagesToMove: toMove,
  FailureReason: failure,
  StartedTimestamp: startedSources.length,
});

beforeEach(async () => {
  world = await makeWorld();
  urls = urlsAt(process.env.AWS_ENDPOINT_URL_SQS ?? '');
  for (const lane of LANES) {
    await sqs.send(new CreateQueueCommand({ QueueName: `${world.table.name}-${lane}-dlq` }));
  }
  [script, startedSources, moving] = [[], [], []];
  proxy = await startFaultProxy(process.env.AWS_ENDPOINT_URL_SQS ?? '');
  // Everything goes to the emulator, except the two calls that it does not have.
  proxy.inject((operation, { SourceArn }) => {
    if (operation === 'StartMessageMoveTask') {
      startedSources.push(String(SourceArn));
      moving.push(moveAll(String(SourceArn)));
      return { status: 200, body: { TaskHandle: 'task' } };
    }
    if (operation !== 'ListMessageMoveTasks') return undefined;
    const task = script.length > 1 ? script.shift() : script[0];
    return { status: 200, body: { Results: task ? [taskBody(task)] : [] } };
  });
  deadLetters = deadLetterQueues(new SQSClient({ endpoint: proxy.endpoint }), urlsAt(proxy.endpoint));
});
afterEach(() => proxy.stop());

const addDeadLetters = async (lane: Lane, count: number): Promise<void> => {
  for (let n = 0; n < count; n++) {
    const ids = { eventId: world.deps.newId('evt'), endpointId: world.deps.newId('whe') };
    const job = { ...ids, mode: lane === 'test' ? 'test' : 'live', attempt: 0, redeliveries: 0, dueAt: null };
    await sqs.send(new SendMessageCommand({ QueueUrl: urls[lane], MessageBody: JSON.stringify(job) }));
  }
};
const countDeadLetters = async (lane: Lane): Promise<number> => {
  const names = ['ApproximateNumberOfMessages' as const, 'ApproximateNumberOfMessagesNotVisible' as const];
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl: urls[lane], AttributeNames: names }));
  return names.reduce((sum, name) => sum + Number(Attributes?.[name]), 0);
};

/** Runs the command on stage prod, and answers its question with yes. */
const ops = async (...args: string[]) => {
  const output = { questions: '', out: '', err: '' };
  await operationsProgram({
    connect: () => ({ ...world.deps, operator: async () => 'amaka', deadLetters }),
    ask: async (question) => {
      output.questions += question;
      return true;
    },
    out: (text) => {
      output.out += text;
    },
    err: (text) => {
      output.err += text;
    },
  }).parseAsync(['node', 'ops', '--stage', 'prod', ...args]);
  return output;
};

/** Reads the recorded changes of operators, sorted by text, because the world's clock stands still. */
const readRecords = async (): Promise<string[]> => {
  const { items } = await world.deps.businesses.listChanges({ limit: 10, after: null });
  return items.map(({ businessId, who, what }) => `${businessId} ${who} ${what}`).sort();
};

/** Runs the use case without waiting between its polls. */
const redrive = async () => {
  const reported: string[] = [];
  const sleep = async (): Promise<void> => {};
  const record = async (what: string): Promise<void> => {
    reported.push(what);
  };
  const result = redriveQueue({ deadLetters, sleep, record }, 'retry', (progress) => reported.push(progress));
  return { reported, ...(await result) };
};

describe('queue redrive', () => {
  test('asks first, moves all messages back, and reports its progress', async () => {
    await addDeadLetters('first', 3);
    await addDeadLetters('slow', 1);
    script = [
      { status: 'COMPLETED', moved: 7, toMove: 7 },
      { status: 'RUNNING', moved: 1, toMove: 3 },
      { status: 'COMPLETED', moved: 3, toMove: 3 },
    ];
    // The first answer is about an earlier move. StartedTimestamp counts the moves that were started.
    const output = await ops('queue', 'redrive', 'first');
    await Promise.all(moving);
    expect(output).toEqual({
      questions:
        'Stage prod: move about 3 messages from the dead-letter queue of "first" back to its queue? They will be tried again.',
      out: 'Moved 3 messages back to the queue "first". Messages that fail again return to the dead-letter queue.\n',
      err: 'SQS moves the messages in the background. If you leave this command, the move goes on.\nMoved 1 of about 3 messages.\n',
    });
    expect(startedSources).toEqual([expect.stringMatching(new RegExp(`:${world.table.name}-first-dlq$`))]);
    expect(await readRecords()).toEqual([
      'null amaka asked for the redrive of the dead letters of the queue "first"',
      'null amaka the redrive of the dead letters of the queue "first" moved 3 messages',
    ]);
    expect(await world.takeJobs('first')).toHaveLength(3);
    expect([await countDeadLetters('first'), await countDeadLetters('slow')]).toEqual([0, 1]);
  });

  test('prints only the result with --json and --yes', async () => {
    await addDeadLetters('retry', 2);
    script = [EARLIER, { status: 'COMPLETED', moved: 2 }];
    const output = await ops('queue', 'redrive', 'retry', '--json', '--yes');
    expect(output).toEqual({ questions: '', out: '{"queue":"retry","moved":2}\n', err: '' });
    await Promise.all(moving);
  });

  test('starts no move for an empty queue', async () => {
    const { out } = await ops('queue', 'redrive', 'slow', '--yes');
    expect(out).toBe('The dead-letter queue of "slow" holds no message that can be moved.\n');
    expect(startedSources).toEqual([]);
    expect(await readRecords()).toEqual([]);
  });

  test('moves nothing if the move cannot be recorded first', async () => {
    await addDeadLetters('retry', 1);
    const record = () => Promise.reject(new Error('The table does not answer.'));
    const move = redriveQueue({ deadLetters, sleep: async () => {}, record }, 'retry', () => {});
    await expect(move).rejects.toThrow('The table does not answer.');
    expect(startedSources).toEqual([]);
  });

  test('follows a move that is already running, and starts no second move', async () => {
    await addDeadLetters('retry', 1);
    script = [
      { status: 'RUNNING', moved: 100 },
      { status: 'RUNNING', moved: 200 },
      { status: 'CANCELLING', moved: 200 },
      { status: 'COMPLETED', moved: 300 },
    ];
    expect(await redrive()).toMatchObject({ moved: 300, reported: [expect.any(String), 'Moved 200 messages so far.'] });
    expect(startedSources).toEqual([]);
  });

  test('ignores an earlier move that SQS still shows', async () => {
    await addDeadLetters('retry', 1);
    const shown = [9, 9, 9, 1].map((moved, n) => ({ state: 'completed', startedAt: n < 3 ? 1 : 2, moved }) as const);
    const latestMove = async () => {
      const { state, startedAt, moved } = shown.shift() ?? { state: 'failed', startedAt: 3, moved: 0 };
      return { state, startedAt, moved, toMove: null, failure: null };
    };
    const deps = { deadLetters: { ...deadLetters, latestMove }, sleep: async () => {}, record: async () => {} };
    expect(await redriveQueue(deps, 'retry', () => {})).toEqual({ moved: 1 });
    await Promise.all(moving);
  });

  test.each([
    ['FAILED', 'The move failed after 5 messages. SQS says: CouldNotDetermineMessageSource.'],
    ['CANCELLED', 'The move was cancelled after 5 messages.'],
  ])('fails if the move ends as %s', async (status, message) => {
    await addDeadLetters('retry', 1);
    const failure = status === 'FAILED' && { failure: 'CouldNotDetermineMessageSource' };
    script = [EARLIER, { status, moved: 5, ...failure }];
    await expect(redrive()).rejects.toThrow(message);
    await Promise.all(moving);
  });

  test('records that a redrive failed, with the reason', async () => {
    await addDeadLetters('retry', 1);
    script = [EARLIER, { status: 'CANCELLED', moved: 5 }];
    await expect(ops('queue', 'redrive', 'retry', '--yes')).rejects.toThrow('was cancelled');
    await Promise.all(moving);
    expect(await readRecords()).toEqual([
      'null amaka asked for the redrive of the dead letters of the queue "retry"',
      'null amaka the redrive of the dead letters of the queue "retry" failed: The move was cancelled after 5 messages. Move the rest with another redrive.',
    ]);
  });

  test('fails, and does not wait forever, if SQS never shows the move', async () => {
    await addDeadLetters('retry', 1);
    await expect(redrive()).rejects.toThrow('Look at the queue in the AWS console.');
    await Promise.all(moving);
  });
});
