import { useEffect, useRef, useState } from 'preact/hooks'
import { say } from '../words.ts'

export const canRecord = (): boolean =>
  typeof MediaRecorder !== 'undefined' && Boolean(navigator.mediaDevices?.getUserMedia)

const FORMATS = ['audio/ogg;codecs=opus', 'audio/mp4', 'audio/webm;codecs=opus']
const ENDINGS: Record<string, string> = { 'audio/ogg': 'ogg', 'audio/mp4': 'm4a', 'audio/webm': 'webm' }
const LIMIT_S = 300

/** A voice message: hands over one file when stopped, nothing when cancelled. */
export const useRecorder = (onRecorded: (file: File) => void, onProblem: (text: string) => void) => {
  const [seconds, setSeconds] = useState<number>()
  const recorder = useRef<MediaRecorder>(undefined)
  const isKept = useRef(false)

  const finish = (keep: boolean): void => {
    isKept.current = keep
    if (recorder.current?.state === 'recording') recorder.current.stop()
  }

  useEffect(() => {
    if (seconds === undefined) return
    if (seconds >= LIMIT_S) return finish(true)
    const timer = setTimeout(() => setSeconds(seconds + 1), 1000)
    return () => clearTimeout(timer)
  }, [seconds])

  useEffect(() => {
    return () => finish(false)
  }, [])

  const start = async (): Promise<void> => {
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
      const mimeType = FORMATS.find((format) => MediaRecorder.isTypeSupported(format))
      const current = new MediaRecorder(stream, { mimeType })
      const chunks: Blob[] = []
      current.addEventListener('dataavailable', (event) => chunks.push(event.data))
      current.addEventListener('stop', () => {
        for (const track of stream.getTracks()) track.stop()
        setSeconds(undefined)
        if (!isKept.current) return
        const type = current.mimeType.split(';')[0] ?? 'audio/webm'
        onRecorded(new File(chunks, `${say('voiceFile')}.${ENDINGS[type] ?? 'webm'}`, { type }))
      })
      recorder.current = current
      current.start()
      setSeconds(0)
    } catch {
      onProblem(say('microphone'))
    }
  }

  return { seconds, start, stop: () => finish(true), cancel: () => finish(false) }
}
