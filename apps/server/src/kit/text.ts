/** Text as PostgreSQL accepts it: no NUL, no half of a surrogate pair. */
export const cleanText = (text: string) => text.replaceAll('\0', '').toWellFormed()

/** A Content-ID as its header and as an address in a mail's text name it. */
export const contentIdOf = (written: string): string => {
  const bare = written.trim().replace(/^<|>$/g, '').slice(0, 300)
  try {
    return decodeURIComponent(bare)
  } catch {
    return bare
  }
}

/** The same of JSON before it is read, names of fields included. */
export const cleanJson = (json: string): string =>
  /\\u(0000|[dD][89a-fA-F])/.test(json) ? json.replace(escapes, storable) : json

/** A whole pair, what has to go, or any other escape: `\\u0000` is a backslash and five letters. */
const escapes = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u0000|\\u[dD][89a-fA-F][\da-fA-F]{2}|\\./g
const storable = (sign: string) => {
  if (sign === '\\u0000') return ''
  return /^\\u[dD][89a-fA-F]..$/.test(sign) ? '\\ufffd' : sign
}

/** Nobody writes so many boxes in boxes, and what walks through them by recursion would run out of stack. */
const deepest = 64
export const isTooDeep = (json: string): boolean => {
  let depth = 0
  let isQuoted = false
  for (let at = 0; at < json.length; at += 1) {
    const sign = json[at]
    if (isQuoted && sign === '\\') at += 1
    else if (sign === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (sign === '[' || sign === '{') depth += 1
    else if (sign === ']' || sign === '}') depth -= 1
    if (depth > deepest) return true
  }
  return false
}
