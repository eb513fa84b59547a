import { AutoScroller, Cursor, Feedback, PointerActivationConstraints, PreventSelection } from '@dnd-kit/dom'
import { PointerSensor } from '@dnd-kit/react'

/** By mouse after five pixels, so that a click stays a click; by finger after a moment, so that a swipe stays a swipe. */
export const sensors = [
  PointerSensor.configure({
    activationConstraints: ({ pointerType }) =>
      pointerType === 'touch'
        ? [new PointerActivationConstraints.Delay({ value: 250, tolerance: 5 })]
        : [new PointerActivationConstraints.Distance({ value: 5 })],
    preventActivation: ({ target }) => target instanceof Element && target.closest('[aria-haspopup]') !== null,
  }),
]
/** Without those for the keyboard: each place has keys of its own. */
export const plugins = [AutoScroller, Cursor, Feedback, PreventSelection]
