import { ActionIcon, Button, Tooltip } from '@mantine/core'
import {
  IconMicrophoneOff,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerRecordFilled,
  IconPlayerStopFilled,
  IconSend2,
  IconTrash,
} from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { formatClock } from '../../../kit/format.ts'
import { useSteady } from '../../../kit/use-steady.ts'
import { longestMs, NoMicrophone, type Recorder, type Recording, startRecorder } from './recorder.ts'
import { tellRecording } from './recording-signal.ts'
import classes from './voice-bar.module.css'
import { Waveform } from './waveform.tsx'

type Props = {
  /** The conversation that is told of it; null: nobody waits for this recording. */
  placeId: string | null
  /** What becomes of it; it is sent when not given. */
  submitLabel?: string
  onSend: (file: File) => void
  /** What was recorded when the bar was taken away, neither sent nor thrown away. Lost when not given. */
  onLeave?: (file: File) => void
  onClose: () => void
}
type Step = 'asking' | 'recording' | 'paused' | 'finishing'

/** Records a voice message in the place of the composer: record, pause, listen, send or throw away. */
export const VoiceBar = ({ placeId, submitLabel, onSend, onLeave, onClose }: Props) => {
  const [step, setStep] = useState<Step>('asking')
  const [problem, setProblem] = useState<string | null>(null)
  const [levels, setLevels] = useState<number[]>([])
  const [lengthMs, setLength] = useState(0)
  const [recording, setRecording] = useState<Recording | null>(null)
  const [attempt, setAttempt] = useState(0)
  const recorder = useRef<Recorder | null>(null)
  const bar = useRef<HTMLElement>(null)
  // Escape throws away from the first moment, and after the button that stopped it is gone.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each face of the bar
  useEffect(() => {
    bar.current?.focus()
  }, [recording])

  const isSettled = useRef(false)
  const leave = useSteady(() => {
    const running = recorder.current
    recorder.current = null
    if (isSettled.current || !onLeave) return running?.cancel()
    if (recording) onLeave(recording.file)
    else if (lengthMs > 0) void running?.stop().then(({ file }) => onLeave(file))
    else running?.cancel()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` opens the microphone again
  useEffect(() => {
    if (recording) return
    let isGone = false
    setStep('asking')
    setProblem(null)
    startRecorder((level, length) => {
      setLevels((now) => [...now.slice(-39), level])
      setLength(length)
    })
      .then((started) => {
        if (isGone) return started.cancel()
        recorder.current = started
        setStep('recording')
      })
      .catch((error: unknown) => {
        if (!isGone)
          setProblem(error instanceof NoMicrophone ? error.message : 'Não foi possível gravar. Tente de novo.')
      })
    return () => {
      isGone = true
    }
  }, [attempt])
  // Another conversation is opened over it: the effects end, and the bar is gone or only hidden.
  useEffect(() => {
    return leave
  }, [leave])
  const isSpeaking = step === 'recording' && recording === null
  useEffect(() => {
    if (isSpeaking && placeId) return tellRecording(placeId)
  }, [isSpeaking, placeId])

  const finish = async (): Promise<Recording | null> => {
    const running = recorder.current
    if (!running) return null
    recorder.current = null
    setStep('finishing')
    return running.stop()
  }
  const handleStop = async () => setRecording(await finish())
  const handleSend = async () => {
    const done = recording ?? (await finish())
    if (!done) return
    isSettled.current = true
    onSend(done.file)
  }
  const handleDiscard = () => {
    isSettled.current = true
    onClose()
  }
  const handlePause = () => {
    if (step === 'recording') recorder.current?.pause()
    else recorder.current?.resume()
    setStep(step === 'recording' ? 'paused' : 'recording')
  }
  const isTooLong = lengthMs >= longestMs
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the limit is reached
  useEffect(() => {
    if (isTooLong) void handleStop()
  }, [isTooLong])
  const handleKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    handleDiscard()
  }

  const isLive = step === 'recording' || step === 'paused'
  return (
    <section ref={bar} tabIndex={-1} className={classes.voice} aria-label="Gravação de áudio" onKeyDown={handleKey}>
      {problem ? (
        <Help text={problem}>
          <Button size="compact-sm" variant="light" autoFocus onClick={() => setAttempt(attempt + 1)}>
            Tentar de novo
          </Button>
          <Button size="compact-sm" variant="subtle" color="gray" onClick={handleDiscard}>
            Fechar
          </Button>
        </Help>
      ) : (
        <>
          <Tooltip label="Descartar (Esc)">
            <ActionIcon aria-label="Descartar gravação" onClick={handleDiscard}>
              <IconTrash size={19} stroke={1.75} />
            </ActionIcon>
          </Tooltip>
          {recording ? (
            <Preview recording={recording} />
          ) : (
            <>
              <IconPlayerRecordFilled size={14} className={classes.dot} data-live={step === 'recording'} aria-hidden />
              <span className={`${classes.time} tabular`} role="timer" aria-label="Tempo gravado">
                {formatClock(lengthMs / 1_000)}
              </span>
              <Waveform levels={[...Array<number>(Math.max(0, 40 - levels.length)).fill(0), ...levels]} bars={40} />
              <span className={classes.state} role="status">
                {step === 'asking' ? 'Abrindo o microfone…' : step === 'paused' ? 'Pausado' : ''}
              </span>
              <Tooltip label={step === 'paused' ? 'Continuar' : 'Pausar'}>
                <ActionIcon
                  aria-label={step === 'paused' ? 'Continuar gravação' : 'Pausar gravação'}
                  disabled={!isLive}
                  onClick={handlePause}
                >
                  {step === 'paused' ? <IconPlayerRecordFilled size={18} /> : <IconPlayerPauseFilled size={18} />}
                </ActionIcon>
              </Tooltip>
              <Tooltip label="Parar e ouvir">
                <ActionIcon aria-label="Parar e ouvir" disabled={!isLive} onClick={() => void handleStop()}>
                  <IconPlayerStopFilled size={18} />
                </ActionIcon>
              </Tooltip>
            </>
          )}
          <Button
            size="sm"
            disabled={!recording && (!isLive || lengthMs === 0)}
            loading={step === 'finishing' && !recording}
            aria-label={submitLabel ? `${submitLabel} áudio` : 'Enviar áudio'}
            rightSection={!submitLabel && <IconSend2 size={17} stroke={1.75} aria-hidden />}
            onClick={() => void handleSend()}
          >
            {submitLabel ?? 'Enviar'}
          </Button>
        </>
      )}
    </section>
  )
}

const Help = ({ text, children }: { text: string; children: ReactNode }) => (
  <span className={classes.help} role="alert">
    <IconMicrophoneOff size={19} stroke={1.75} aria-hidden />
    <span>{text}</span>
    {children}
  </span>
)

/** What would be sent, to listen to first. */
const Preview = ({ recording: { file, levels, lengthMs } }: { recording: Recording }) => {
  const audio = useRef<HTMLAudioElement>(null)
  const [url, setUrl] = useState<string>()
  const [isPlaying, setPlaying] = useState(false)
  const [at, setAt] = useState(0)
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  const length = lengthMs / 1_000
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: one's own voice, a moment ago */}
      <audio
        ref={audio}
        src={url}
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onEnded={() => setAt(0)}
        onTimeUpdate={(event) => setAt(event.currentTarget.currentTime)}
      />
      <ActionIcon
        aria-label={isPlaying ? 'Pausar áudio' : 'Ouvir áudio'}
        onClick={() => (isPlaying ? audio.current?.pause() : void audio.current?.play())}
      >
        {isPlaying ? <IconPlayerPauseFilled size={18} /> : <IconPlayerPlayFilled size={18} />}
      </ActionIcon>
      <Waveform levels={levels} bars={60} played={length ? at / length : 0} />
      <span className={`${classes.time} tabular`}>{formatClock(at > 0 ? at : length)}</span>
    </>
  )
}
