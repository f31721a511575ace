import type { Payment } from '#shared/payments/domain/payment.ts';
import type { PaymentReader } from '#shared/payments/ports.ts';
import { idSchema, timeOfId } from '#shared/platform/kernel/ids.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import { type Millis, SECOND } from '#shared/platform/kernel/time.ts';
import type { Runtime } from '#shared/platform/ports.ts';

const paymentId = idSchema('pay');
/** Maximum milliseconds after its recording for which a payment may be missing in the index. */
const INDEX_LAG: Millis = 10 * SECOND;
const TRIES = 4;
const PAUSE_MS = 300;

/** Finds a payment by its id. The index lags, so a payment that may be a few seconds old is looked for several times. */
export const findPayment = async (
  deps: Pick<Runtime, 'now' | 'wait'> & { readonly payments: PaymentReader },
  tenant: Tenant,
  id: string,
): Promise<Payment | undefined> => {
  if (!paymentId.safeParse(id).success) return undefined;
  for (let tries = 1; ; tries++) {
    const payment = await deps.payments.find(tenant, id);
    const isFresh = Math.abs(deps.now() - timeOfId(id)) < INDEX_LAG;
    if (payment || !isFresh || tries === TRIES) return payment;
    await deps.wait(PAUSE_MS);
  }
};
