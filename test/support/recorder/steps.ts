import type { RecordedStage } from './stage.ts';

/* What the scenes do again and again (recorder-scene-*.ts). */

type Api = ReturnType<Awaited<ReturnType<RecordedStage['openBusiness']>>>;

/** Who pays a checkout. */
export const PAYER = { payer_email: 'chidi.eze@example.com', payer_name: 'Chidi Eze' };
/** The address of every customer here. */
export const EMAIL = 'adaeze.okafor@example.com';

let people = 0;
/** Somebody whom no provider has met. */
export const customer = () => {
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
/** A fresh Idempotency-Key, as headers. */
export const idempotently = () => {
  keys += 1;
  return { 'idempotency-key': `permissions-${keys}` };
};

/** A call that must be answered so: a scene that has gone elsewhere proves nothing. */
export const expecting =
  (api: Api) =>
  async (status: number, ...[method, path, body, headers]: Parameters<Api>) => {
    const answer = await api(method, path, body, headers);
    if (answer.status === status) return answer.json;
    throw new Error(`${method} ${path} answered ${answer.status}, not ${status}: ${JSON.stringify(answer.json)}`);
  };

export type Ask = ReturnType<typeof expecting>;

/** The same request twice: carried out, then answered from what was kept. */
export const twice = async (ask: Ask, status: number, ...[method, path, body]: Parameters<Api>) => {
  const headers = idempotently();
  await ask(status, method, path, body, headers);
  return ask(status, method, path, body, headers);
};
