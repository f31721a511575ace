import base64, hashlib, hmac, json, os, secrets, threading, time, urllib.error, urllib.request
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

URL, KEY = os.environ["PAYMENTS_URL"], os.environ["PAYMENTS_KEY"]
SHOP_URL = os.environ.get("SHOP_URL", f"http://127.0.0.1:{os.environ['PORT']}")
SECRET = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))

# In a shop these are tables. This memory forgets everything when the program ends, so the order numbers are new in each run.
RUN = secrets.token_hex(4)
ORDERS = {
    order_id: {
        "number": f"ORDER-{RUN}-{order_id}",
        "kobo": 850_075,
        "email": "tunde.bakare@example.com",
        "attempts": [],  # one for each checkout: {"key", "body", "reference"}
        "shipped": None,  # the reference of the checkout that it was shipped for
        "notes": set(),  # for a person
    }
    for order_id in ("417", "418")
}
ONE_AT_A_TIME = threading.Lock()


def kobo_of(naira) -> int:
    return round(naira * 100)


def call(method: str, path: str, body: bytes | None = None, idempotency_key=""):
    headers = {"Authorization": f"Bearer {KEY}"}
    if body is not None:
        headers |= {"Content-Type": "application/json", "Idempotency-Key": idempotency_key}
    request = urllib.request.Request(f"{URL}/api/v1{path}", body, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)["data"]
    except urllib.error.HTTPError as error:
        answer = json.load(error)
        wrong = " ".join(one["message"] for one in answer.get("errors", []))
        raise RuntimeError(f"{answer['code']}: {wrong or answer['message']} ({answer['request_id']})") from error


def verify(reference: str):
    return call("GET", f"/checkout/verify/{reference}")


def note(order, text: str) -> None:
    """Leaves a note for a person, once."""
    if text not in order["notes"]:
        print(text, flush=True)
    order["notes"].add(text)


def settle(order_id: str, order, checkout) -> None:
    """Ships once, and only for the money that the order costs. Any other money is for a person."""
    reference, paid, paid_amount = checkout["reference"], checkout["paid"], checkout["paid_amount"]
    is_enough = kobo_of(paid_amount) >= order["kobo"]
    with ONE_AT_A_TIME:  # in a database: UPDATE … SET shipped = $1 WHERE id = $2 AND shipped IS NULL
        if paid and is_enough and not order["shipped"]:
            order["shipped"] = reference
            print(f"ship order {order_id}", flush=True)
        elif order["shipped"] and order["shipped"] != reference and paid_amount > 0:
            note(order, f"refund {paid_amount} naira of {reference}: order {order_id} was shipped for {order['shipped']}")
        elif paid and not is_enough:
            note(order, f"order {order_id}: {reference} is paid with {paid_amount} naira, less than the order costs")


def view_of(order, checkout):
    """What the payer sees."""
    status, expires_at = checkout["status"], datetime.fromisoformat(checkout["expires_at"])
    is_over = datetime.now(timezone.utc) > expires_at
    shown = ("amount_to_pay", "bank_name", "account_number", "account_name", "expires_at")
    account = {name: checkout[name] for name in shown}
    paid = kobo_of(checkout["paid_amount"])
    if order["shipped"] and status != "paid":
        return {"show": "contact us"}  # the bank took money back after you shipped
    if order["shipped"]:
        return {"show": "thanks", "overpaid": (paid - kobo_of(checkout["amount"])) / 100}
    if status == "pending" and is_over:
        return {"show": "checking"}  # the provider is being asked: show no account number
    if status == "pending":
        return {"show": "pay", **account}
    if status == "underpaid":
        missing = (kobo_of(checkout["amount_to_pay"]) - paid) / 100
        return {"show": "contact us", "missing": missing} if is_over else {"show": "pay", **account, "amount_to_pay": missing}
    # Paid with less, or expired, or failed.
    return {"show": "contact us" if status == "paid" else f"{status}, try again"}


