"""Written against the generated models alone: real answers and a real webhook's body are read by them."""

import json
import os
import urllib.request

import models

BASE_URL, KEY = os.environ["BASE_URL"], os.environ["KEY"]


def call(path: str, body: models.BaseModel | None = None) -> bytes:
    data = None if body is None else body.model_dump_json(exclude_none=True).encode()
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(BASE_URL + path, data, headers)) as answer:
        return answer.read()


order = models.InitializeCheckoutRequest(amount=8500.75, payer_email="tunde.bakare@example.com")
opened = models.InitializeCheckoutResponse.model_validate_json(call("/api/v1/checkout/initialize", order))
reference = opened.data.reference
simulation = models.SimulateCheckoutPaymentRequest(reference=reference)
call("/api/v1/checkout/sandbox/simulate", simulation)

verified = models.VerifyCheckoutResponse.model_validate_json(call(f"/api/v1/checkout/verify/{reference}"))
assert verified.data.status == models.CheckoutStatus.paid
events = models.ListEventsResponse.model_validate_json(call("/api/v1/events?type=checkout.paid"))
found = models.GetEventResponse.model_validate_json(call(f"/api/v1/events/{json.loads(os.environ['WEBHOOK'])['id']}"))
assert isinstance(found.data.root, models.CheckoutPaidEventWithDeliveries)
webhook = models.Event.model_validate_json(os.environ["WEBHOOK"]).root
assert isinstance(webhook, models.CheckoutPaidEvent)
assert events.data and found.data.root.data.reference == webhook.data.reference
print(verified.data.status.value, verified.data.paid_amount, webhook.data.status.value)
