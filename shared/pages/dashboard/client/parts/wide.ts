import { signal } from '@preact/signals';

const media = matchMedia('(width >= 60rem)');

/** Whether there is room for the navigation beside the content, as on a laptop. The style has the same limit. */
export const isWide = signal(media.matches);
media.addEventListener('change', () => {
  isWide.value = media.matches;
});
