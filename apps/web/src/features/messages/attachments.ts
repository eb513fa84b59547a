import type { Media, MediaKind } from '@balcao/contract/media.ts'
import { useSyncExternalStore } from 'react'
import { upload } from '../../kit/api.ts'
import { isApiError, messageOf } from '../../kit/api-error.ts'
import { onConnected } from '../../kit/socket.ts'

/** A file waiting in the composer: sent to the server as soon as it is chosen, to the customer when the person says so. */
export type Attachment = {
  id: string
  name: string
  size: number
  kind: MediaKind
  /** Shown before the server has made a thumbnail. */
  previewUrl: string | null
  progress: number
  media: Media | null
  error: string | null
  /** It failed for want of a connection: it is sent up again by itself. */
  isOffline: boolean
  caption: string
}

const nothing: readonly Attachment[] = []
const trays = new Map<string, readonly Attachment[]>()
const cancels = new Map<string, AbortController>()
const listeners = new Set<() => void>()
/** What still has to go up. */
const sources = new Map<string, { ticketId: string; file: File }>()
const blank = { progress: 0, media: null, error: null, isOffline: false, caption: '' }
let nextId = 1

/** The files of one conversation's composer; they stay when another conversation is opened. */
export const useAttachments = (ticketId: string) =>
  useSyncExternalStore(subscribe, () => trays.get(ticketId) ?? nothing)
export const attachmentsOf = (ticketId: string) => trays.get(ticketId) ?? nothing

export const attachFiles = (ticketId: string, files: readonly File[]) => {
  for (const file of files) void attachFile(ticketId, file)
}

/** Puts a file in the composer and sends it up; answers it once the server has it, null when that did not work. */
export const attachFile = (ticketId: string, file: File): Promise<{ id: string; media: Media } | null> => {
  const id = `${nextId++}`
  const kind = kindOf(file.type)
  const previewUrl = kind === 'image' || kind === 'video' ? URL.createObjectURL(file) : null
  add(ticketId, { ...blank, id, name: file.name || 'imagem.png', size: file.size, kind, previewUrl })
  sources.set(id, { ticketId, file })
  return send(id)
}

/** Sends up once more what failed. */
export const retryUpload = (id: string) => void send(id)

/** A file the server already has, such as that of a quick message. */
export const attachMedia = (ticketId: string, media: Media, caption = '') => {
  const { name, size, kind, thumbUrl: previewUrl } = media
  add(ticketId, { ...blank, id: `${nextId++}`, name, size, kind, previewUrl, progress: 1, media, caption })
}

export const writeCaption = (ticketId: string, id: string, caption: string) => patch(ticketId, id, { caption })

/** Puts a file in another place among the others. */
export const moveAttachment = (ticketId: string, id: string, to: number) => {
  const items = attachmentsOf(ticketId)
  const moved = items.find((one) => one.id === id)
  if (!moved || to < 0 || to >= items.length || items[to] === moved) return
  set(ticketId, items.filter((one) => one !== moved).toSpliced(to, 0, moved))
}

/** Takes a file out; on its way, its sending is cancelled. */
export const detach = (ticketId: string, id: string) => {
  cancels.get(id)?.abort()
  sources.delete(id)
  const gone = attachmentsOf(ticketId).find((one) => one.id === id)
  if (gone?.previewUrl?.startsWith('blob:')) URL.revokeObjectURL(gone.previewUrl)
  set(
    ticketId,
    attachmentsOf(ticketId).filter((one) => one.id !== id),
  )
}

const send = async (id: string): Promise<{ id: string; media: Media } | null> => {
  const source = sources.get(id)
  if (!source || cancels.has(id)) return null
  const { ticketId, file } = source
  const cancel = new AbortController()
  cancels.set(id, cancel)
  patch(ticketId, id, { error: null, isOffline: false, progress: 0 })
  try {
    const media = await upload<Media>({
      path: '/media',
      file,
      onProgress: (progress) => patch(ticketId, id, { progress }),
      signal: cancel.signal,
    })
    patch(ticketId, id, { media, kind: media.kind, progress: 1 })
    sources.delete(id)
    return { id, media }
  } catch (error) {
    const isOffline = isApiError(error) && (error.status === 0 || error.status >= 502)
    if (!cancel.signal.aborted) patch(ticketId, id, { error: messageOf(error), isOffline })
    return null
  } finally {
    cancels.delete(id)
  }
}

const retryOffline = () => {
  for (const [id, { ticketId }] of sources) {
    if (attachmentsOf(ticketId).some((one) => one.id === id && one.isOffline)) retryUpload(id)
  }
}
onConnected(retryOffline)
window.addEventListener('online', retryOffline)

const kindOf = (mime: string): MediaKind => {
  const [kind] = mime.split('/')
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'document'
}

const add = (ticketId: string, attachment: Attachment) => set(ticketId, [...attachmentsOf(ticketId), attachment])
const patch = (ticketId: string, id: string, change: Partial<Attachment>) =>
  set(
    ticketId,
    attachmentsOf(ticketId).map((one) => (one.id === id ? { ...one, ...change } : one)),
  )

const set = (ticketId: string, next: readonly Attachment[]) => {
  trays.set(ticketId, next)
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
