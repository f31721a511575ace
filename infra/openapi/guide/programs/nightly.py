import json, os, sys, urllib.parse, urllib.request

URL, KEY = os.environ["PAYMENTS_URL"], os.environ["PAYMENTS_KEY"]


def read_list(path: str, **query):
    """Reads every object of a list, page by page. A page may be empty and still be followed by another."""
    while True:
        request = urllib.request.Request(
            f"{URL}/api/v1{path}?{urllib.parse.urlencode(query)}", headers={"Authorization": f"Bearer {KEY}"}
        )
        with urllib.request.urlopen(request, timeout=30) as response:
            answer = json.load(response)
        yield from answer["data"]
        if not answer["meta"]["has_more"]:
            return
        query["cursor"] = answer["meta"]["next_cursor"]


begin, end = sys.argv[1:3]
for payment in read_list("/payments", limit=100, **{"from": begin, "to": end}):
    owner = payment["merchant_reference"] or payment["virtual_account_id"]
    print(payment["id"], payment["outcome"], payment["amount"], owner)
for kind in ("checkout", "virtual_account"):
    for event in read_list("/events", limit=100, type=f"{kind}.payment_reversed", since=begin, until=end):
        if event.get("example"):
            continue  # from "Test a webhook endpoint": its data is not real
        data = event["data"]
        is_checkout = kind == "checkout"
        owner = data["merchant_reference"] if is_checkout else data["virtual_account"]["id"]
        for payment in data["payments"] if is_checkout else [data["payment"]]:
            if payment["outcome"] == "reversed":
                print(payment["id"], "reversed", payment["amount"], owner)
