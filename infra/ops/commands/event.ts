import { type Command, Option } from 'commander';
import * as z from 'zod';
import { inColour } from '#infra/ops/colours.ts';
import type { Stage } from '#infra/ops/connect.ts';
import { readSince } from '#infra/ops/duration.ts';
import { findEvent } from '#infra/ops/find.ts';
import {
  afterOption,
  businessOption,
  formatNextPage,
  modeOption,
  parsePosition,
  sinceOption,
} from '#infra/ops/options.ts';
import { type Answer, columns, examples, fields, listing, paragraphs } from '#infra/ops/output.ts';
import { recordFirst } from '#infra/ops/record.ts';
import type { Run } from '#infra/ops/run.ts';
import { findBusiness } from '#shared/businesses/use-cases/find-business.ts';
import { commit } from '#shared/platform/commit.ts';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import { isoMicros } from '#shared/platform/kernel/time.ts';
import { deliveryStatus } from '#shared/webhooks/contract/delivery-answer.ts';
import { deliveryView } from '#shared/webhooks/contract/delivery-view.ts';
import { eventView } from '#shared/webhooks/contract/event-view.ts';
import type { DeliveryState } from '#shared/webhooks/domain/delivery.ts';
import { type EventType, eventType } from '#shared/webhooks/domain/event.ts';
import { redeliverEvent } from '#shared/webhooks/use-cases/redeliver-event.ts';
import { BUSINESS, ENDPOINT, EVENT } from './example-ids.ts';

type DeliveryView = ReturnType<typeof deliveryView>;
type AttemptView = DeliveryView['attempts'][number];

/**
 * The id of the object in an event's data: `reference` of a checkout, `virtual_account.id` of a payment on a virtual account, `id` of a virtual
 * account or an endpoint.
 */
const subjectIds = z.object({
  reference: z.string().optional(),
  id: z.string().optional(),
  virtual_account: z.object({ id: z.string() }).optional(),
});

interface RedeliverOptions {
  readonly endpoint?: string;
}

const redeliver = async (
  stage: Stage,
  eventId: string,
  { endpoint: endpointId = null }: { endpoint?: string | null },
): Promise<Answer> => {
  const event = await findEvent(stage, eventId);
  const to = endpointId ?? 'all endpoints that got it';
  await recordFirst(stage, event.businessId, `asked to send event ${eventId} again to ${to}`);
  await commit(stage, () => redeliverEvent(stage, event, { eventId, endpointId }));
  const deliveries = ((await stage.events.find(event, eventId))?.deliveries ?? []).map(({ delivery, attempts }) =>
    deliveryView(delivery, attempts),
  );
  return {
    json: { event: { ...eventView(event), deliveries } },
    text: paragraphs(
      `${event.type} ${event.id} is being sent again. Its deliveries:`,
      columns(
        deliveries.map((delivery) => [
          delivery.endpoint_id,
          delivery.status,
          `${delivery.attempts.length} attempts so far`,
        ]),
      ),
    ),
  };
};

const askToRedeliver = async (stage: Stage, eventId: string, { endpoint }: RedeliverOptions): Promise<string> => {
  const { type, businessId, mode } = await findEvent(stage, eventId);
  const to = endpoint ?? 'every endpoint that got it';
  return `send the ${mode} event ${type} of business ${businessId} again, to ${to}?`;
};

const EVENTS_A_PAGE = 50;
const POSITION = /^\d{15}#evt_\w{26}$/;

interface ListOptions {
  readonly business: string;
  readonly mode: Mode;
  readonly type?: EventType;
  readonly deliveryStatus?: DeliveryState;
  readonly since?: string;
  readonly after?: string;
}

/** Finds the id of the object that an event is about; `-` if its data has none. */
const readSubject = ({ data }: Record<string, unknown>): string => {
  const ids = subjectIds.safeParse(data).data ?? {};
  return ids.reference ?? ids.virtual_account?.id ?? ids.id ?? '-';
};

