import { recordingTypes, voiceFileOf } from './voice-file.ts'

export const levelEveryMs = 100
/** A recording with nobody speaking into it ends by itself. */
export const longestMs = 15 * 60_000

export type Recording = { file: File; levels: readonly number[]; lengthMs: number }
export type Recorder = {
  pause: () => void
  resume: () => void
  /** The recording as a voice message. */
  stop: () => Promise<Recording>
  /** Throws it away and lets the microphone go. */
  cancel: () => void
}

/** Why there is no recording, and what to do about it. */
export class NoMicrophone extends Error {}

/** Records the microphone; `onLevel` hears ten times a second how loud it is (0 to 1) and for how long so far. */
export const startRecorder = async (onLevel: (level: number, lengthMs: number) => void): Promise<Recorder> => {
  const stream = await openMicrophone()
  const mimeType = recordingTypes.find((type) => MediaRecorder.isTypeSupported(type))
  const recorder = new MediaRecorder(stream, { mimeType, audioBitsPerSecond: 32_000 })
  const meter = meterOf(stream)
  const chunks: Blob[] = []
  const levels: number[] = []
  recorder.ondataavailable = ({ data }) => {
    if (data.size) chunks.push(data)
  }
  const timer = setInterval(() => {
    if (recorder.state !== 'recording') return
    const level = meter.level()
    levels.push(level)
    onLevel(level, levels.length * levelEveryMs)
  }, levelEveryMs)
  recorder.start(1_000)

  const letGo = () => {
    clearInterval(timer)
    meter.close()
    for (const track of stream.getTracks()) track.stop()
  }
  return {
    pause: () => recorder.state === 'recording' && recorder.pause(),
    resume: () => recorder.state === 'paused' && recorder.resume(),
    cancel: () => {
      recorder.ondataavailable = null
      if (recorder.state !== 'inactive') recorder.stop()
      letGo()
    },
    stop: async () => {
      if (recorder.state !== 'inactive') {
        await new Promise<void>((resolve) => {
          recorder.onstop = () => resolve()
          recorder.stop()
        })
      }
      letGo()
      const file = await voiceFileOf(new Blob(chunks, { type: recorder.mimeType || mimeType }))
      return { file, levels, lengthMs: levels.length * levelEveryMs }
    },
  }
}

const openMicrophone = async (): Promise<MediaStream> => {
  if (!window.isSecureContext) throw new NoMicrophone('O navegador só libera o microfone em endereços https.')
  if (!navigator.mediaDevices || typeof MediaRecorder === 'undefined')
    throw new NoMicrophone('Este navegador não grava áudio. Atualize-o ou envie um arquivo de áudio.')
  try {
    return await navigator.mediaDevices.getUserMedia({
      audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true },
    })
  } catch (error) {
    throw new NoMicrophone(reasonOf(error))
  }
}

const reasonOf = (error: unknown): string => {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError')
    return 'O microfone está bloqueado para este site. Clique no cadeado ao lado do endereço, permita o microfone e tente de novo.'
  if (name === 'NotFoundError') return 'Nenhum microfone foi encontrado. Conecte um e tente de novo.'
  if (name === 'NotReadableError') return 'O microfone está em uso por outro programa. Feche-o e tente de novo.'
  return 'Não foi possível abrir o microfone. Confira se ele está conectado e tente de novo.'
}

const meterOf = (stream: MediaStream) => {
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  analyser.fftSize = 1_024
  context.createMediaStreamSource(stream).connect(analyser)
  const wave = new Float32Array(analyser.fftSize)
  return {
    level: () => {
      analyser.getFloatTimeDomainData(wave)
      const power = wave.reduce((sum, value) => sum + value * value, 0) / wave.length
      return Math.min(1, Math.sqrt(power) * 4)
    },
    close: () => void context.close(),
  }
}
