// Runs in the browser: fetches this page every two seconds and takes over its list when it has changed.
const EVERY_MS = 2_000;
let known = document.querySelector('main').innerHTML;

const refresh = async () => {
  const answer = await fetch(location.href);
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('main');
  if (!fresh || fresh.innerHTML === known) return;
  known = fresh.innerHTML;
  for (const { id } of document.querySelectorAll('details[open]')) {
    fresh.querySelector(`#${CSS.escape(id)}`)?.setAttribute('open', '');
  }
  document.querySelector('main').replaceWith(fresh);
};

// A stack that is down for a moment is asked again.
setInterval(() => refresh().catch(() => {}), EVERY_MS);
