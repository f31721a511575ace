import { type Command, Option } from 'commander';
import type { Stage } from '#infra/ops/connect.ts';
import { readEventTypes } from '#infra/ops/event-types.ts';
import { findEndpoint } from '#infra/ops/find.ts';
import { OperatorError } from '#infra/ops/operator-error.ts';
import { graceOption } from '#infra/ops/options.ts';
import { type Answer, COMMAND, examples, paragraphs } from '#infra/ops/output.ts';
import { recordFirst } from '#infra/ops/record.ts';
import type { Question, Run } from '#infra/ops/run.ts';
import { commit } from '#shared/platform/commit.ts';
import { isoMicros, type Millis, SECOND } from '#shared/platform/kernel/time.ts';
import { endpointView } from '#shared/webhooks/contract/endpoint-view.ts';
import { eventView } from '#shared/webhooks/contract/event-view.ts';
import { ensureEnabled } from '#shared/webhooks/domain/endpoint.ts';
import { type EventType, eventType } from '#shared/webhooks/domain/event.ts';
import type { EndpointWithSecret } from '#shared/webhooks/use-cases/create-webhook-endpoint.ts';
import { deleteWebhookEndpoint } from '#shared/webhooks/use-cases/delete-webhook-endpoint.ts';
import { rotateWebhookSecret } from '#shared/webhooks/use-cases/rotate-webhook-secret.ts';
import { sealSecrets } from '#shared/webhooks/use-cases/seal-secrets.ts';
import { ensureExampleAllowed, TEST, testWebhookEndpoint } from '#shared/webhooks/use-cases/test-webhook-endpoint.ts';
import {
  updateWebhookEndpoint,
  type WebhookEndpointUpdate,
} from '#shared/webhooks/use-cases/update-webhook-endpoint.ts';
import { endpointState } from './endpoint-health.ts';
import { ENDPOINT } from './example-ids.ts';

const SHOWN_ONCE =
  'The secret is shown only this once. Store it now, where your receiver checks the signatures of webhooks.';

/** Makes the answer that shows an endpoint's new secret in clear text. `first` says what happened. */
export const withSecret = (
  { endpoint, secret }: EndpointWithSecret,
  first: string,
  ...more: readonly string[]
): Answer => ({
  json: { endpoint: { ...endpointView(endpoint), secret } },
  text: paragraphs(first, `  ${secret}`, SHOWN_ONCE, ...more),
});

interface Update {
  readonly url?: string;
  readonly events?: string;
}

const change = async (stage: Stage, id: string, update: WebhookEndpointUpdate): Promise<Answer> => {
  const endpoint = await updateWebhookEndpoint(
    stage,
    await findEndpoint(stage, id),
    id,
    update,
    await stage.operator(),
  );
  return {
    json: { endpoint: endpointView(endpoint) },
    text: `The ${endpoint.mode} webhook endpoint ${endpoint.id} (${endpoint.url}) is ${endpointState(endpoint)} and gets the events ${endpoint.events.join(', ')}.`,
  };
};

const update = async (stage: Stage, id: string, { url, events }: Update): Promise<Answer> => {
  if (url === undefined && events === undefined) {
    throw new OperatorError('Give what to change: --url, --events, or both.');
  }
  const types = events === undefined ? null : readEventTypes(events);
  return change(stage, id, { url: url?.trim() ?? null, events: types, enabled: null });
};

const setEnabled = (stage: Stage, id: string, enabled: boolean): Promise<Answer> =>
  change(stage, id, { url: null, events: null, enabled });

const rotate = async (stage: Stage, endpointId: string, grace: Millis): Promise<Answer> => {
  const endpoint = await findEndpoint(stage, endpointId);
  const input = { id: endpointId, graceSeconds: Math.floor(grace / SECOND) };
  const rotated = await rotateWebhookSecret(stage, endpoint, input, await stage.operator());
  const [, old] = rotated.endpoint.secrets;
  const until = old?.until ?? null;
  return withSecret(
    rotated,
    `The new secret of ${endpointId}:`,
    until === null
      ? 'The old secret no longer signs webhooks.'
      : `The old secret signs webhooks too, until ${isoMicros(until)}.`,
  );
};

const remove = async (stage: Stage, endpointId: string): Promise<Answer> => {
  const existing = await findEndpoint(stage, endpointId);
  const endpoint = await deleteWebhookEndpoint(stage, existing, endpointId, await stage.operator());
  return {
    json: { endpoint: endpointView(endpoint) },
    text: `Deleted the ${endpoint.mode} webhook endpoint ${endpointId}. Its waiting deliveries are cancelled.`,
  };
};

