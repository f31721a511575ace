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
import type { CreatedEndpoint } from '#shared/webhooks/use-cases/create-webhook-endpoint.ts';
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
  'The secret is shown only this once: store it now, where your receiver checks the signature of what it gets.';

/** A new secret of an endpoint, in clear text; `first` says what happened. */
export const withSecret = (
  { endpoint, secret }: CreatedEndpoint,
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
    text: `The ${endpoint.mode} webhook endpoint ${endpoint.id} is ${endpointState(endpoint)} and gets ${endpoint.events.join(', ')}: ${endpoint.url}`,
  };
};

const update = async (stage: Stage, id: string, { url, events }: Update): Promise<Answer> => {
  if (url === undefined && events === undefined) {
    throw new OperatorError('Say what to change: --url, --events, or both.');
  }
  const types = events === undefined ? null : readEventTypes(events);
  return change(stage, id, { url: url?.trim() ?? null, events: types, enabled: null });
};

const turn = (stage: Stage, id: string, enabled: boolean): Promise<Answer> =>
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
    until === null ? 'The old one no longer signs.' : `The old one signs as well until ${isoMicros(until)}.`,
  );
};

const remove = async (stage: Stage, endpointId: string): Promise<Answer> => {
  const existing = await findEndpoint(stage, endpointId);
  const endpoint = await deleteWebhookEndpoint(stage, existing, endpointId, await stage.operator());
  return {
    json: { endpoint: endpointView(endpoint) },
    text: `Deleted the ${endpoint.mode} webhook endpoint ${endpointId}. What waits for it is cancelled.`,
  };
};

const test = async (stage: Stage, id: string, type: EventType | null): Promise<Answer> => {
  const endpoint = ensureEnabled(await findEndpoint(stage, id), id);
  const { businessId, mode } = endpoint;
  ensureExampleAllowed(mode, type ?? TEST);
  const eventText = type === null || type === TEST ? 'a test event' : `an example of ${type}`;
  await recordFirst(stage, businessId, `asked for ${eventText} to the ${mode} webhook endpoint ${id}`);
  const event = await commit(stage, () => testWebhookEndpoint(stage, endpoint, { id, type }));
  return {
    json: { event: eventView(event) },
    text: `The ${type === null ? 'test event' : `example of ${event.type}`} ${event.id} is on its way. See what became of it: ${COMMAND} event show ${event.id}`,
  };
};

const seal = async (stage: Stage): Promise<Answer> => {
  const done = await sealSecrets(stage, await stage.operator());
  const { endpoints, sealed, unreadable } = done;
  return {
    json: { ...done },
    text: paragraphs(
      `Sealed the secrets of ${sealed} of ${endpoints} webhook endpoints with the stage's current key; the others are sealed with it already.`,
    ),
    ...(unreadable.length > 0 && {
      failure: `A secret of these endpoints cannot be opened, so nothing is delivered to them: ${unreadable.join(', ')}. If the key that they were sealed with is still known, put it as previousKey and run the command again. Otherwise give each a new secret with "endpoint rotate", and hand it to its merchant.`,
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
      .argument('<endpoint>', 'its id')
      .addHelpText('after', examples(`endpoint ${name} ${ENDPOINT}`, ...samples));
  /** A question about the endpoint, as the rest of its sentence. */
  const asks =
    (verb: string, id: string, rest: string): Question =>
    async (stage) =>
      `${verb} ${await describeEndpoint(stage, id)}${rest}?`;

  group
    .command('update')
    .description('changes the URL or the events of a webhook endpoint')
    .argument('<endpoint>', 'its id')
    .option('--url <url>', 'where webhooks are posted to from now on, those that wait as well')
    .option('--events <types>', 'event types, separated by commas, or * for all')
    .addHelpText('after', examples(`endpoint update ${ENDPOINT} --url https://ada.example/new`))
    .action((id: string, options: Update, command: Command) =>
      run(command, (stage) => update(stage, id, options), asks('change', id, '')),
    );
  addCommand(
    'enable',
    'switches a webhook endpoint on again; what was parked follows, paced as after an outage',
  ).action((id: string, _options: unknown, command: Command) => run(command, (stage) => turn(stage, id, true)));
  addCommand('disable', 'switches a webhook endpoint off; what it would get is parked for 30 days').action(
    (id: string, _options: unknown, command: Command) =>
      run(command, (stage) => turn(stage, id, false), asks('switch off', id, '')),
  );
  addCommand(
    'rotate',
    'gives a webhook endpoint a new secret, which is shown only this once',
    `endpoint rotate ${ENDPOINT} --grace 0`,
  )
    .addOption(graceOption('how long the old secret still signs: 0, 90s, 30m, 24h, at most 7d'))
    .action((id: string, { grace }: { grace: Millis }, command: Command) =>
      run(
        command,
        (stage) => rotate(stage, id, grace),
        grace === 0 ? asks('end the secret of', id, ' at once') : undefined,
      ),
    );
  group
    .command('seal')
    .description('encrypts every webhook secret of the stage with its current key, after a rotation of that key')
    .addHelpText('after', examples('endpoint seal'))
    .action((_options: unknown, command: Command) => run(command, seal));
  addCommand('delete', 'deletes a webhook endpoint; what waits for it is cancelled').action(
    (id: string, _options: unknown, command: Command) =>
      run(command, (stage) => remove(stage, id), asks('delete', id, ', for good')),
  );
  addCommand(
    'test',
    'sends a test event to a webhook endpoint, even while it is failing',
    `endpoint test ${ENDPOINT} --type checkout.paid`,
  )
    .addOption(
      new Option('--type <type>', 'an example of this type of event instead, in test mode').choices(eventType.options),
    )
    .action((id: string, { type }: { type?: EventType }, command: Command) =>
      run(command, (stage) => test(stage, id, type ?? null)),
    );
};
