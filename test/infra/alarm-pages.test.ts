import { readStageSettings, STAGE_NAMES } from '#infra/config.ts';
import { ENTRIES } from '#infra/watch/entries.ts';
import type { Entry } from '#infra/watch/entry.ts';
import { findComposites, listAlarmIds, listChildren, listPagingAlarms } from '#test/support/alarms/composite-alarms.ts';
import {
  type AlarmProperties,
  DOMAIN,
  listAlarms,
  listResources,
  listStats,
  openTemplateFolder,
  type Template,
} from '#test/support/alarms/watch-template.ts';
import { describeRows } from '#test/support/jest/long.ts';

const folder = openTemplateFolder();
afterAll(folder.remove);

/** Entries whose alarms always notify people by themselves. Each is about certain money or certain businesses. */
const ALONE = Object.entries<Entry>(ENTRIES).flatMap(([name, { area }]) =>
  area === 'alone' && name !== 'unreachable-from-outside' ? name : [],
);
const SERVICES = ['AWS/Lambda', 'AWS/DynamoDB', 'AWS/SQS', 'AWS/ApiGateway'];

const widgetsIn = (template: Template): { readonly title: string; readonly alarms: readonly unknown[] }[] => {
  const [dashboard] = listResources(template, 'AWS::CloudWatch::Dashboard');
  const body = dashboard?.Properties.DashboardBody['Fn::Join'][1]
    .map((part: unknown) => (typeof part === 'string' ? part : 'a-name'))
    .join('');
  return JSON.parse(body)
    .widgets.filter(({ type }: { type: string }) => type === 'alarm')
    .map(({ properties }: { properties: { title: string; alarms: unknown[] } }) => properties);
};

const isQuick = (stage: string): boolean => stage === 'prod';

describeRows('the paging alarms of stage %s', STAGE_NAMES, isQuick, (stage) => {
  const mail = { from: 'payments@example.com' };
  const template = folder.synthesize({ ...readStageSettings(stage), mail, domain: DOMAIN, alarms: undefined });
  const alarms = listAlarms(template);
  const composites = [...findComposites(template).values()];
  const grouped = alarms.filter(({ AlarmActions }) => AlarmActions === undefined);
  const listPagingWhile = (isRed: (alarm: AlarmProperties) => boolean) => listPagingAlarms(template, isRed);
  const isOf = (service: string) => (alarm: AlarmProperties) =>
    listStats(alarm).some(({ Namespace }) => Namespace === service);

  test('notify people once for each alarm that is red alone', () => {
    const called = alarms.map((alarm) => [alarm.AlarmName, listPagingWhile((red) => red === alarm).length]);
    expect(called.filter(([, pages]) => pages !== 1)).toEqual([]);
  });

  test.each(SERVICES)('notify people only once while every alarm on %s is red', (service) => {
    expect(alarms.filter(isOf(service)).length).toBeGreaterThan(0);
    expect(listPagingWhile(isOf(service))).toHaveLength(1);
  });

  test('notify people only once while the region is lost', () => {
    expect(grouped.length).toBeGreaterThan(90);
    expect(listPagingWhile((alarm) => grouped.includes(alarm))).toEqual([`payments-${stage}-several-at-once`]);
  });

  test('leave alarms on money and on single businesses to notify people by themselves', () => {
    const entryOf = ({ AlarmName }: AlarmProperties): string => AlarmName.slice(`payments-${stage}-`.length);
    const alone = alarms.filter((alarm) => !grouped.includes(alarm));
    expect(alone.map(entryOf).sort()).toEqual(ALONE.sort());
    expect(listPagingWhile(() => true).sort()).toEqual(
      [...alone.map(({ AlarmName }) => AlarmName), `payments-${stage}-several-at-once`].sort(),
    );
  });

  test('notify people of an area that is still red some minutes after the alarm on several areas has ended', () => {
    const suppressed = composites.filter(({ ActionsSuppressor }) => ActionsSuppressor !== undefined);
    expect(suppressed).toHaveLength(4);
    for (const page of suppressed) {
      expect(page).toMatchObject({ ActionsSuppressorWaitPeriod: 120, ActionsSuppressorExtensionPeriod: 300 });
    }
  });

  test('have rules that CloudWatch accepts, and are created after the alarms that they combine', () => {
    const idOf = (name: string) =>
      Object.entries(template).find(
        ([, { Type, Properties }]) => Type === 'AWS::CloudWatch::Alarm' && Properties.AlarmName === name,
      )?.[0];
    for (const [id, page] of findComposites(template)) {
      const children = listChildren(page);
      expect(children.length).toBeLessThanOrEqual(100);
      expect(page.AlarmRule.length).toBeLessThanOrEqual(10_240);
      const dependencies = (template[id] as { DependsOn?: string[] }).DependsOn ?? [];
      expect(children.filter((name) => !dependencies.includes(idOf(name) ?? ''))).toEqual([]);
    }
  });

  test('tell their start, their end and a next step', () => {
    const [topic] = Object.keys(template).filter((id) => template[id]?.Type === 'AWS::SNS::Topic');
    for (const page of composites) {
      expect(page).toMatchObject({ AlarmActions: [{ Ref: topic }], OKActions: [{ Ref: topic }] });
      expect(page.AlarmDescription).toMatch(
        /^[A-Z].{20,} Next step: docs\/operating\/runbook\.md#(pages|several-at-once)$/,
      );
      expect(page.AlarmName.startsWith(`payments-${stage}-`)).toBe(true);
    }
  });

  test('are on the dashboard together with all other alarms, at most a hundred in a widget', () => {
    const widgets = widgetsIn(template);
    expect(widgets.reduce((sum, widget) => sum + widget.alarms.length, 0)).toBe(listAlarmIds(template).length);
    for (const { title, alarms: shown } of widgets) expect([title, shown.length <= 100]).toEqual([title, true]);
  });
});
