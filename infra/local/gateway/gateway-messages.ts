import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Answer } from './answer.ts';
import type { HttpRequest } from './request.ts';
import type { RoutedFunction } from './routes.ts';

/* What the gateway's thread and the functions' thread tell each other. All of it is plain data. */

/** A request as the functions' thread gets it. */
export type GatewayCall =
  | { readonly kind: 'function'; readonly name: string; readonly event: APIGatewayProxyEventV2 }
  /** For a page of the local gateway's own. */
  | { readonly kind: 'local'; readonly request: HttpRequest };

/** What the gateway says. An id belongs to one request and its answer. */
export type FromGateway =
  | { readonly kind: 'listening'; readonly baseUrl: string }
  | { readonly kind: 'cannot_listen'; readonly reason: string }
  | { readonly kind: 'asked'; readonly id: number; readonly call: GatewayCall };

/** What the gateway is told. */
export type ToGateway =
  | { readonly kind: 'serve'; readonly functions: readonly RoutedFunction[]; readonly concurrency: number }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answer }
  | { readonly kind: 'stop' };

/** What the gateway's thread needs at its start. */
export interface GatewayAddress {
  readonly host: string;
  readonly port: number;
}
