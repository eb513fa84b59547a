/**
 * Words in UTF-8 that were read as Windows-1252, which is what a sender that names a wrong charset, or one nobody knows,
 * makes of them: "informaÃ§Ã£o". What comes to valid UTF-8 with letters beyond ASCII in it is never anything else.
 */
export const readAsMeant = (text: string): string => {
  if (!/[\u00c2-\u00f4][^\p{ASCII}]/u.test(text)) return text
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at += 1) {
    const byte = byteOf.get(text.charCodeAt(at))
    if (byte === undefined) return text
    bytes[at] = byte
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return text
  }
}

const letters = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))
const byteOf = new Map([...letters].map((letter, byte) => [letter.charCodeAt(0), byte]))
