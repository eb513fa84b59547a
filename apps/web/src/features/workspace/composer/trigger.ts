/** What a word being typed just before the caret asks for. */
export type Trigger = { kind: 'quick' | 'macro' | 'variable' | 'mention' | 'member'; word: string; start: number }

// `/word` and `\word` begin the text or follow a space; `@` may be followed by a whole name.
const called = /(?<![\p{L}\p{N}_.])@([^@\n]{0,60})$/u
const patterns = {
  quick: /(?:^|(?<=\s))\/([\p{L}\p{N}_-]*)$/u,
  macro: /(?:^|(?<=\s))\\([\p{L}\p{N}_ -]{0,60})$/u,
  variable: /\{\{\s*([\w.]*)$/u,
  mention: called,
  member: called,
} as const
const kinds = {
  reply: ['variable', 'quick', 'macro'],
  group: ['variable', 'quick', 'macro', 'member'],
  note: ['mention', 'quick', 'macro'],
} as const

/** Variables are for the customer; colleagues are called in notes, members in a group. */
export const triggerAt = (text: string, caret: number, where: keyof typeof kinds): Trigger | null => {
  const before = text.slice(0, caret)
  for (const kind of kinds[where]) {
    const found = patterns[kind].exec(before)
    if (found) return { kind, word: found[1] ?? '', start: found.index }
  }
  return null
}
