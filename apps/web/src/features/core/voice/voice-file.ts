import { encodeOpus } from './encode.ts'
import { oggOf } from './ogg.ts'
import { opusFromWebm } from './webm.ts'

const voiceType = 'audio/ogg; codecs=opus'

/** What MediaRecorder is asked for, best first: what already is a voice message, then what becomes one without loss. */
export const recordingTypes = ['audio/ogg;codecs=opus', 'audio/webm;codecs=opus', 'audio/mp4'] as const

/**
 * A recording as a voice message. Chrome's WebM is put into Ogg as it is, Safari's AAC is encoded anew; where the
 * browser cannot, the recording goes as it came.
 */
export const voiceFileOf = async (recording: Blob): Promise<File> => {
  const ogg = await oggBytes(recording)
  if (ogg) return new File([ogg], 'audio.ogg', { type: voiceType })
  const ending = recording.type.startsWith('audio/webm') ? 'webm' : 'm4a'
  return new File([recording], `audio.${ending}`, { type: recording.type })
}

const oggBytes = async (recording: Blob): Promise<BlobPart | undefined> => {
  if (recording.type.startsWith('audio/ogg')) return recording
  try {
    if (recording.type.startsWith('audio/webm'))
      return oggOf(opusFromWebm(new Uint8Array(await recording.arrayBuffer())))
    const stream = await encodeOpus(recording)
    return stream && oggOf(stream)
  } catch {
    return undefined // a container nobody expected: the channel may still take it as it is
  }
}
