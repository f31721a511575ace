// The script of the shop's page, as a merchant would write it. The server starts the checkout, the widget shows it, and the list of
// orders shows the statuses that the server got by webhook.
const list = document.querySelector('#orders');

const refresh = async () => {
  const answer = await fetch('/_local/shop/orders');
  const { html } = await answer.json();
  if (list.innerHTML !== html) list.innerHTML = html;
};

document.addEventListener('submit', async (event) => {
  event.preventDefault();
  const form = event.target;
  const answer = await fetch('/_local/shop/orders', {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams(new FormData(form, event.submitter)),
  });
  const { checkoutUrl, message } = await answer.json();
  if (!checkoutUrl) {
    document.querySelector('#problem').textContent = message;
    return;
  }
  window.PayByTransfer.open({ checkoutUrl, onStatus: refresh, onClose: refresh });
});

setInterval(refresh, 2_000);
