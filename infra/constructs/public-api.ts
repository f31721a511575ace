import { CfnOutput, Duration } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  type CfnStage,
  CorsHttpMethod,
  DomainName,
  HttpApi,
  type HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  IpAddressType,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { CORS } from '#infra/cors.ts';
import { type FunctionSpec, listRoutes, listSessionRoutes } from '#infra/function-spec.ts';
import { accessLogName, resourceName } from './names.ts';
import { toRemovalPolicy } from './payments-table.ts';
import { type Limit, throttledRoutes } from './route-throttles.ts';
import type { StageSettings } from './stage-settings.ts';

/**
 * A line of the access log. It has no path, query string or headers, because those may contain personal data. `error` and
 * `integration_error` are API Gateway's own. Our error codes are in the function's log, in the line `request_answered` with the same request
 * id.
 */
export const ACCESS_LOG = {
  time: '$context.requestTime',
  request_id: '$context.requestId',
  source_ip: '$context.identity.sourceIp',
  route: '$context.routeKey',
  status: '$context.status',
  milliseconds: '$context.responseLatency',
  integration_milliseconds: '$context.integrationLatency',
  bytes: '$context.responseLength',
  error: '$context.error.responseType',
  integration_error: '$context.integration.error',
};

/** The name of API Gateway's only stage. With this name the base URL has no extra segment. */
const DEFAULT_STAGE = '$default';

/** The settings of one route, with CloudFormation's names. */
interface RouteSettings {
  readonly ThrottlingRateLimit: number;
  readonly ThrottlingBurstLimit: number;
  readonly DetailedMetricsEnabled: boolean;
}

const toRouteSettings = ({ rate, burst }: Limit): RouteSettings => ({
  ThrottlingRateLimit: rate,
  ThrottlingBurstLimit: burst,
  // Settings of a route replace all settings of the gateway's stage, so the stage's value is repeated here.
  DetailedMetricsEnabled: false,
});

/** Converts a route of the manifest to CDK's route key. */
const toRouteKey = (route: string): HttpRouteKey => {
  if (route === '$default') return HttpRouteKey.DEFAULT;
  const [method = '', path = ''] = route.split(' ');
  return HttpRouteKey.with(path, method as HttpMethod);
};

/** A function that answers requests. It belongs to the same CDK stack, or is referred to by name. */
export interface RoutedFunction {
  readonly spec: FunctionSpec;
  readonly lambda: IFunction;
}

/** The HTTP API of a stage, over IPv4 and IPv6. Each function that answers requests has one integration, and a route for each of its paths. */
export class PublicApi extends Construct {
  readonly api: HttpApi;
  readonly stage: HttpStage;
  readonly accessLogs: LogGroup;
  /** The public address, without a slash at the end. */
  readonly baseUrl: string;

  constructor(scope: Construct, settings: StageSettings, functions: readonly RoutedFunction[]) {
    super(scope, 'Api');
    this.api = new HttpApi(this, 'HttpApi', {
      apiName: resourceName(settings.stage, 'api'),
      description: `The payments API of stage ${settings.stage}.`,
      ipAddressType: IpAddressType.DUAL_STACK,
      createDefaultStage: false,
      // If the API has its own domain, AWS's address is switched off, so that no caller can depend on it.
      disableExecuteApiEndpoint: settings.domain !== undefined,
      corsPreflight: {
        allowOrigins: [CORS.allowOrigin],
        allowHeaders: [...CORS.allowHeaders],
        allowMethods: CORS.allowMethods.map((method) => CorsHttpMethod[method]),
        exposeHeaders: [...CORS.exposeHeaders],
        maxAge: Duration.seconds(CORS.maxAgeSeconds),
      },
    });
    const throttles = new Map(throttledRoutes(settings).map((limit) => [limit.route, limit]));
    const dependencies: HttpRoute[] = [];
    const routeSettings: Record<string, RouteSettings> = {};
    for (const { spec, lambda } of functions) {
      const integration = new HttpLambdaIntegration(`${spec.name}-integration`, lambda);
      const sessionRoutes = settings.mail ? listSessionRoutes(spec.trigger) : [];
      for (const [i, route] of [...listRoutes(spec.trigger), ...sessionRoutes].entries()) {
        const routeKey = toRouteKey(route);
        const httpRoute = new HttpRoute(this, `${spec.name}-route${i || ''}`, {
          httpApi: this.api,
          routeKey,
          integration,
        });
        const throttle = throttles.get(route);
        if (!throttle) continue;
        dependencies.push(httpRoute);
        routeSettings[route] = toRouteSettings(throttle);
      }
    }
    this.accessLogs = new LogGroup(this, 'AccessLogs', {
      logGroupName: accessLogName(settings.stage),
      retention: settings.logRetentionDays,
      removalPolicy: toRemovalPolicy(settings),
    });
    const domain = settings.domain && this.#addDomain(settings.domain);
    this.stage = new HttpStage(this, 'Stage', {
      httpApi: this.api,
      stageName: DEFAULT_STAGE,
      autoDeploy: true,
      throttle: { rateLimit: settings.throttle.rate, burstLimit: settings.throttle.burst },
      // Metrics for each route cost money and nothing uses them: the access log has the route.
      detailedMetricsEnabled: false,
      accessLogSettings: {
        destination: new LogGroupLogDestination(this.accessLogs),
        format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)),
      },
      ...(domain ? { domainMapping: { domainName: domain } } : {}),
    });
    // CDK has no property for settings of a route, so CloudFormation's is used. API Gateway rejects settings of a route that does not exist
    // yet, so the stage depends on the routes.
    (this.stage.node.defaultChild as CfnStage).routeSettings = routeSettings;
    this.stage.node.addDependency(...dependencies);
    this.baseUrl = settings.domain ? `https://${settings.domain.name}` : this.api.apiEndpoint;
  }

  /** Adds the API's own domain. The operator creates the domain's DNS record. It must point to the output `DomainTarget`. */
  #addDomain({ name, certificateArn }: NonNullable<StageSettings['domain']>): DomainName {
    const domain = new DomainName(this, 'Domain', {
      domainName: name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      ipAddressType: IpAddressType.DUAL_STACK,
    });
    new CfnOutput(this, 'DomainTarget', {
      description: 'The CNAME record of the domain must point to this name.',
      value: domain.regionalDomainName,
    }).overrideLogicalId('DomainTarget');
    return domain;
  }
}
