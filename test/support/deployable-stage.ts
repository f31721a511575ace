import { settingsOf } from '#infra/config.ts';
import type { StageSettings } from '#infra/constructs/stage-settings.ts';

/** The settings of a stage once it may be deployed: prod with somebody whom its alarms call. */
export const deployableStage = (stage: string): StageSettings => {
  const settings = settingsOf(stage);
  return stage === 'prod' ? { ...settings, alarms: { email: 'oncall@example.com' } } : settings;
};
