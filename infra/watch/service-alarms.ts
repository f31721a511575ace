import type { AlarmSpec } from './alarm-specs.ts';
import type { ServiceEntry } from './entry.ts';
import { type Series, serviceSeries } from './series.ts';
import { SERVICE_ENTRIES } from './service-entries.ts';
import type { WatchedStage } from './watched.ts';

const serviceEntries = Object.entries<ServiceEntry>(SERVICE_ENTRIES) as [keyof typeof SERVICE_ENTRIES, ServiceEntry][];

const readSeries = (stage: string, { metric, statistic }: ServiceEntry): Series =>
  serviceSeries(stage, metric, statistic);

/** Lists the alarms on metrics of our functions (service-entries.ts). */
export const serviceAlarms = ({ stage }: WatchedStage): AlarmSpec[] =>
  serviceEntries.map(([entry, spec]) => ({ entry, impact: spec.impact, series: readSeries(stage, spec) }));

/** Lists the lines that these alarms add to the dashboard's graph with the title `graph`. */
export const listGraphLines = ({ stage }: WatchedStage, graph: string): Readonly<Record<string, Series>> =>
  Object.fromEntries(
    serviceEntries.flatMap(([, spec]) =>
      spec.graphLine?.graph === graph ? [[spec.graphLine.line, readSeries(stage, spec)]] : [],
    ),
  );
