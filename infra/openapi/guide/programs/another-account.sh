api() {
  path=$1; shift
  curl -sS "$PAYMENTS_URL/api/v1$path" -H "Authorization: Bearer $PAYMENTS_KEY" -H 'Content-Type: application/json' "$@"
}
text() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }

# Start a checkout without a provider. The payer sees its first account.
CHECKOUT=$(api /checkout/initialize -d '{"amount": 8500.75, "payer_email": "tunde.bakare@example.com"}')
REF=$(echo "$CHECKOUT" | text reference)
FIRST=$(echo "$CHECKOUT" | text account_number)

# The payer's bank cannot find it: open another account, at another provider. "accounts" has both.
api "/checkouts/$REF/another-account" -X POST; echo

# The payer sent the money to the first account after all: the checkout is paid.
api /checkout/sandbox/simulate -d "{\"reference\": \"$REF\", \"account_number\": \"$FIRST\"}"; echo

# The payer sends it to the second account too: checkout.overpaid. You pay back the "difference", 8500.75.
api /checkout/sandbox/simulate -d "{\"reference\": \"$REF\", \"amount\": 8500.75}"; echo
