import base64, hashlib, hmac, json, os, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))

# Your books use database tables, because this memory is lost: the owner of each virtual account, and one row for each payment.
CUSTOMERS = json.loads(os.environ.get("ACCOUNTS", "{}"))  # {"va_…": "CUSTOMER-7"}
CREDITS = {}  # payment id → {"customer", "kobo", "is_reversed"}
UNKNOWN = {}  # payment id → {"account", "payment"}: for a person
ONE_AT_A_TIME = threading.Lock()


def sum_credits(customer: str) -> int:
    return sum(credit["kobo"] for credit in CREDITS.values() if credit["customer"] == customer and not credit["is_reversed"])


def book(account, payment) -> None:
    """Books a payment once, however often an event, a list or an answer brings it."""
    customer = CUSTOMERS.get(account["id"])
    if customer is None:
        # Do not answer with an error: the endpoint would be suspended, and other customers would wait for their money.
        UNKNOWN[payment["id"]] = {"account": account, "payment": payment}
        amount = payment["amount"]
        print(f"look into {payment['id']}: {amount} naira on {account['id']}, which is no customer's account", flush=True)
        return
    if payment["outcome"] == "rejected":
        return  # its bank has the money back already
    with ONE_AT_A_TIME:  # in your books: insert a row with the payment's unique id, or mark that row as reversed
        # A reversal may arrive before its payment: a reversed payment stays reversed.
        was_reversed = CREDITS.get(payment["id"], {}).get("is_reversed", False)
        CREDITS[payment["id"]] = {
            "customer": customer,
            "kobo": round(payment["amount"] * 100),
            "is_reversed": was_reversed or payment["outcome"] == "reversed",
        }


def receive(event) -> None:
    if event.get("example"):
        return  # from "Test a webhook endpoint": its data is not real
    if event["type"] in ("virtual_account.payment_received", "virtual_account.payment_reversed"):
        book(event["data"]["virtual_account"], event["data"]["payment"])


def is_genuine(headers, body: bytes) -> bool:
    webhook_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return False
    digest = hmac.new(SECRET, f"{webhook_id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    return any(hmac.compare_digest(expected, signature.encode()) for signature in headers.get("webhook-signature", "").split(" "))


class Wallets(BaseHTTPRequestHandler):
    def reply(self, status: int, view=None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        if view is not None:
            self.wfile.write(json.dumps(view).encode())

    def do_GET(self):
        place, _, customer = self.path.strip("/").partition("/")
        if place == "wallets":
            self.reply(200, {"naira": sum_credits(customer) / 100})
        else:
            self.reply(404)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if not is_genuine(self.headers, body):
            return self.reply(400)
        try:
            receive(json.loads(body))
            self.reply(204)
        except Exception as error:
            print(repr(error), flush=True)  # for example the database does not answer: the event is sent again
            self.reply(500)


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Wallets)
print("listening", flush=True)
server.serve_forever()
