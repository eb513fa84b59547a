/** The signature and the marks of WhatsApp tell nothing in one line. */
export const plainPreview = (text: string) =>
  text
    .replace(/^\*[^*\n]+\*:\s*/, '')
    .replace(/[*_~`]{1,3}(\S[^*_~`]*)[*_~`]{1,3}/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
