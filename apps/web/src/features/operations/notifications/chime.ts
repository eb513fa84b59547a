import { alone } from '../../../kit/exclusively.ts'

/** As long as the tones are heard: what else is told meanwhile sounds with them. */
const soundsMs = 800

/** One sound in all windows of this browser. Browsers allow it once the person has touched the page. */
export const chime = () => {
  if (!navigator.userActivation?.hasBeenActive) return
  void alone('som', async () => {
    play()
    await new Promise((over) => setTimeout(over, soundsMs))
  })
}

/** Two soft tones, made here: no file to load. */
const play = () => {
  const audio = new AudioContext()
  for (const [index, frequency] of [660, 880].entries()) {
    const start = audio.currentTime + index * 0.12
    const tone = audio.createOscillator()
    const volume = audio.createGain()
    tone.frequency.value = frequency
    volume.gain.setValueAtTime(0.0001, start)
    volume.gain.exponentialRampToValueAtTime(0.12, start + 0.02)
    volume.gain.exponentialRampToValueAtTime(0.0001, start + 0.28)
    tone.connect(volume).connect(audio.destination)
    tone.start(start)
    tone.stop(start + 0.3)
  }
  setTimeout(() => void audio.close(), soundsMs)
}
