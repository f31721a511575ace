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
 * A line of the access log. No path, query string or headers, since those may hold personal data. API Gateway does not know our error
 * codes: `error` and `integration_error` are its own, and `request_answered` has ours under the same request id.
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

/** The name of the API's only stage: it adds no segment to the base URL. */
const DEFAULT_STAGE = '$default';

/** What CloudFormation calls the settings of one route. */
interface RouteSettings {
  readonly ThrottlingRateLimit: number;
  readonly ThrottlingBurstLimit: number;
  readonly DetailedMetricsEnabled: boolean;
}

const throttledTo = ({ rate, burst }: Limit): RouteSettings => ({
  ThrottlingRateLimit: rate,
  ThrottlingBurstLimit: burst,
  // Settings of a route take the place of the stage's own, this one among them.
  DetailedMetricsEnabled: false,
});

/** A route of the manifest, as CDK writes it. */
const toRouteKey = (route: string): HttpRouteKey => {
  if (route === '$default') return HttpRouteKey.DEFAULT;
  const [method = '', path = ''] = route.split(' ');
  return HttpRouteKey.with(path, method as HttpMethod);
};

/** A function that answers requests: of the same stack, or known by its name. */
export interface RoutedFunction {
  readonly spec: FunctionSpec;
  readonly lambda: IFunction;
}

/** The HTTP API of a stage, over IPv4 and IPv6: one route and one integration for each function that answers requests. */
export class PublicApi extends Construct {
  readonly api: HttpApi;
  readonly stage: HttpStage;
  readonly accessLogs: LogGroup;
  /** Without a slash at its end. */
  readonly baseUrl: string;

  constructor(scope: Construct, settings: StageSettings, functions: readonly RoutedFunction[]) {
    super(scope, 'Api');
    this.api = new HttpApi(this, 'HttpApi', {
      apiName: resourceName(settings.stage, 'api'),
      description: `The payments API of stage ${settings.stage}.`,
      ipAddressType: IpAddressType.DUAL_STACK,
      createDefaultStage: false,
      // Under its own name only, so that nobody comes to depend on the other.
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
        routeSettings[route] = throttledTo(throttle);
      }
    }
    this.accessLogs = new LogGroup(this, 'AccessLogs', {
      logGroupName: accessLogName(settings.stage),
      retention: settings.logRetentionDays,
      removalPolicy: toRemovalPolicy(settings),
    });
    const domain = settings.domain && this.#domain(settings.domain);
    this.stage = new HttpStage(this, 'Stage', {
      httpApi: this.api,
      stageName: DEFAULT_STAGE,
      autoDeploy: true,
      throttle: { rateLimit: settings.throttle.rate, burstLimit: settings.throttle.burst },
      // Metrics of each route cost money, and no alarm and no graph uses them: the access log names the route.
      detailedMetricsEnabled: false,
      accessLogSettings: {
        destination: new LogGroupLogDestination(this.accessLogs),
        format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)),
      },
      ...(domain ? { domainMapping: { domainName: domain } } : {}),
    });
    // CDK has no property for settings of a route. API Gateway refuses them before the route is there.
    (this.stage.node.defaultChild as CfnStage).routeSettings = routeSettings;
    this.stage.node.addDependency(...dependencies);
    this.baseUrl = settings.domain ? `https://${settings.domain.name}` : this.api.apiEndpoint;
  }

  /** The API's own name. Its record in the DNS is the operator's: it leads to what the output `DomainTarget` says. */
  #domain({ name, certificateArn }: NonNullable<StageSettings['domain']>): DomainName {
    const domain = new DomainName(this, 'Domain', {
      domainName: name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      ipAddressType: IpAddressType.DUAL_STACK,
    });
    new CfnOutput(this, 'DomainTarget', {
      description: 'Where the CNAME record of the domain must lead.',
      value: domain.regionalDomainName,
    }).overrideLogicalId('DomainTarget');
    return domain;
  }
}
