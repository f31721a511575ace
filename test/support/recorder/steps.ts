import type { RecordedStage } from './stage.ts';

/* Steps that several scenes share (scene-*.ts). */

type Api = ReturnType<Awaited<ReturnType<RecordedStage['openBusiness']>>>;

/** The payer of a checkout. */
export const PAYER = { payer_email: 'chidi.eze@example.com', payer_name: 'Chidi Eze' };
/** The e-mail address of every customer. */
export const EMAIL = 'adaeze.okafor@example.com';

let people = 0;
/** Makes a customer that no provider knows. */
export const makeCustomer = () => {
  people += 1;
  const digits = String(22_200_000_000 + people);
  return {
    customer_name: 'Adaeze Okafor',
    customer_email: EMAIL,
    customer_phone: '+2348031234567',
    bvn: digits,
    nin: digits,
  };
};

let keys = 0;
/** Makes a new Idempotency-Key, as headers. */
export const makeIdempotencyHeaders = () => {
  keys += 1;
  return { 'idempotency-key': `permissions-${keys}` };
};

/** Makes calls whose answers must have a status: a scene that took another way proves nothing. */
export const expectStatus =
  (api: Api) =>
  async (status: number, ...[method, path, body, headers]: Parameters<Api>) => {
    const answer = await api(method, path, body, headers);
    if (answer.status === status) return answer.json;
    throw new Error(`${method} ${path} answered ${answer.status}, not ${status}: ${JSON.stringify(answer.json)}`);
  };

export type Ask = ReturnType<typeof expectStatus>;

/** Sends the same request twice: the first is carried out, and the second gets the stored answer. */
export const sendTwice = async (ask: Ask, status: number, ...[method, path, body]: Parameters<Api>) => {
  const headers = makeIdempotencyHeaders();
  await ask(status, method, path, body, headers);
  return ask(status, method, path, body, headers);
};
