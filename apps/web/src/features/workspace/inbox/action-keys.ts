/** The letters that do something with the conversation in focus, else with the open one. Apart from what they do, for the first load. */
export const actionKeys = {
  accept: ['A'],
  transfer: ['T'],
  pause: ['P', 'S'],
  close: ['E'],
  unread: ['U'],
} as const
export type ActionLetter = Lowercase<(typeof actionKeys)[keyof typeof actionKeys][number]>
export const actionLetters = Object.values(actionKeys)
  .flat()
  .map((letter) => letter.toLowerCase() as ActionLetter) // the same letters in small
