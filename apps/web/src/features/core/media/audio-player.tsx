import type { Media } from '@balcao/contract/core/media.ts'
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { formatClock } from '../../../kit/format.ts'
import classes from './audio-player.module.css'

const speeds = [1, 1.5, 2] as const
const speedKey = 'velocidadeAudio'
/** One voice at a time. */
let speaking: HTMLAudioElement | null = null

/** A recording: play, a line to move along, and 1x, 1,5x or 2x, remembered for the next one. */
export const AudioPlayer = ({ media, onBroken }: { media: Media; onBroken: () => void }) => {
  const audio = useRef<HTMLAudioElement>(null)
  const [isPlaying, setPlaying] = useState(false)
  const [at, setAt] = useState(0)
  const [length, setLength] = useState((media.durationMs ?? 0) / 1000)
  const [speed, setSpeed] = useState(storedSpeed)

  useEffect(() => {
    const element = audio.current
    return () => {
      if (speaking === element) speaking = null
    }
  }, [])

  const handleToggle = () => {
    const element = audio.current
    if (!element) return
    if (!element.paused) return element.pause()
    if (speaking !== element) speaking?.pause()
    speaking = element
    element.playbackRate = speed
    void element.play().catch(onBroken)
  }
  const handleSpeed = () => {
    const next = speeds[(speeds.indexOf(speed) + 1) % speeds.length] ?? 1
    setSpeed(next)
    localStorage.setItem(speedKey, String(next))
    if (audio.current) audio.current.playbackRate = next
  }

  return (
    <span className={classes.player}>
      {/* biome-ignore lint/a11y/useMediaCaption: a voice message has no captions */}
      <audio
        ref={audio}
        src={media.url}
        preload="none"
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onEnded={() => setAt(0)}
        onTimeUpdate={(event) => setAt(event.currentTarget.currentTime)}
        onLoadedMetadata={({ currentTarget: { duration } }) => Number.isFinite(duration) && setLength(duration)}
      />
      <button
        type="button"
        className={classes.play}
        onClick={handleToggle}
        aria-label={isPlaying ? 'Pausar áudio' : 'Ouvir áudio'}
      >
        {isPlaying ? <IconPlayerPauseFilled size={18} /> : <IconPlayerPlayFilled size={18} />}
      </button>
      <span className={classes.middle}>
        <input
          type="range"
          className={classes.line}
          aria-label="Posição do áudio"
          aria-valuetext={formatClock(at)}
          min={0}
          max={Math.max(length, 0.1)}
          step={0.1}
          value={Math.min(at, length || at)}
          style={{ '--played': `${length ? (at / length) * 100 : 0}%` } as React.CSSProperties /* custom property */}
          onChange={(event) => {
            const to = Number(event.currentTarget.value)
            setAt(to)
            if (audio.current) audio.current.currentTime = to
          }}
        />
        <span className={`${classes.time} tabular`}>{formatClock(isPlaying || at > 0 ? at : length)}</span>
      </span>
      <button
        type="button"
        className={`${classes.speed} tabular`}
        onClick={handleSpeed}
        aria-label={`Velocidade ${label(speed)}`}
      >
        {label(speed)}
      </button>
    </span>
  )
}

type Speed = (typeof speeds)[number]
const label = (speed: Speed) => `${speed.toLocaleString('pt-BR')}x`
const storedSpeed = (): Speed => speeds.find((speed) => String(speed) === localStorage.getItem(speedKey)) ?? 1
