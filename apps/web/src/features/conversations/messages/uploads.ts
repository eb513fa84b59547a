import type { Media, MediaKind } from '@balcao/contract/core/media.ts'
import { useSyncExternalStore } from 'react'
import { v7 } from 'uuid'
import { upload as sendUp } from '../../../kit/api.ts'
import { ApiError, isApiError, isUnanswered, messageOf } from '../../../kit/api-error.ts'
import { exclusively } from '../../../kit/exclusively.ts'
import { onConnected } from '../../../kit/socket.ts'
import { onOwnerChange } from './drawer.ts'
import { dropFile, dropOldFiles, keepFile, readFile } from './kept-files.ts'

/** A file by its id: what the tray and a message on its way remember of it. */
export type ChosenFile = { id: string; name: string; size: number; kind: MediaKind }

/** How far a chosen file is. */
export type Upload = {
  /** From 0 to 1. */
  progress: number
  media: Media | null
  /** As it is on this device: shown before the server has it. */
  localUrl: string | null
  error: string | null
  /** Tried again it would be refused again: it is too large, empty, or gone. */
  isRefused: boolean
  /** It waits for a connection and goes by itself. */
  isOffline: boolean
  /** It would not outlive a reload: there was no room for it here. */
  isLoose: boolean
}

const untouched: Upload = {
  ...{ progress: 0, media: null, localUrl: null },
  ...{ error: null, isRefused: false, isOffline: false, isLoose: false },
}
const uploads = new Map<string, Upload>()
const files = new Map<string, File>()
const running = new Map<string, Promise<Media>>()
const cancels = new Map<string, AbortController>()
const listeners = new Set<() => void>()

export const uploadOf = (id: string): Upload => uploads.get(id) ?? untouched
export const useUpload = (id: string) => useSyncExternalStore(subscribe, () => uploadOf(id))
/** What somebody asks of several files; a plain value, so that only its change is drawn. */
export const useUploads = <T extends boolean | number>(ask: () => T) => useSyncExternalStore(subscribe, ask)

/** Keeps a file on this device and sends it up at once. */
export const chooseFile = (file: File): ChosenFile => {
  const id = v7()
  files.set(id, file)
  set(id, { ...untouched, localUrl: URL.createObjectURL(file) })
  void begin(id, async (signal) => {
    const isKept = await keepFile(id, { file, media: null }, signal)
    patch(id, { isLoose: !isKept })
  })
  return { id, name: file.name || 'imagem.png', size: file.size, kind: kindOf(file.type) }
}

/** A file the server already has, such as that of a quick message. */
export const chooseMedia = (media: Media): ChosenFile => {
  const id = v7()
  set(id, { ...untouched, media, progress: 1 })
  void keepFile(id, { file: null, media })
  return { id, name: media.name, size: media.size, kind: media.kind }
}

/** The server's copy of a file: sent up now when it is not there yet, by this page or another of this browser. */
export const upload = (id: string): Promise<Media> => {
  const { media } = uploadOf(id)
  if (media) return Promise.resolve(media)
  return running.get(id) ?? begin(id)
}

/** Brings back what a page before this one, or another, kept: it can be shown. */
export const recallFile = async (id: string): Promise<void> => {
  if (files.has(id) || uploadOf(id).media) return
  const kept = await readFile(id)
  if (!kept || files.has(id)) return
  if (kept.file) files.set(id, kept.file)
  const localUrl = kept.file && URL.createObjectURL(kept.file)
  set(id, { ...uploadOf(id), localUrl, ...(kept.media && { media: kept.media, progress: 1 }) })
}

/** Nobody needs it any more: on its way, its sending is cancelled. */
export const discardFile = async (id: string): Promise<void> => {
  const going = running.get(id)
  forget(id)
  await going?.catch(() => undefined) // it may be about to keep it
  await dropFile(id)
}

/** Nobody needs any of them any more: what is on its way is cancelled, and not kept. */
export const stopUploads = () => {
  for (const id of [...uploads.keys()]) forget(id)
}

const begin = (id: string, before?: (signal: AbortSignal) => Promise<void>): Promise<Media> => {
  const cancel = new AbortController()
  const { signal } = cancel
  cancels.set(id, cancel)
  if (!uploads.has(id)) uploads.set(id, untouched)
  const going = (async () => {
    await before?.(signal)
    signal.throwIfAborted()
    return exclusively(`arquivo-${id}`, () => send(id, signal))
  })()
  running.set(id, going)
  going
    .catch((error: unknown) => {
      if (signal.aborted) return
      const isRefused = isApiError(error) && refusals.includes(error.status)
      patch(id, { error: messageOf(error), isRefused, isOffline: isUnanswered(error) })
    })
    .finally(() => running.get(id) === going && running.delete(id))
  return going
}

const send = async (id: string, signal: AbortSignal): Promise<Media> => {
  await recallFile(id)
  signal.throwIfAborted()
  patch(id, { progress: 0, error: null, isRefused: false, isOffline: false })
  const known = (await readFile(id))?.media // another page may have sent it up while this one waited for its turn
  const media = known ?? (await sendFile(id, signal))
  patch(id, { media, progress: 1 })
  return media
}

const sendFile = async (id: string, signal: AbortSignal): Promise<Media> => {
  const file = files.get(id)
  if (!file) throw new ApiError({ status: 410, code: 'ERR_FILE_GONE', message: goneText })
  if (file.size === 0) throw new ApiError({ status: 422, code: 'ERR_EMPTY_FILE', message: emptyText })
  const onProgress = (progress: number) => patch(id, { progress })
  const media = await sendUp<Media>({ path: '/media', file, onProgress, signal })
  signal.throwIfAborted()
  if (!uploadOf(id).isLoose) await keepFile(id, { file, media }, signal)
  return media
}
const refusals = [410, 413, 415, 422]
const emptyText = 'O arquivo está vazio.'
const goneText = 'Este arquivo não está mais neste navegador. Escolha-o de novo.'

const retryOffline = () => {
  for (const [id, { isOffline }] of uploads) {
    if (isOffline) void upload(id)
  }
}

const kindOf = (mime: string): MediaKind => {
  const [kind] = mime.split('/')
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'document'
}

const patch = (id: string, change: Partial<Upload>) => {
  if (uploads.has(id)) set(id, { ...uploadOf(id), ...change }) // else nobody needs it any more
}
const set = (id: string, upload: Upload) => {
  uploads.set(id, upload)
  for (const listener of listeners) listener()
}

const forget = (id: string) => {
  cancels.get(id)?.abort()
  cancels.delete(id)
  files.delete(id)
  const { localUrl } = uploadOf(id)
  if (localUrl) URL.revokeObjectURL(localUrl)
  uploads.delete(id)
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

// At the end: they need everything above.
void dropOldFiles()
onOwnerChange(stopUploads)
onConnected(retryOffline)
window.addEventListener('online', retryOffline)
