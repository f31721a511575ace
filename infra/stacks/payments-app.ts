import { relative } from 'node:path';
import { type App, FileAssetPackaging, Tags, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { ensureDeployable } from '#infra/constructs/deployable.ts';
import { SERVICE, tableName } from '#infra/constructs/names.ts';
import { ensureThrottledRoutesStay } from '#infra/constructs/route-throttles.ts';
import type { StageSettings } from '#infra/constructs/stage-settings.ts';
import { acknowledgeFindings } from './acknowledgements.ts';
import { ApiStack } from './api-stack.ts';
import { DashboardStack } from './dashboard-stack.ts';
import { DataStack } from './data-stack.ts';
import { OutsideStack } from './outside-stack.ts';
import { WatchStack } from './watch-stack.ts';

/** A CDK app with the CDK stacks of a stage. */
export interface PaymentsApp {
  readonly app: App;
  readonly data: DataStack;
  readonly api: ApiStack;
  /** Undefined if the stage cannot send mail. */
  readonly dashboard: DashboardStack | undefined;
  readonly watch: WatchStack;
  /** Undefined if the API has no domain of its own. */
  readonly outside: OutsideStack | undefined;
}

/** The source maps of a release. */
export interface SourceMaps {
  readonly folder: string;
  readonly commit: string;
}

/**
 * Stores source maps in the bucket of `cdk bootstrap`, under their commit. No template refers to the maps, so the next release does not delete
 * them.
 */
const storeSourceMaps = (app: App, api: ApiStack, { folder, commit }: SourceMaps): void => {
  api.synthesizer.addFileAsset({
    fileName: relative(app.outdir, folder),
    packaging: FileAssetPackaging.ZIP_DIRECTORY,
    sourceHash: `source-maps-${commit}`,
  });
};

/**
 * Adds the CDK stacks of a stage to an app. `app.synth()` needs no credentials and makes no calls. It throws if cdk-nag finds something that
 * `acknowledgements.ts` does not accept.
 * @throws Error if the settings do not allow a deployment, or if the routes with throttles differ from infra/throttled-routes.ts.
 */
export const addStage = (
  app: App,
  settings: StageSettings,
  findFolder: (functionName: string) => string,
  maps?: SourceMaps,
): PaymentsApp => {
  ensureDeployable(settings);
  ensureThrottledRoutesStay(settings);
  // CDK stacks refer to each other's resources by name (constructs/known-resources.ts). Other references are weak: resolved at deployment, without an export.
  app.node.setContext('@aws-cdk/core:defaultCrossStackReferences', 'weak');
  const data = new DataStack(app, settings);
  const api = new ApiStack(app, { settings, findFolder });
  const dashboard =
    settings.mail && new DashboardStack(app, { settings: { ...settings, mail: settings.mail }, api, findFolder });
  const watch = new WatchStack(app, {
    settings,
    tableName: settings.restoredTable ?? tableName(settings.stage),
    apiId: api.publicApi.api.apiId,
  });
  const outside = settings.domain && new OutsideStack(app, { settings: { ...settings, domain: settings.domain } });
  // Order of a deployment: data, functions of the dashboard, API with every route, alarms. The alarms need the configuration set of the
  // dashboard's mails.
  api.addStackDependency(data);
  if (dashboard) {
    dashboard.addStackDependency(data);
    api.addStackDependency(dashboard);
    watch.addStackDependency(dashboard);
  }
  watch.addStackDependency(api);
  if (maps && settings.removal === 'retain') storeSourceMaps(app, api, maps);
  Tags.of(app).add('service', SERVICE);
  Tags.of(app).add('stage', settings.stage);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
  acknowledgeFindings({ data, api, dashboard, watch, outside });
  return { app, data, api, dashboard, watch, outside };
};
