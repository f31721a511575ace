import { serveLogoHandler } from '#functions/serve-logo/handler.ts';
import { inRole } from '#test/support/permissions/roles.ts';
import { apiEvent, lambdaContext } from './api-event.ts';
import type { World } from './world.ts';

/** Requests the logo at a path, as a browser does. */
export const getLogo = async ({ deps }: Pick<World, 'deps'>, path: string) => {
  const handler = inRole('serve-logo', serveLogoHandler(deps));
  const event = apiEvent({ method: 'GET', path: '/logos/{id}', params: { id: path.replace('/logos/', '') } });
  const { statusCode, headers, body, isBase64Encoded } = await handler(event, lambdaContext());
  const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return { status: statusCode, headers: sent, bytes: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8') };
};
