/** Without accents and capitals: how words are compared when somebody looks for them. */
export const plainText = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()

/** Whether the words looked for are all in the texts, whatever the accents and capitals. */
export const isFound = (search: string, ...texts: (string | undefined)[]): boolean => {
  const text = plainText(texts.join(' '))
  return plainText(search)
    .split(/\s+/)
    .every((word) => text.includes(word))
}
