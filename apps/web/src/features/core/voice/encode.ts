import { opusHead } from './ogg.ts'
import type { OpusStream } from './webm.ts'

const sampleRate = 48_000
const preSkip = 312 // 6.5 ms, the look-ahead of libopus
const chunkSamples = 960 * 50

/** Decodes any recording the browser can play and encodes it as Opus; undefined where the browser cannot. */
export const encodeOpus = async (recording: Blob): Promise<OpusStream | undefined> => {
  const config: AudioEncoderConfig = { codec: 'opus', sampleRate, numberOfChannels: 1, bitrate: 32_000 }
  if (typeof AudioEncoder === 'undefined') return undefined
  if (!(await AudioEncoder.isConfigSupported(config).catch(() => null))?.supported) return undefined

  const context = new OfflineAudioContext(1, 1, sampleRate)
  const sound = await context.decodeAudioData(await recording.arrayBuffer())
  const samples = sound.getChannelData(0)
  const packets: Uint8Array[] = []
  let failure: Error | undefined
  const encoder = new AudioEncoder({
    output: (chunk) => {
      const packet = new Uint8Array(chunk.byteLength)
      chunk.copyTo(packet)
      packets.push(packet)
    },
    error: (error) => {
      failure = error
    },
  })
  encoder.configure(config)
  for (let at = 0; at < samples.length; at += chunkSamples) {
    const data = samples.slice(at, at + chunkSamples)
    const numberOfFrames = data.length
    const timestamp = Math.round((at / sampleRate) * 1_000_000)
    const piece = new AudioData({
      format: 'f32-planar',
      sampleRate,
      numberOfFrames,
      numberOfChannels: 1,
      timestamp,
      data,
    })
    encoder.encode(piece)
    piece.close()
  }
  await encoder.flush()
  encoder.close()
  if (failure) throw failure
  return { head: opusHead({ channels: 1, preSkip, sampleRate }), packets }
}
