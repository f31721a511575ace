import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Answer } from './answer.ts';
import type { HttpRequest } from './request.ts';
import type { RoutedFunction } from './routes.ts';

/* Messages between the gateway's thread and the functions' thread. They are plain data, which threads can exchange. */

/** A request for the functions' thread. */
export type GatewayCall =
  | { readonly kind: 'function'; readonly name: string; readonly event: APIGatewayProxyEventV2 }
  /** A request for one of the local gateway's own pages. */
  | { readonly kind: 'local'; readonly request: HttpRequest };

/** Messages from the gateway. An id belongs to one request and its answer. */
export type FromGateway =
  | { readonly kind: 'listening'; readonly baseUrl: string }
  | { readonly kind: 'cannot_listen'; readonly reason: string }
  | { readonly kind: 'asked'; readonly id: number; readonly call: GatewayCall };

/** Messages to the gateway. */
export type ToGateway =
  | { readonly kind: 'serve'; readonly functions: readonly RoutedFunction[]; readonly concurrency: number }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answer }
  | { readonly kind: 'stop' };

/** The address on which the gateway's thread listens. */
export interface GatewayAddress {
  readonly host: string;
  readonly port: number;
}
