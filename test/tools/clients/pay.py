"""Written against the generated client alone: a name or a type that is missing fails."""

import os

from payments_api_client import AuthenticatedClient
from payments_api_client.api.checkout import initialize_checkout, simulate_checkout_payment, verify_checkout
from payments_api_client.models import (
    CheckoutStatus,
    Error,
    ErrorCode,
    InitializeCheckoutRequest,
    SimulateCheckoutPaymentRequest,
)

client = AuthenticatedClient(base_url=os.environ["BASE_URL"], token=os.environ["KEY"])

order = InitializeCheckoutRequest(amount=8500.75, payer_email="tunde.bakare@example.com")
opened = initialize_checkout.sync(client=client, body=order)
assert opened is not None and not isinstance(opened, Error)
reference = opened.data.reference

simulate_checkout_payment.sync(client=client, body=SimulateCheckoutPaymentRequest(reference=reference))
again = simulate_checkout_payment.sync(client=client, body=SimulateCheckoutPaymentRequest(reference=reference))
assert isinstance(again, Error) and again.code == ErrorCode.CHECKOUT_NOT_PAYABLE

verified = verify_checkout.sync(client=client, reference=reference)
assert verified is not None and not isinstance(verified, Error)
assert verified.data.status == CheckoutStatus.PAID
print(verified.data.status.value, verified.data.paid_amount)
