import { signal } from '@preact/signals';

const media = matchMedia('(width >= 60rem)');

/** Whether there is space for the navigation beside the content. The styles have the same limit. */
export const isWide = signal(media.matches);
media.addEventListener('change', () => {
  isWide.value = media.matches;
});
