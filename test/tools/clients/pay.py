"""Uses only the generated client: a missing name or type fails."""

import os

from payments_api_client import AuthenticatedClient
from payments_api_client.api.checkout import initialize_checkout, simulate_checkout_payment, verify_checkout
from payments_api_client.api.events import list_events
from payments_api_client.models import (
    CheckoutStatus,
    Error,
    ErrorCode,
    InitializeCheckoutRequest,
    SimulateCheckoutPaymentRequest,
)

AMOUNT = 8_500_000.75
client = AuthenticatedClient(base_url=os.environ["BASE_URL"], token=os.environ["KEY"])

order = InitializeCheckoutRequest(amount=AMOUNT, payer_email="tunde.bakare@example.com")
opened = initialize_checkout.sync(client=client, body=order)
assert opened is not None and not isinstance(opened, Error)
reference = opened.data.reference

simulation = SimulateCheckoutPaymentRequest(reference=reference)
simulate_checkout_payment.sync(client=client, body=simulation)
verified = verify_checkout.sync(client=client, reference=reference)
assert verified is not None and not isinstance(verified, Error)
assert verified.data.status == CheckoutStatus.PAID
assert verified.data.amount == AMOUNT and verified.data.paid_amount == AMOUNT
print(verified.data.status.value, verified.data.paid_amount)

again = simulate_checkout_payment.sync(client=client, body=simulation)
assert isinstance(again, Error) and again.code == ErrorCode.CHECKOUT_NOT_PAYABLE
print(again.code)

later = AuthenticatedClient(base_url=os.environ["LATER_URL"], token=os.environ["KEY"])
refused = simulate_checkout_payment.sync(client=later, body=simulation)
assert isinstance(refused, Error)
events = list_events.sync(client=later)
checkout = verify_checkout.sync(client=later, reference=reference)
assert events is not None and not isinstance(events, Error)
assert checkout is not None and not isinstance(checkout, Error)
event = events.data[0]
print(refused.code, checkout.data.provider, event.type_, event.data["reference"])
