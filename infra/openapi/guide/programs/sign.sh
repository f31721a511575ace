BODY='{"id":"evt_01M7WKNY3B5D7F9H2K4M6P8R1T","type":"endpoint.test","timestamp":"2026-11-20T13:52:08.004000Z","mode":"test","business_id":"biz_01M7WF0QK4Z8N2T6V9X3C5B7DE","data":{"message":"Hello."}}'
ID=evt_01M7WKNY3B5D7F9H2K4M6P8R1T
NOW=$(date +%s)
KEY=$(printf %s "${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -tx1 | tr -d ' \n')
SIGNATURE=$(printf %s "$ID.$NOW.$BODY" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | base64)

curl -sS -o /dev/null -w '%{http_code}\n' "http://127.0.0.1:$PORT/webhooks" \
  -H "Content-Type: application/json" \
  -H "webhook-id: $ID" -H "webhook-timestamp: $NOW" -H "webhook-signature: v1,$SIGNATURE" \
  -d "$BODY"
