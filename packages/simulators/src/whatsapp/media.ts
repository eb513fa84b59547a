import type { Media } from '../handset.ts'

/** A file as a gateway is given it: an address, or Base64 with or without what it is. */
export const bytesOf = async (media: string, closing: AbortSignal): Promise<Buffer | undefined> => {
  if (!/^https?:/.test(media)) return Buffer.from(media.replace(/^data:[^,]*,/, ''), 'base64')
  const answer = await fetch(media, { signal: AbortSignal.any([closing, AbortSignal.timeout(10_000)]) })
  return answer.ok ? Buffer.from(await answer.arrayBuffer()) : undefined
}

export const mediaMessage = (kind: string, { mimeType, filename }: Media, caption?: string) => ({
  [`${kind}Message`]: { mimetype: mimeType, fileName: filename, ...(caption && { caption }) },
})
