import type { Reply } from '#shared/api/http/types.ts';
import { virtualAccountView } from '#shared/virtual-accounts/contract/virtual-account-view.ts';
import type { VirtualAccount } from '#shared/virtual-accounts/domain/virtual-account.ts';

/** Makes the answer with a deactivated virtual account. */
export const deactivatedReply = (account: VirtualAccount): Reply => ({
  status: 200,
  body: { status: true, message: 'Virtual account deactivated.', data: virtualAccountView(account) },
});
