api() {
  path=$1; shift
  curl -sS "$PAYMENTS_URL/api/v1$path" -H "Authorization: Bearer $PAYMENTS_KEY" -H 'Content-Type: application/json' "$@"
}
text() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }

# A checkout that names no provider, and the account that the payer sees first.
CHECKOUT=$(api /checkout/initialize -d '{"amount": 8500.75, "payer_email": "tunde.bakare@example.com"}')
REF=$(echo "$CHECKOUT" | text reference)
FIRST=$(echo "$CHECKOUT" | text account_number)

# The payer's bank cannot find it: another one, at another provider. It has both in "accounts".
api "/checkouts/$REF/another-account" -X POST; echo

# The payer had sent the money to the first one all the same: the checkout is paid.
api /checkout/sandbox/simulate -d "{\"reference\": \"$REF\", \"account_number\": \"$FIRST\"}"; echo

# And once more to the second one: checkout.overpaid, and "difference" is 8500.75, which you pay back.
api /checkout/sandbox/simulate -d "{\"reference\": \"$REF\", \"amount\": 8500.75}"; echo
