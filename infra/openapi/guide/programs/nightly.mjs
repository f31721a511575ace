const { PAYMENTS_URL, PAYMENTS_KEY } = process.env;

/** Reads every object of a list, page by page. A page may be empty and still be followed by another. */
async function* readList(path, query) {
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
for await (const payment of readList('/payments', { limit: 100, from: begin, to: end })) {
  const owner = payment.merchant_reference ?? payment.virtual_account_id;
  console.log(payment.id, payment.outcome, payment.amount, owner);
}
for (const kind of ['checkout', 'virtual_account']) {
  const query = { limit: 100, type: `${kind}.payment_reversed`, since: begin, until: end };
  for await (const { example, data } of readList('/events', query)) {
    if (example) continue; // from "Test a webhook endpoint": its data is not real
    const owner = kind === 'checkout' ? data.merchant_reference : data.virtual_account.id;
    for (const payment of data.payments ?? [data.payment]) {
      if (payment.outcome === 'reversed') console.log(payment.id, 'reversed', payment.amount, owner);
    }
  }
}
