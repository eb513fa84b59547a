import type { Message } from '@balcao/contract/conversations/messages.ts'
import { Button } from '@mantine/core'
import { IconAbc } from '@tabler/icons-react'
import classes from './bubble.module.css'

type Props = { message: Message; onTranscribe: ((message: Message) => void) | undefined }

/** What is known of an audio's words: they stand below, are being written down, or could not be. */
export const TranscriptLine = ({ message, onTranscribe }: Props) => {
  const { payload, mediaState } = message
  const transcript = payload?.transcript
  if (transcript?.state === 'done')
    return (
      <span className={classes.story}>
        <IconAbc size={14} aria-hidden /> Transcrição automática
      </span>
    )
  if (transcript?.state === 'waiting')
    return (
      <span className={classes.story} role="status">
        Transcrevendo o áudio…
      </span>
    )
  if (mediaState !== 'ready' || (!transcript && !onTranscribe)) return null
  return (
    <span className={classes.story}>
      {transcript && <span title={transcript.error}>Não foi possível transcrever. {transcript.error}</span>}
      {onTranscribe && (
        <Button size="compact-xs" variant="subtle" onClick={() => onTranscribe(message)}>
          {transcript ? 'Transcrever de novo' : 'Transcrever'}
        </Button>
      )}
    </span>
  )
}
