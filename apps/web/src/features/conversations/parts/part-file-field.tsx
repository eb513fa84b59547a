import type { Media } from '@balcao/contract/core/media.ts'
import { Button } from '@mantine/core'
import { IconMicrophone } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { MediaField } from '../../core/media/media-field.tsx'
import { voiceFileOf } from '../../core/voice/voice-file.ts'

const VoiceBar = lazy(async () => ({ default: (await import('../../core/voice/voice-bar.tsx')).VoiceBar }))

type Props = {
  media: Media | null
  isVoice: boolean
  onChange: (media: Media | null) => void
  error: ReactNode
}

/** The file of a part; a voice note is recorded here, or made of any sound the browser can play. */
export const PartFileField = ({ media, isVoice, onChange, error }: Props) => {
  const [recorded, setRecorded] = useState<File | null>(null)
  const [isRecording, setRecording] = useState(false)
  if (!isVoice)
    return (
      <MediaField
        label="Arquivo"
        description={null}
        media={media}
        value={media?.id ?? null}
        onMedia={onChange}
        error={error}
      />
    )
  if (isRecording)
    return (
      <Suspense fallback={null}>
        <VoiceBar
          placeId={null}
          submitLabel="Usar"
          onSend={(file) => {
            setRecording(false)
            setRecorded(file)
          }}
          onClose={() => setRecording(false)}
        />
      </Suspense>
    )
  return (
    <MediaField
      label="Áudio"
      description="O cliente ouve como uma mensagem de voz."
      chooseLabel="Escolher áudio"
      accept="audio/*"
      prepare={voiceFileOf}
      given={recorded}
      media={media}
      value={media?.id ?? null}
      onMedia={onChange}
      error={error}
    >
      <Button
        mt={6}
        variant="default"
        leftSection={<IconMicrophone size={16} aria-hidden />}
        onClick={() => setRecording(true)}
      >
        Gravar
      </Button>
    </MediaField>
  )
}
