// Runs in the browser. It fetches this page every two seconds, and shows the new list if it has changed.
const EVERY_MS = 2_000;
let shownHtml = document.querySelector('main').innerHTML;

const refresh = async () => {
  const answer = await fetch(location.href);
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('main');
  if (!fresh || fresh.innerHTML === shownHtml) return;
  shownHtml = fresh.innerHTML;
  for (const { id } of document.querySelectorAll('details[open]')) {
    fresh.querySelector(`#${CSS.escape(id)}`)?.setAttribute('open', '');
  }
  document.querySelector('main').replaceWith(fresh);
};

// Errors are ignored, because the stack may be down for a moment.
setInterval(() => refresh().catch(() => {}), EVERY_MS);
