/** The order of a charge's two references in `reference` and `payment_reference`, on which sources disagree. */
export type ReferenceOrder =
  /** The merchant's reference in both fields; a list has `reference` only. */
  | 'merchants'
  | 'merchants_first'
  | 'korapays_first'
  /** Korapay's reference in both fields; a list has `reference` only. */
  | 'korapays';

/** The behaviour of the simulated Korapay: the merchant's settings, and a switch for each point on which sources disagree or say nothing. */
export interface KorapayPreference {
  /** The merchant's settings for wrong amounts (providers.md section 3.6). */
  readonly over: 'return_excess' | 'return_all' | 'accept_all';
  readonly under: 'return_all' | 'accept_all';
  /**
   * The way in which a look-up shows that a whole payment was returned later. Korapay documents neither way. With `amounts` the list does not
   * show it.
   */
  readonly reversalBy: 'status' | 'amounts';
  /** Whether a look-up shows a refund in `amount_accepted` and `reversal`, or does not show it at all. */
  readonly refundsShow: 'amounts' | 'nothing';
  /** The address for a charge's notifications: its own `notification_url` or, according to an older page, the one in the dashboard. */
  readonly chargesNotify: 'notification_url' | 'dashboard';
  readonly listReferences: ReferenceOrder;
  readonly notificationReferences: ReferenceOrder;
  readonly lookUpReferences: ReferenceOrder;
}

/** Korapay's own defaults. If sources disagree, the newer one counts. */
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
