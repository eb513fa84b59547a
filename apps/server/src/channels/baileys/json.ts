/** The library's own JSON (`BufferJSON`), without the library: bytes as `{ type: 'Buffer', data: base64 }`. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_key, one: unknown) => {
    const bytes = bytesOf(one)
    return bytes ? { type: 'Buffer', data: bytes.toString('base64') } : one
  })

export const fromJson = (text: string): unknown =>
  JSON.parse(text, (_key, one: unknown) => {
    if (typeof one !== 'object' || one === null || !('type' in one) || one.type !== 'Buffer') return one
    return 'data' in one && typeof one.data === 'string' ? Buffer.from(one.data, 'base64') : one
  })

/** A Buffer has become `{ type, data: number[] }` by the time a replacer sees it. */
const bytesOf = (one: unknown): Buffer | undefined => {
  if (one instanceof Uint8Array) return Buffer.from(one)
  if (typeof one !== 'object' || one === null || !('type' in one) || one.type !== 'Buffer') return undefined
  return 'data' in one && Array.isArray(one.data) ? Buffer.from(one.data) : undefined
}
