/** Where the keyboard is: in the list, on the conversation's frame, or anywhere else on the screen. */
export type Zone = 'list' | 'frame' | 'elsewhere'
export type Press = { key: string; zone: Zone; isShortcut: boolean; isRepeat: boolean; canType: boolean }

/**
 * What a key pressed outside every field means. A letter is a shortcut only in the list and on the frame; whatever else
 * is typed is meant for the customer, where there is something to write in.
 */
export const meaningOf = ({ key, zone, isShortcut, isRepeat, canType }: Press): 'shortcut' | 'text' | 'nothing' => {
  // Wherever something has the focus, the arrows are its own.
  if (key.length > 1 && key !== 'Dead') return isShortcut && !isRepeat ? 'shortcut' : 'nothing'
  if (isShortcut && (zone !== 'elsewhere' || !canType)) return isRepeat ? 'nothing' : 'shortcut'
  return canType ? 'text' : 'nothing'
}

const pauseMs = 1_500
/**
 * Somebody writes, and the field goes away under their hands: a colleague has closed the conversation. What they type on
 * is no shortcut, until they pause.
 */
export const createTyping = () => {
  let until = 0
  return {
    wasInField: (key: string, now: number) => {
      until = key.length === 1 || key === 'Backspace' ? now + pauseMs : 0
    },
    /** A press of the mouse says what is meant next. */
    stops: () => {
      until = 0
    },
    goesOn: (key: string, now: number) => {
      if (key.length > 1 || now >= until) return false
      until = now + pauseMs
      return true
    },
  }
}