const list = async (stage: Stage, options: ListOptions): Promise<Answer> => {
  const { business: businessId, mode, type = null, deliveryStatus: deliveryState = null, after } = options;
  const filter = { type, deliveryState, since: readSince(options.since, stage.now()), until: null };
  const page = { limit: EVENTS_A_PAGE, after: parsePosition(POSITION, after) };
  await findBusiness(stage, businessId);
  const { items, next } = await stage.events.list({ businessId, mode }, filter, page);
  const events = items.map(eventView);
  const none = next === null ? 'There is no such event. Events are kept for 90 days.' : 'This page has no such event.';
  return {
    json: { events, next },
    text: paragraphs(
      listing(
        ['ID', 'AT', 'TYPE', 'ABOUT'],
        items.map((event, i) => [event.id, isoMicros(event.createdAt), event.type, readSubject(events[i] ?? {})]),
        none,
      ),
      ...formatNextPage('event list', options, next),
    ),
  };
};

const toAttemptRow = ({ number, at, status_code: status, duration_ms: ms, error }: AttemptView): string[] => [
  String(number),
  at,
  status === null ? '-' : String(status),
  `${ms} ms`,
  error ?? '',
];

const formatDelivery = ({ endpoint_id: to, status, attempts, next_attempt_at: next }: DeliveryView): string =>
  paragraphs(
    `To ${to}: ${inColour(status)}${next === null ? '' : `, next attempt ${next}`}`,
    listing(['ATTEMPT', 'AT', 'STATUS', 'TOOK', 'ERROR'], attempts.map(toAttemptRow), '  no attempt yet'),
  );

const show = async (stage: Stage, id: string): Promise<Answer> => {
  const event = await findEvent(stage, id);
  const history = await stage.events.find(event, id);
  const deliveries = (history?.deliveries ?? []).map(({ delivery, attempts }) => deliveryView(delivery, attempts));
  const view = eventView(event);
  return {
    json: { event: { ...view, deliveries } },
    text: paragraphs(
      fields([
        ['event', event.id],
        ['type', event.type],
        ['business', event.businessId],
        ['mode', event.mode],
        ['at', isoMicros(event.createdAt)],
        ['about', readSubject(view)],
      ]),
      ...(deliveries.length === 0 ? ['No endpoint gets this event.'] : deliveries.map(formatDelivery)),
    ),
  };
};

/** `event list | show | redeliver`. */
export const addEventCommands = (program: Command, run: Run): void => {
  const lists = [
    `event list --business ${BUSINESS} --mode live --delivery-status exhausted --since 7d`,
    `event list --business ${BUSINESS} --mode test --type checkout.paid`,
  ];
  const samples = [`event redeliver ${EVENT}`, `event redeliver ${EVENT} --endpoint ${ENDPOINT}`];
  const group = program
    .command('event')
    .description('shows the events that businesses are told of by webhook, and sends them again');
  group.addHelpText('after', examples(...lists, `event show ${EVENT}`, ...samples));
  group
    .command('list')
    .description(`lists the events of a business in one mode, newest first, ${EVENTS_A_PAGE} at a time`)
    .addOption(businessOption())
    .addOption(modeOption())
    .addOption(new Option('--type <type>', 'only events of this type').choices(eventType.options))
    .addOption(
      new Option('--delivery-status <status>', 'only events with a delivery in this status').choices(
        deliveryStatus.options,
      ),
    )
    .addOption(sinceOption())
    .addOption(afterOption())
    .addHelpText('after', examples(...lists))
    .action((options: ListOptions, command: Command) => run(command, (stage) => list(stage, options)));
  group
    .command('show')
    .description('shows an event, its deliveries and their attempts; --json shows its body too')
    .argument('<event>', 'the id of the event')
    .addHelpText('after', examples(`event show ${EVENT}`))
    .action((id: string, _options: unknown, command: Command) => run(command, (stage) => show(stage, id)));
  group
    .command('redeliver')
    .description('sends an event again at once, even while its endpoint is failing')
    .argument('<event>', 'the id of the event')
    .option('--endpoint <id>', 'only to this endpoint, even if it never got the event')
    .addHelpText('after', examples(...samples))
    .action((id: string, options: RedeliverOptions, command: Command) =>
      run(
        command,
        (stage) => redeliver(stage, id, options),
        (stage) => askToRedeliver(stage, id, options),
      ),
    );
};
