"""Reads real answers and a real webhook's body with the generated models only."""

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


order = models.InitializeCheckoutRequest(amount=8_500_000.75, payer_email="tunde.bakare@example.com")
opened = models.InitializeCheckoutAnswer.model_validate_json(call("/api/v1/checkout/initialize", order))
reference = opened.data.reference
simulation = models.SimulateCheckoutPaymentRequest(reference=reference)
call("/api/v1/checkout/sandbox/simulate", simulation)

verified = models.VerifyCheckoutAnswer.model_validate_json(call(f"/api/v1/checkout/verify/{reference}"))
assert verified.data.status == models.CheckoutStatus.paid
events = models.ListEventsAnswer.model_validate_json(call("/api/v1/events?type=checkout.paid"))
event = models.GetEventAnswer.model_validate_json(call(f"/api/v1/events/{json.loads(os.environ['WEBHOOK'])['id']}"))
webhook = models.WebhookEvent.model_validate_json(os.environ["WEBHOOK"]).root
assert isinstance(webhook, models.CheckoutPaidEvent)
assert webhook.data.paid_amount == order.amount
assert events.data and event.data.data["reference"] == webhook.data.reference
later = models.Event.model_validate_json(os.environ["WEBHOOK"].replace("checkout.paid", "checkout.of_tomorrow"))
assert later.type == "checkout.of_tomorrow"
print(verified.data.status.value, verified.data.paid_amount, webhook.data.status.value)
