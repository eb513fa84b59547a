import type { KeyboardEvent } from 'react'

/** Escape for a panel itself: what has opened in it, a menu or a list, closes first, and may lie elsewhere in the page. */
export const isOwnEscape = ({ key, defaultPrevented, target, currentTarget }: KeyboardEvent<HTMLElement>) =>
  key === 'Escape' &&
  !defaultPrevented &&
  target instanceof Element &&
  currentTarget.contains(target) &&
  !target.closest('[aria-expanded="true"], [data-expanded]')
