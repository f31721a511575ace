import * as z from 'zod/mini';
import { success } from '#shared/platform/contract/answer-fields.ts';
import { contract } from '#shared/platform/contract/contract.ts';
import { nothing, pathId } from '#shared/platform/contract/params.ts';
import { meAnswer } from './me-view.ts';
import { sessionAnswer } from './session-view.ts';

const signedIn = { keys: [], testOnly: false, idempotent: false, params: nothing, query: nothing, body: null } as const;

/** GET /api/dashboard/me. */
export const showMeContract = contract({
  ...signedIn,
  method: 'GET',
  path: '/api/dashboard/me',
  summary: 'The signed-in user, and the user’s businesses.',
  success: { status: 200, body: success(meAnswer) },
  errors: [],
});

/** POST /api/dashboard/sign-out. */
export const signOutContract = contract({
  ...signedIn,
  method: 'POST',
  path: '/api/dashboard/sign-out',
  summary: 'End this session.',
  success: { status: 200, body: success(z.object({})) },
  errors: [],
});

/** GET /api/dashboard/sessions. */
export const listSessionsContract = contract({
  ...signedIn,
  method: 'GET',
  path: '/api/dashboard/sessions',
  summary: 'The sessions of the user, newest first.',
  success: { status: 200, body: success(z.array(sessionAnswer)) },
  errors: [],
});

/** DELETE /api/dashboard/sessions/{id}. */
export const endSessionContract = contract({
  ...signedIn,
  method: 'DELETE',
  path: '/api/dashboard/sessions/{id}',
  summary: 'End one of the user’s sessions. It is refused from its next request on.',
  params: z.object({ id: pathId }),
  success: { status: 200, body: success(z.object({})) },
  errors: [],
});
