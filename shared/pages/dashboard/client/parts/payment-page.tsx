import { DEFAULT_BRAND, textOn } from '#shared/businesses/domain/contrast.ts';

interface PaymentPageProps {
  readonly name: string;
  /** `#rrggbb`; null for the page's own. */
  readonly color: string | null;
  /** The address of the logo; null for none. */
  readonly logo: string | null;
}

/** The head and the button of the payment page with what is typed: the page's own look, which test/long/dashboard-business.test.ts compares. */
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
