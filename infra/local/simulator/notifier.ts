import { request } from 'node:http';
import { request as requestHttps } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import type { Kobo } from '#shared/providers/common/simulator/money.ts';
import type { Notification } from '#shared/providers/common/simulator/provider.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { Faults } from './faults.ts';

const TIMEOUT_MS = 5_000;
/** The amount by which the fault `wrong_amount` is too high. */
const EXTRA_AMOUNT: Kobo = 10_000;

/** Posts a body once. It never retries, regardless of the answer. */
const post = (url: string, headers: Record<string, string>, body: string): Promise<void> =>
  new Promise((resolve) => {
    const outgoing = (url.startsWith('https:') ? requestHttps : request)(url, {
      method: 'POST',
      agent: false,
      timeout: TIMEOUT_MS,
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
    });
    outgoing.on('response', (incoming) => incoming.resume());
    outgoing.on('timeout', () => outgoing.destroy());
    outgoing.on('error', () => resolve());
    outgoing.on('close', () => resolve());
    outgoing.end(body);
  });

/** Sends signed notifications over HTTP, once each, and applies faults to them. */
export const newNotifier = (faults: Faults) => {
  /** The notification address that the merchant has set in each provider's dashboard. Null: all notifications are lost. Undefined: no address is set. */
  const targets: Partial<Record<ProviderName, string | null>> = {};
  const diversions: Partial<Record<ProviderName, string | null>> = {};
  const underWay = new Set<Promise<void>>();
  let heldBack: (() => Promise<void>)[] = [];

  const track = (work: Promise<void>): Promise<void> => {
    const tracked = work.finally(() => underWay.delete(tracked));
    underWay.add(tracked);
    return tracked;
  };
  const deliver = (provider: ProviderName, notification: Notification, flaw?: string): Promise<void> => {
    const target = targets[provider];
    const address = target === null || notification.url === undefined ? target : notification.url;
    if (address === null || address === undefined) return Promise.resolve();
    const url = diversions[provider] ?? address;
    const body = notification.body(flaw === 'wrong_amount' ? EXTRA_AMOUNT : 0);
    const secret = flaw === 'wrong_signature' ? `not-${notification.secret}` : notification.secret;
    return post(url, notification.headers(body, secret), body);
  };
  const releaseHeld = async (): Promise<void> => {
    const released = heldBack;
    heldBack = [];
    for (const send of released) await send();
  };
  const send = async (provider: ProviderName, notification: Notification): Promise<void> => {
    const fault = faults.takeNotificationFault(provider);
    if (fault?.kind === 'lost') return;
    if (fault?.kind === 'reordered') {
      heldBack.push(() => deliver(provider, notification));
      return;
    }
    if (fault?.kind === 'delayed') await wait(fault.ms);
    await deliver(provider, notification, fault?.kind);
    if (fault?.kind === 'duplicated') await deliver(provider, notification);
    await releaseHeld();
  };

  return {
    /** Sets the address for notifications without their own address; null: all notifications are lost. */
    target: (provider: ProviderName, url: string | null): void => {
      targets[provider] = url;
    },
    /** Sends all of a provider's notifications to another address; null ends the diversion. */
    divert: (provider: ProviderName, url: string | null): void => {
      diversions[provider] = url;
    },
    /** Sends a notification, with the next fault if there is one. Resolves when it is sent, lost or held back. */
    send: (provider: ProviderName, notification: Notification): Promise<void> => track(send(provider, notification)),
    /** Sends a notification without faults. */
    resend: (provider: ProviderName, notification: Notification): Promise<void> =>
      track(deliver(provider, notification)),
    /** Resolves when every notification is sent. Notifications that a fault holds back are sent last. */
    settled: async (): Promise<void> => {
      while (underWay.size > 0 || heldBack.length > 0) {
        await Promise.all(underWay);
        await track(releaseHeld());
      }
    },
  };
};

/** Sends a simulator's notifications. */
export type Notifier = ReturnType<typeof newNotifier>;