def references(order) -> list[str]:
    return [one["reference"] for one in order["attempts"] if one["reference"]]


def current(order) -> str:
    """The checkout that counts: the one that was shipped for, which may be an older one that was paid late, else the last."""
    return order["shipped"] or references(order)[-1]


def new_attempt(order_id: str, order):
    body = {
        "amount": order["kobo"] / 100,
        "payer_email": order["email"],
        "merchant_reference": order["number"],
        "description": f"Order {order_id}",
        "callback_url": f"{SHOP_URL}/orders/{order_id}",  # where the payment page leads the payer back
        "cancel_url": f"{SHOP_URL}/orders/{order_id}",  # the same page: who cancels may have paid all the same
    }
    key = f"{order['number']}-{secrets.token_hex(16)}"
    return {"key": key, "body": json.dumps(body).encode(), "reference": None}


def payable_checkout(order_id: str, order):
    """The checkout to pay now: the last one, or a new one after the last has ended without money."""
    if order["shipped"]:
        return verify(order["shipped"])
    begun = len(order["attempts"])
    last = order["attempts"][-1] if begun else None
    is_over = last is None
    if last and last["reference"]:
        checkout = verify(last["reference"])
        is_over = checkout["status"] in ("expired", "failed")
        if not is_over:
            return checkout
    with ONE_AT_A_TIME:  # of two clicks at once, one begins an attempt
        if is_over and len(order["attempts"]) == begun:
            order["attempts"].append(new_attempt(order_id, order))
        attempt = order["attempts"][-1]
    # Key and body were kept before the call: another click, or a try after an error, sends both again and gets the same checkout.
    attempt["reference"] = call("POST", "/checkout/initialize", attempt["body"], attempt["key"])["reference"]
    return verify(attempt["reference"])


def is_genuine(headers, body: bytes) -> bool:
    webhook_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return False
    digest = hmac.new(SECRET, f"{webhook_id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    return any(hmac.compare_digest(expected, one.encode()) for one in headers.get("webhook-signature", "").split(" "))


def receive(event) -> None:
    """A webhook may come twice and out of order, so it only says which checkout to look at."""
    reference = event["data"].get("reference")
    for order_id, order in ORDERS.items():
        if reference in references(order):
            settle(order_id, order, verify(reference))


class Shop(BaseHTTPRequestHandler):
    def answer(self, method: str, body: bytes):
        place, order_id, action, *_ = [*self.path.partition("?")[0].strip("/").split("/"), "", ""]
        if method == "POST" and place == "webhooks":
            if not is_genuine(self.headers, body):
                return 400, None, {}
            receive(json.loads(body))  # where this takes longer than a second, keep the event and answer first
            return 204, None, {}
        order = ORDERS.get(order_id) if place == "orders" else None
        if order is None or (method == "GET" and not references(order)):
            return 404, {}, {}
        checkout = payable_checkout(order_id, order) if method == "POST" else verify(current(order))
        settle(order_id, order, checkout)  # the webhook may be late: whoever sees the money first ships
        if action == "pay":
            return 303, None, {"Location": checkout["checkout_url"]}  # to our payment page
        if action == "checkout":
            return 200, {"checkoutUrl": checkout["checkout_url"]}, {}  # for the widget
        # The return page: it says what the service says, never what its own address says.
        return 200, view_of(order, checkout), {}

    def handle_with(self, method: str) -> None:
        try:
            status, view, headers = self.answer(method, self.rfile.read(int(self.headers.get("content-length", 0))))
        except Exception as error:
            print(error, flush=True)  # an error of the API with its code and request id
            status, view, headers = 502, {"show": "Something went wrong on our side. Please try again in a minute."}, {}
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if view is not None:
            self.wfile.write(json.dumps(view).encode())

    def do_GET(self):
        self.handle_with("GET")

    def do_POST(self):
        self.handle_with("POST")


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Shop)
print("listening", flush=True)
server.serve_forever()
