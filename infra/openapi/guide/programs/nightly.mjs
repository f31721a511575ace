const { PAYMENTS_URL, PAYMENTS_KEY } = process.env;

/** Every object of a list, page by page. A page may be empty and still be followed by another. */
async function* allOf(path, query) {
  for (;;) {
    const response = await fetch(`${PAYMENTS_URL}/api/v1${path}?${new URLSearchParams(query)}`, {
      headers: { Authorization: `Bearer ${PAYMENTS_KEY}` },
      signal: AbortSignal.timeout(30_000),
    });
    const { data, meta, message } = await response.json();
    if (!response.ok) throw new Error(message);
    yield* data;
    if (!meta.has_more) return;
    query = { ...query, cursor: meta.next_cursor };
  }
}

const [begin, end] = process.argv.slice(2);
for await (const payment of allOf('/payments', { limit: 100, from: begin, to: end })) {
  const bearer = payment.merchant_reference ?? payment.virtual_account_id;
  console.log(payment.id, payment.outcome, payment.amount, bearer);
}
for (const kind of ['checkout', 'virtual_account']) {
  const taken = { limit: 100, type: `${kind}.payment_reversed`, since: begin, until: end };
  for await (const { example, data } of allOf('/events', taken)) {
    if (example) continue; // from "Test a webhook endpoint": nothing of it exists
    const bearer = kind === 'checkout' ? data.merchant_reference : data.virtual_account.id;
    for (const payment of data.payments ?? [data.payment]) {
      if (payment.outcome === 'reversed') console.log(payment.id, 'reversed', payment.amount, bearer);
    }
  }
}
