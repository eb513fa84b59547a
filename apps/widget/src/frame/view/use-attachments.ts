import { useEffect, useRef, useState } from 'preact/hooks'
import { ApiError, type UploadAnswer } from '../api.ts'
import type { Chat } from '../chat.ts'
import { findFileProblem, type Uploads } from '../files.ts'
import { say } from '../words.ts'

export type Attachment = {
  key: number
  file: File
  previewUrl?: string
  progress: number
  upload?: UploadAnswer
  problem?: string
  /** Refused before it left: there is nothing to try again. */
  isRefused: boolean
}

/** Files chosen for the next message; each starts uploading at once, so that sending is instant. */
export const useAttachments = (chat: Chat, uploads: Uploads) => {
  const [attachments, setAttachments] = useState<Attachment[]>([])
  const aborts = useRef(new Map<number, AbortController>())
  const nextKey = useRef(1)

  const patch = (key: number, change: Partial<Attachment>): void =>
    setAttachments((all) => all.map((one) => (one.key === key ? { ...one, ...change } : one)))

  const upload = async (key: number, file: File): Promise<void> => {
    const abort = new AbortController()
    aborts.current.set(key, abort)
    patch(key, { problem: undefined, progress: 0 })
    try {
      const answer = await chat.upload(file, {
        signal: abort.signal,
        onProgress: (progress) => patch(key, { progress }),
      })
      patch(key, { upload: answer, progress: 1 })
    } catch (error) {
      if (!abort.signal.aborted) patch(key, { problem: error instanceof ApiError ? error.message : say('failed') })
    } finally {
      aborts.current.delete(key)
    }
  }

  const release = (one: Attachment): void => {
    aborts.current.get(one.key)?.abort()
    if (one.previewUrl) URL.revokeObjectURL(one.previewUrl)
  }

  useEffect(() => {
    const running = aborts.current
    return () => {
      for (const abort of running.values()) abort.abort()
    }
  }, [])

  return {
    attachments,
    add(files: Iterable<File>): void {
      for (const file of files) {
        const key = nextKey.current++
        const problem = findFileProblem(file, uploads)
        const previewUrl = file.type.startsWith('image/') && !problem ? URL.createObjectURL(file) : undefined
        setAttachments((all) => [...all, { key, file, previewUrl, progress: 0, problem, isRefused: Boolean(problem) }])
        if (!problem) void upload(key, file)
      }
    },
    retry: ({ key, file }: Attachment): void => void upload(key, file),
    remove(one: Attachment): void {
      release(one)
      setAttachments((all) => all.filter(({ key }) => key !== one.key))
    },
    /** After sending; what failed on the way stays, to be tried again. */
    dropSent(): void {
      const isKept = (one: Attachment): boolean => !one.upload && !one.isRefused
      for (const one of attachments) if (!isKept(one)) release(one)
      setAttachments((all) => all.filter(isKept))
    },
  }
}
