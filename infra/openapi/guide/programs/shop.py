import base64, hashlib, hmac, http.client, json, os, secrets, threading, time, urllib.error, urllib.parse, urllib.request
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

URL, KEY = os.environ["PAYMENTS_URL"], os.environ["PAYMENTS_KEY"]
SHOP_URL = os.environ.get("SHOP_URL", f"http://127.0.0.1:{os.environ['PORT']}")
SECRET = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
TRIES, PATIENCE_SECONDS = 3, 10

# A real shop uses database tables. This memory is lost when the program ends, so each run has new order numbers.
RUN = secrets.token_hex(4)
ORDERS = {
    order_id: {
        "number": f"ORDER-{RUN}-{order_id}",
        "kobo": 850_075,
        "email": "tunde.bakare@example.com",
        "attempts": [],  # one for each checkout: {"key", "body", "reference"}
        "shipped": None,  # the reference of the checkout that it was shipped for
        "notes": set(),  # for a person
        "lock": threading.Lock(),  # one request at a time, so that two clicks start one attempt
    }
    for order_id in ("417", "418")
}


def to_kobo(naira) -> int:
    return round(naira * 100)


class ApiError(Exception):
    """An error of the API. It is final if a repetition cannot help."""

    def __init__(self, error: urllib.error.HTTPError):
        try:
            answer = json.load(error)
        except ValueError:
            answer = {}
        self.code = answer.get("code", error.code)
        self.is_final = error.code < 500 and error.code != 429 and self.code != "idempotency_in_progress"
        self.retry_after = error.headers["Retry-After"]
        wrong = " ".join(detail["message"] for detail in answer.get("errors", [])) or answer.get("message")
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
        raise ApiError(error) from error


def call(method: str, path: str, body: bytes | None = None, idempotency_key=""):
    """Repeats a request after no answer, a 5xx, 429 and 409 idempotency_in_progress. Key and body stay the same, so it is done once."""
    for tries in range(1, TRIES + 1):
        seconds = tries
        try:
            return send(method, path, body, idempotency_key)
        except ApiError as error:
            if error.retry_after and error.retry_after.isdecimal():
                seconds = int(error.retry_after)
            if error.is_final or tries == TRIES or seconds > PATIENCE_SECONDS:
                raise
        except (OSError, http.client.HTTPException, ValueError):  # no answer, or an incomplete one
            if tries == TRIES:
                raise
        time.sleep(seconds)


def verify(reference: str):
    return call("GET", f"/checkout/verify/{reference}")


def references(order) -> list[str]:
    return [attempt["reference"] for attempt in order["attempts"] if attempt["reference"]]


def current(order) -> str | None:
    """Finds the checkout that counts: the one that the order was shipped for (an older one may be paid late), else the last."""
    return order["shipped"] or next(reversed(references(order)), None)


def note(order, text: str) -> None:
    """Prints a note for a person, once."""
    if text not in order["notes"]:
        print(text, flush=True)
    order["notes"].add(text)


def settle(order_id: str, order, checkout) -> None:
    """Ships once, and only if the whole price was paid. A person decides about all other money."""
    reference, amount, difference = checkout["reference"], checkout["amount"], checkout["difference"]
    paid, paid_amount = checkout["paid"], checkout["paid_amount"]
    is_whole = to_kobo(amount) == order["kobo"] and to_kobo(paid_amount) >= order["kobo"]
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
        reason = f"{reference} asked for {amount}, and {paid_amount} came"
        note(order, f"look into order {order_id}, which costs {order['kobo'] / 100} naira: {reason}")


def make_view(order, checkout):
    """Makes the view for the payer."""
    status, difference = checkout["status"], checkout["difference"]
    is_over = datetime.now(timezone.utc) > datetime.fromisoformat(checkout["expires_at"])
    fields = ("amount_to_pay", "bank_name", "account_number", "account_name", "expires_at")
    account = {name: checkout[name] for name in fields}
    if order["shipped"] and difference < 0:
        return {"show": "contact us"}  # money was taken back after the shipment
    if order["shipped"]:
        return {"show": "thanks", "overpaid": difference}
    if status == "pending" and is_over:
        return {"show": "checking"}  # we are asking the provider, so show no account number
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
        "callback_url": f"{SHOP_URL}/orders/{order_id}",  # the payment page leads back here
        "cancel_url": f"{SHOP_URL}/orders/{order_id}",  # the same page, because a payer who cancels may have paid
    }
    key = f"{order['number']}-{secrets.token_hex(16)}"
    return {"key": key, "body": json.dumps(body).encode(), "reference": None}


def lost_checkout(order):
    """Finds the checkout whose answer was lost. A browser's checkout may have our order number too: ignore it."""
    matches = call("GET", "/checkouts?" + urllib.parse.urlencode({"merchant_reference": order["number"]}))
    checkout = next((match for match in matches if match["created_with"] != "public"), None)
    if checkout and to_kobo(checkout["amount"]) == order["kobo"]:
        return checkout
    raise RuntimeError(f"{order['number']} is in use, by {checkout['reference'] if checkout else 'a checkout that is not listed yet'}")


def open_attempt(order, attempt):
    """Sends an attempt. After a final error or provider_error it is dropped, so that the next attempt has a new key and body.
    If the provider opened it all the same, the next answer is duplicate_merchant_reference."""
    try:
        return call("POST", "/checkout/initialize", attempt["body"], attempt["key"])
    except ApiError as error:
        if error.code == "duplicate_merchant_reference":
            return lost_checkout(order)
        if error.is_final or error.code == "provider_error":
            order["attempts"].remove(attempt)
        raise


def payable_checkout(order_id: str, order):
    """Finds the checkout to pay now: the last one, or a new one if the last has ended without money."""
    attempts = order["attempts"]
    if order["shipped"] or (attempts and attempts[-1]["reference"]):
        checkout = verify(current(order))
        if order["shipped"] or checkout["status"] not in ("expired", "failed"):
            return checkout
        attempts.append(new_attempt(order_id, order))
    if not attempts:
        attempts.append(new_attempt(order_id, order))
    attempt = attempts[-1]
    # Key and body were stored before the call: another click, or a retry, sends both again and gets the same checkout.
    attempt["reference"] = open_attempt(order, attempt)["reference"]
    return verify(attempt["reference"])


def is_genuine(headers, body: bytes) -> bool:
    webhook_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return False
    digest = hmac.new(SECRET, f"{webhook_id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    return any(hmac.compare_digest(expected, signature.encode()) for signature in headers.get("webhook-signature", "").split(" "))


def receive(event) -> None:
    """Checks the checkout that a webhook names. The webhook itself may come twice, or late."""
    data = event["data"]
    if event.get("example") or data.get("created_with") == "public":
        return  # a test, or a checkout of a browser, whose amount anyone can choose
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
            receive(json.loads(body))  # if this takes longer than a second, store the event and answer first
            return 204, None, {}
        order = ORDERS.get(order_id) if place == "orders" else None
        if order is None:
            return 404, {}, {}
        with order["lock"]:
            if method == "GET" and not current(order):
                return 404, {}, {}
            checkout = payable_checkout(order_id, order) if method == "POST" else verify(current(order))
            settle(order_id, order, checkout)  # the webhook may be late, so this request may be the first to see the money
        if action == "pay":
            return 303, None, {"Location": checkout["checkout_url"]}  # to our payment page
        if action == "checkout":
            return 200, {"checkoutUrl": checkout["checkout_url"]}, {}  # for the widget
        # The return page: it shows the answer of the service, and ignores its own query.
        return 200, make_view(order, checkout), {}

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
