/** Which of a charge's two references stands in `reference`, and which in `payment_reference`: sources disagree. */
export type ReferenceOrder =
  /** The merchant's in both; in a list in `reference` alone. */
  | 'merchants'
  | 'merchants_first'
  | 'korapays_first'
  /** Korapay's in both; in a list in `reference` alone. */
  | 'korapays';

/** How the simulator's Korapay behaves: its merchant's settings, and a switch for each point on which sources disagree or say nothing. */
export interface KorapayPreference {
  /** The merchant's settings for a wrong amount for one payment (providers.md section 3.6). */
  readonly over: 'return_excess' | 'return_all' | 'accept_all';
  readonly under: 'return_all' | 'accept_all';
  /** How a look-up shows that all of a payment was returned later. Korapay documents neither way. By `amounts` its list shows nothing. */
  readonly reversalBy: 'status' | 'amounts';
  /** Whether a look-up shows a refund, in `amount_accepted` and `reversal`, or goes on as if there were none. */
  readonly refundsShow: 'amounts' | 'nothing';
  /** Where a charge's notifications go: to its own `notification_url`, or, as an older page has it, to the address in the dashboard. */
  readonly chargesNotify: 'notification_url' | 'dashboard';
  readonly listReferences: ReferenceOrder;
  readonly notificationReferences: ReferenceOrder;
  readonly lookUpReferences: ReferenceOrder;
}

/** Korapay's own defaults, and the newer of two readings. */
export const KORAPAY_DEFAULT: KorapayPreference = {
  over: 'return_excess',
  under: 'return_all',
  reversalBy: 'status',
  refundsShow: 'nothing',
  chargesNotify: 'notification_url',
  listReferences: 'merchants',
  notificationReferences: 'merchants_first',
  lookUpReferences: 'merchants_first',
};
