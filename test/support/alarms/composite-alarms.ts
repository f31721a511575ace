import { type AlarmProperties, listAlarms, listResources, type Template } from './watch-template.ts';

/** A composite alarm as CloudFormation gets it. */
export interface CompositeProperties {
  readonly AlarmName: string;
  readonly AlarmDescription: string;
  readonly AlarmRule: string;
  readonly AlarmActions?: unknown;
  readonly OKActions?: unknown;
  readonly ActionsSuppressor?: { readonly 'Fn::GetAtt': readonly [id: string, attribute: string] };
  readonly ActionsSuppressorWaitPeriod?: number;
  readonly ActionsSuppressorExtensionPeriod?: number;
}

/** Finds the composite alarms of a template, by their logical ids. */
export const findComposites = (template: Template): ReadonlyMap<string, CompositeProperties> =>
  new Map(
    Object.entries(template)
      .filter(([, { Type }]) => Type === 'AWS::CloudWatch::CompositeAlarm')
      .map(([id, { Properties }]) => [id, Properties]),
  );

/** Lists the names of the alarms in a rule. */
export const listChildren = ({ AlarmRule }: CompositeProperties): string[] =>
  [...AlarmRule.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name);

/** Counts the red alarms that make a rule true. It reads the two forms that our rules have. @throws Error for any other form. */
const countNeeded = (rule: string): number => {
  const atLeast = /^AT_LEAST\((\d+), ALARM, \("[\w-]+"(?:, "[\w-]+")*\)\)$/.exec(rule);
  if (atLeast) return Number(atLeast[1]);
  if (/^ALARM\("[\w-]+"\)(?: OR ALARM\("[\w-]+"\))*$/.test(rule)) return 1;
  throw new Error(`This test cannot read the rule ${rule}.`);
};

const notifies = ({ AlarmActions }: { readonly AlarmActions?: unknown }): boolean =>
  Array.isArray(AlarmActions) && AlarmActions.length > 0;

/**
 * Lists the alarms that call people while these alarms are red: alarms with actions of their own, and composite alarms whose suppressor is
 * not red. It assumes that all become red within the time that a composite alarm waits for its suppressor.
 */
export const listPagingAlarms = (template: Template, isRed: (alarm: AlarmProperties) => boolean): string[] => {
  const red = listAlarms(template).filter(isRed);
  const names = new Set(red.map(({ AlarmName }) => AlarmName));
  const isOn = (composite: CompositeProperties): boolean =>
    listChildren(composite).filter((name) => names.has(name)).length >= countNeeded(composite.AlarmRule);
  const composites = findComposites(template);
  const isSuppressed = ({ ActionsSuppressor }: CompositeProperties): boolean => {
    const suppressor = composites.get(ActionsSuppressor?.['Fn::GetAtt'][0] ?? '');
    return suppressor !== undefined && isOn(suppressor);
  };
  return [
    ...red.filter(notifies),
    ...[...composites.values()].filter(
      (composite) => notifies(composite) && isOn(composite) && !isSuppressed(composite),
    ),
  ].map(({ AlarmName }) => AlarmName);
};

/** Lists the ids of all alarms, whose states a dashboard shows. */
export const listAlarmIds = (template: Template): string[] =>
  ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::CompositeAlarm'].flatMap((type) =>
    listResources(template, type).flatMap((resource) =>
      Object.keys(template).filter((id) => template[id] === resource),
    ),
  );