const test = async (stage: Stage, id: string, type: EventType | null): Promise<Answer> => {
  const endpoint = ensureEnabled(await findEndpoint(stage, id), id);
  const { businessId, mode } = endpoint;
  ensureExampleAllowed(mode, type ?? TEST);
  const eventText = type === null || type === TEST ? 'a test event' : `an example of ${type}`;
  await recordFirst(stage, businessId, `asked to send ${eventText} to the ${mode} webhook endpoint ${id}`);
  const event = await commit(stage, () => testWebhookEndpoint(stage, endpoint, { id, type }));
  return {
    json: { event: eventView(event) },
    text: `The ${type === null ? 'test event' : `example of ${event.type}`} ${event.id} is on its way. See its delivery with: ${COMMAND} event show ${event.id}`,
  };
};

const seal = async (stage: Stage): Promise<Answer> => {
  const report = await sealSecrets(stage, await stage.operator());
  const { endpoints, sealed, unreadable } = report;
  return {
    json: { ...report },
    text: paragraphs(
      `Encrypted the secrets of ${sealed} of ${endpoints} webhook endpoints with the stage's current key. The other secrets were already encrypted with it.`,
    ),
    ...(unreadable.length > 0 && {
      failure: `Secrets of these endpoints cannot be decrypted, so nothing is delivered to them: ${unreadable.join(', ')}. If you still have the key that encrypted them, set it as previousKey and run the command again. Otherwise give each endpoint a new secret with "endpoint rotate", and hand it to its merchant.`,
    }),
  };
};

const describeEndpoint = async (stage: Stage, id: string): Promise<string> => {
  const { mode, businessId, url } = await findEndpoint(stage, id);
  return `the ${mode} webhook endpoint ${id} of business ${businessId} (${url})`;
};

/** `endpoint update | enable | disable | rotate | seal | delete | test`. */
export const addEndpointChanges = (group: Command, run: Run): void => {
  const addCommand = (name: string, description: string, ...samples: readonly string[]) =>
    group
      .command(name)
      .description(description)
      .argument('<endpoint>', 'the id of the endpoint')
      .addHelpText('after', examples(`endpoint ${name} ${ENDPOINT}`, ...samples));
  /** Makes the question before a command: verb, endpoint, and the rest of the sentence. */
  const askTo =
    (verb: string, id: string, rest: string): Question =>
    async (stage) =>
      `${verb} ${await describeEndpoint(stage, id)}${rest}?`;

  group
    .command('update')
    .description('changes the URL or the events of a webhook endpoint')
    .argument('<endpoint>', 'the id of the endpoint')
    .option('--url <url>', 'the new URL, for waiting deliveries too')
    .option('--events <types>', 'event types, separated by commas, or * for all')
    .addHelpText('after', examples(`endpoint update ${ENDPOINT} --url https://ada.example/new`))
    .action((id: string, options: Update, command: Command) =>
      run(command, (stage) => update(stage, id, options), askTo('change', id, '')),
    );
  addCommand(
    'enable',
    'switches a webhook endpoint on again; parked deliveries are sent step by step, as after an outage',
  ).action((id: string, _options: unknown, command: Command) => run(command, (stage) => setEnabled(stage, id, true)));
  addCommand('disable', 'switches a webhook endpoint off; its deliveries are parked for up to 30 days').action(
    (id: string, _options: unknown, command: Command) =>
      run(command, (stage) => setEnabled(stage, id, false), askTo('switch off', id, '')),
  );
  addCommand(
    'rotate',
    'gives a webhook endpoint a new secret, which is shown only this once',
    `endpoint rotate ${ENDPOINT} --grace 0`,
  )
    .addOption(graceOption('how long the old secret still signs webhooks: 0, 90s, 30m, 24h, at most 7d'))
    .action((id: string, { grace }: { grace: Millis }, command: Command) =>
      run(
        command,
        (stage) => rotate(stage, id, grace),
        grace === 0 ? askTo('end the secret of', id, ' at once') : undefined,
      ),
    );
  group
    .command('seal')
    .description("encrypts every webhook secret with the stage's current key, after a rotation of that key")
    .addHelpText('after', examples('endpoint seal'))
    .action((_options: unknown, command: Command) => run(command, seal));
  addCommand('delete', 'deletes a webhook endpoint and cancels its waiting deliveries').action(
    (id: string, _options: unknown, command: Command) =>
      run(command, (stage) => remove(stage, id), askTo('delete', id, ', for good')),
  );
  addCommand(
    'test',
    'sends a test event to a webhook endpoint, even while it is failing',
    `endpoint test ${ENDPOINT} --type checkout.paid`,
  )
    .addOption(
      new Option('--type <type>', 'in test mode, sends an example of this event type instead').choices(
        eventType.options,
      ),
    )
    .action((id: string, { type }: { type?: EventType }, command: Command) =>
      run(command, (stage) => test(stage, id, type ?? null)),
    );
};
