/** Files come when they are asked for; their keys and pictures in small are no business of a journal. */
const dropped = new Set([
  'apikey',
  'token',
  'hash',
  'base64',
  'qrcode',
  'qrcodebase64',
  'paircode',
  'pairingcode',
  'server_url',
  'destination',
  'mediakey',
  'jpegthumbnail',
  'pngthumbnail',
  'filesha256',
  'fileencsha256',
  'messagesecret',
  'waveform',
])
/** By these a gateway that keeps no file itself fetches it from WhatsApp. */
export const fileKeys: ReadonlySet<string> = new Set(['mediakey', 'filesha256', 'fileencsha256'])

/** A copy without what nobody may find in a journal, however a library spells it; of those, `kept` stays. */
export const withoutSecrets = (value: unknown, kept?: ReadonlySet<string>): unknown => {
  if (Array.isArray(value)) return value.map((one) => withoutSecrets(one, kept))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const plain = name.toLowerCase()
      return dropped.has(plain) && !kept?.has(plain) ? [] : [[name, withoutSecrets(inner, kept)]]
    }),
  )
}

const perPiece = 200
/** Years of talk, in pieces a journal can hold. */
export const inChunks = (data: unknown): unknown[][] => {
  const all: unknown[] = Array.isArray(data) ? data : []
  return Array.from({ length: Math.ceil(all.length / perPiece) }, (_, at) =>
    all.slice(at * perPiece, (at + 1) * perPiece),
  )
}
