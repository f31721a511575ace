import type { AlarmSpec } from './alarm-specs.ts';
import type { ServiceEntry } from './entry.ts';
import { ofService, type Series } from './series.ts';
import { SERVICE_ENTRIES } from './service-entries.ts';
import type { Watched } from './watched.ts';

const all = Object.entries<ServiceEntry>(SERVICE_ENTRIES) as [keyof typeof SERVICE_ENTRIES, ServiceEntry][];

const seriesOf = (stage: string, { metric, statistic }: ServiceEntry): Series => ofService(stage, metric, statistic);

/** Alarms on what our functions measure themselves (service-entries.ts). */
export const serviceAlarms = ({ stage }: Watched): AlarmSpec[] =>
  all.map(([entry, spec]) => ({ entry, impact: spec.impact, series: seriesOf(stage, spec) }));

/** The lines that these alarms add to a graph of the dashboard. */
export const linesOf = ({ stage }: Watched, graph: string): Readonly<Record<string, Series>> =>
  Object.fromEntries(
    all.flatMap(([, spec]) => (spec.shown?.graph === graph ? [[spec.shown.line, seriesOf(stage, spec)]] : [])),
  );
