import base64, hashlib, hmac, http.client, json, os, secrets, threading, time, urllib.error, urllib.parse, urllib.request
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

URL, KEY = os.environ["PAYMENTS_URL"], os.environ["PAYMENTS_KEY"]
SHOP_URL = os.environ.get("SHOP_URL", f"http://127.0.0.1:{os.environ['PORT']}")
SECRET = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
TRIES, PATIENCE_SECONDS = 3, 10

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
        "lock": threading.Lock(),  # one request at a time: of two clicks, one begins an attempt
    }
    for order_id in ("417", "418")
}


def kobo_of(naira) -> int:
    return round(naira * 100)


class Refused(Exception):
    """An answer that is no success. Where no repetition can mend what is wrong with the request, it is final."""

    def __init__(self, error: urllib.error.HTTPError):
        try:
            answer = json.load(error)
        except ValueError:
            answer = {}
        self.code = answer.get("code", error.code)
        self.is_final = error.code < 500 and error.code != 429 and self.code != "idempotency_in_progress"
        self.retry_after = error.headers["Retry-After"]
        wrong = " ".join(one["message"] for one in answer.get("errors", [])) or answer.get("message")
        super().__init__(f"{self.code}: {wrong} ({answer.get('request_id')})")


def send(method: str, path: str, body: bytes | None, idempotency_key: str):
    headers = {"Authorization": f"Bearer {KEY}"}
    if body is not None:
        headers |= {"Content-Type": "application/json", "Idempotency-Key": idempotency_key}
    request = urllib.request.Request(f"{URL}/api/v1{path}", body, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)["data"]
    except urllib.error.HTTPError as error:
        raise Refused(error) from error


def call(method: str, path: str, body: bytes | None = None, idempotency_key=""):
    """Tries again after no answer, 5xx, 429 and 409 idempotency_in_progress, with the same key and body: it is done once."""
    for tries in range(1, TRIES + 1):
        seconds = tries
        try:
            return send(method, path, body, idempotency_key)
        except Refused as refusal:
            if refusal.retry_after and refusal.retry_after.isdecimal():
                seconds = int(refusal.retry_after)
            if refusal.is_final or tries == TRIES or seconds > PATIENCE_SECONDS:
                raise
        except (OSError, http.client.HTTPException, ValueError):  # no answer, or a part of one
            if tries == TRIES:
                raise
        time.sleep(seconds)


def verify(reference: str):
    return call("GET", f"/checkout/verify/{reference}")


def references(order) -> list[str]:
    return [one["reference"] for one in order["attempts"] if one["reference"]]


def current(order) -> str | None:
    """The checkout that counts: the one that was shipped for, which may be an older one that was paid late, else the last."""
    return order["shipped"] or next(reversed(references(order)), None)


def note(order, text: str) -> None:
    """Leaves a note for a person, once."""
    if text not in order["notes"]:
        print(text, flush=True)
    order["notes"].add(text)


def settle(order_id: str, order, checkout) -> None:
    """Ships once, and only for the money that the order costs. Any other money is for a person."""
    reference, amount, difference = checkout["reference"], checkout["amount"], checkout["difference"]
    paid, paid_amount = checkout["paid"], checkout["paid_amount"]
    is_whole = kobo_of(amount) == order["kobo"] and kobo_of(paid_amount) >= order["kobo"]
    if paid and is_whole and not order["shipped"]:
        order["shipped"] = reference  # in a database: UPDATE … SET shipped = $1 WHERE id = $2 AND shipped IS NULL
        print(f"ship order {order_id}", flush=True)
    if order["shipped"] == reference:
        if difference > 0:
            note(order, f"pay back {difference} naira of {reference}: more than order {order_id} costs")
        if difference < 0:
            note(order, f"{-difference} naira of {reference} were taken back: order {order_id} was shipped")
    elif order["shipped"] and paid_amount > 0:
        note(order, f"refund {paid_amount} naira of {reference}: order {order_id} was shipped for {order['shipped']}")
    elif paid or (paid_amount > 0 and reference != current(order)):
        asked = f"{reference} asked for {amount}, and {paid_amount} came"
        note(order, f"look into order {order_id}, which costs {order['kobo'] / 100} naira: {asked}")


