const folded = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')

/** So many letters in a row are no coincidence. */
const run = 48
const secrets = [
  /\bsk-[a-z0-9_-]{16,}/i,
  /\bsk-ant-[a-z0-9_-]{10,}/i,
  /\bAIza[\w-]{30,}/,
  /\bAKIA[0-9A-Z]{16}\b/,
  /\bgsk_[A-Za-z0-9]{20,}/,
  /\bxai-[A-Za-z0-9]{20,}/,
  /\bBearer\s+[A-Za-z0-9._-]{16,}/i,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/,
]

/**
 * Whether an answer gives away what only the model was told (`secretTexts`: the instructions), or anything that looks like
 * a key: as it is, with other marks between the letters, backwards, or in base64 or hexadecimal.
 */
export const isLeak = (answer: string, secretTexts: readonly string[]): boolean => {
  const readings = [answer, [...answer].reverse().join(''), ...decoded(answer)]
  if (readings.some((one) => secrets.some((pattern) => pattern.test(one)))) return true
  const said = readings.map(folded)
  return secretTexts.map(folded).some((secret) => {
    if (secret.length < run) return secret.length >= 24 && said.some((one) => one.includes(secret))
    for (let at = 0; at + run <= secret.length; at += 8)
      if (said.some((one) => one.includes(secret.slice(at, at + run)))) return true
    return false
  })
}

const decoded = (text: string): string[] => [
  ...(text.replace(/\s+/g, '').match(/[A-Za-z0-9+/]{40,}={0,2}/g) ?? []).map((one) =>
    Buffer.from(one, 'base64').toString(),
  ),
  ...(text.replace(/\s+/g, '').match(/(?:[\da-f]{2}){24,}/gi) ?? []).map((one) => Buffer.from(one, 'hex').toString()),
]
