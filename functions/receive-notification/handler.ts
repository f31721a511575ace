import { keylessApi } from '#shared/api/keyless.ts';
import { receiveNotificationDeps } from '#shared/payments/compose.ts';
import { receiveNotificationEnv } from '#shared/payments/env.ts';
import { type ReceiveDeps, receiveNotification } from '#shared/payments/use-cases/receive-notification.ts';
import { readEnv } from '#shared/platform/env.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import { providerName } from '#shared/providers/domain/provider.ts';

/** The most bytes of a notification: 64 KiB, many times the largest one of any provider (providers.md). */
const MAX_BYTES = 64 * 1024;
/** A longer text exceeds the limit even as base64, which has four characters for three bytes. Such a text is not decoded. */
const MAX_CHARACTERS = Math.ceil(MAX_BYTES / 3) * 4;

/** Receives a provider's notification of money. The provider's signature authenticates it. */
export const receiveNotificationHandler = (deps: ReceiveDeps) =>
  keylessApi(deps, async ({ body = '', isBase64Encoded, headers, pathParameters }) => {
    const { data: provider } = providerName.safeParse(pathParameters?.provider);
    if (!provider) throw new ApiError('not_found');
    const raw = body.length > MAX_CHARACTERS ? undefined : Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
    if (!raw || raw.length > MAX_BYTES) {
      throw new ApiError('payload_too_large', { message: 'Notification exceeds 64 KiB.' });
    }
    await receiveNotification(deps, { provider, headers, raw });
    return { status: 200, body: { status: true } };
  });

export const handler = receiveNotificationHandler(
  receiveNotificationDeps(readEnv(receiveNotificationEnv, process.env)),
);
