/** Without accents and capitals: how words are compared when somebody looks for them. */
export const plainText = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()

/** Whether each word looked for begins one of the texts', whatever the accents and capitals: "ana" is not in "semana". */
export const isFound = (search: string, ...texts: (string | undefined)[]): boolean => {
  const words = wordsOf(texts.join(' '))
  return wordsOf(search).every((wanted) => words.some((word) => word.startsWith(wanted)))
}

const wordsOf = (text: string) => plainText(text).match(/[\p{L}\p{N}]+/gu) ?? []
