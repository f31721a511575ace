import { DEFAULT_BRAND, textOn } from '#shared/businesses/domain/contrast.ts';

interface PaymentPageProps {
  readonly name: string;
  /** `#rrggbb`; null for the page's own colour. */
  readonly color: string | null;
  /** The logo's URL; null for none. */
  readonly logo: string | null;
}

/** Previews the head and the button of the payment page. test/long/dashboard-business.test.ts compares its look with the real page. */
export const PaymentPage = ({ name, color, logo }: PaymentPageProps) => {
  const brand = color ?? DEFAULT_BRAND;
  return (
    <figure class="payment-page">
      <figcaption>How payers see it</figcaption>
      <div class="sample" aria-hidden="true" style={{ '--brand': brand, '--on-brand': textOn(brand) }}>
        <div class="head">
          <p>
            {logo !== null && <img src={logo} alt="" />}
            {name}
          </p>
        </div>
        <div class="body">
          <b>Transfer ₦8,500.75</b>
          <span>Order 1042</span>
          <div class="go">I’ve sent the money</div>
        </div>
      </div>
    </figure>
  );
};