def view_of(order, checkout):
    """What the payer sees."""
    status, difference = checkout["status"], checkout["difference"]
    is_over = datetime.now(timezone.utc) > datetime.fromisoformat(checkout["expires_at"])
    shown = ("amount_to_pay", "bank_name", "account_number", "account_name", "expires_at")
    account = {name: checkout[name] for name in shown}
    if order["shipped"] and difference < 0:
        return {"show": "contact us"}  # the bank took money back after you shipped
    if order["shipped"]:
        return {"show": "thanks", "overpaid": difference}
    if status == "pending" and is_over:
        return {"show": "checking"}  # the provider is being asked: show no account number
    if status == "pending":
        return {"show": "pay", **account}
    if status == "underpaid":
        return {"show": "contact us", "missing": -difference} if is_over else {"show": "pay", **account, "amount_to_pay": -difference}
    # Paid with less, or expired, or failed.
    return {"show": "contact us" if status == "paid" else f"{status}, try again"}


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


def lost_checkout(order):
    """The checkout of an answer that never came. A browser may use our order number too, with a public key: that is not ours."""
    bearers = call("GET", "/checkouts?" + urllib.parse.urlencode({"merchant_reference": order["number"]}))
    found = next((one for one in bearers if one["created_with"] != "public"), None)
    if found and kobo_of(found["amount"]) == order["kobo"]:
        return found
    raise RuntimeError(f"{order['number']} is in use, by {found['reference'] if found else 'a checkout that is not listed yet'}")


def open_attempt(order, attempt):
    """Sends an attempt, again where its answer was lost. Refused for good, or by a provider that fails, it is dropped: the next has a
    new key and body. If that provider has opened it all the same, the next answer is duplicate_merchant_reference."""
    try:
        return call("POST", "/checkout/initialize", attempt["body"], attempt["key"])
    except Refused as refusal:
        if refusal.code == "duplicate_merchant_reference":
            return lost_checkout(order)
        if refusal.is_final or refusal.code == "provider_error":
            order["attempts"].remove(attempt)
        raise


def payable_checkout(order_id: str, order):
    """The checkout to pay now: the last one, or a new one after the last has ended without money."""
    attempts = order["attempts"]
    if order["shipped"] or (attempts and attempts[-1]["reference"]):
        checkout = verify(current(order))
        if order["shipped"] or checkout["status"] not in ("expired", "failed"):
            return checkout
        attempts.append(new_attempt(order_id, order))
    if not attempts:
        attempts.append(new_attempt(order_id, order))
    attempt = attempts[-1]
    # Key and body were kept before the call: another click, or a try after an error, sends both again and gets the same checkout.
    attempt["reference"] = open_attempt(order, attempt)["reference"]
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
    data = event["data"]
    if event.get("example") or data.get("created_with") == "public":
        return  # a test, or what a browser made: its amount is anybody's
    for order_id, order in ORDERS.items():
        if data.get("merchant_reference") == order["number"]:
            with order["lock"]:
                settle(order_id, order, verify(data["reference"]))


class Shop(BaseHTTPRequestHandler):
    def answer(self, method: str, body: bytes):
        place, order_id, action, *_ = [*self.path.partition("?")[0].strip("/").split("/"), "", ""]
        if method == "POST" and place == "webhooks":
            if not is_genuine(self.headers, body):
                return 400, None, {}
            receive(json.loads(body))  # where this takes longer than a second, keep the event and answer first
            return 204, None, {}
        order = ORDERS.get(order_id) if place == "orders" else None
        if order is None:
            return 404, {}, {}
        with order["lock"]:
            if method == "GET" and not current(order):
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
