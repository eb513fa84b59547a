import type { Media } from '@balcao/contract/core/media.ts'
import { ActionIcon, Button, FileButton, Group, Input, Progress, Text } from '@mantine/core'
import { IconFile, IconPaperclip, IconX } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { upload } from '../../../kit/api.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { formatBytes } from '../../../kit/format.ts'

type Props = {
  label: string
  media: Media | null
  value?: string | null
  onChange?: (id: string | null) => void
  error?: string
}

/** One file, sent as soon as it is chosen, with progress and cancel. */
export const MediaField = ({ label, media, value, onChange, error }: Props) => {
  const [sent, setSent] = useState(media)
  const [progress, setProgress] = useState<number | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const cancel = useRef<AbortController>(null)
  const shown = value && sent?.id === value ? sent : null

  const handleFile = async (file: File | null) => {
    if (!file) return
    cancel.current = new AbortController()
    setProblem(null)
    setProgress(0)
    try {
      const stored = await upload<Media>({
        path: '/media',
        file,
        onProgress: setProgress,
        signal: cancel.current.signal,
      })
      setSent(stored)
      onChange?.(stored.id)
    } catch (failure) {
      setProblem(messageOf(failure))
    } finally {
      setProgress(null)
    }
  }

  return (
    <Input.Wrapper label={label} description="Opcional. Vai junto com a mensagem." error={problem ?? error}>
      {progress !== null ? (
        <Group mt={6} gap="xs" wrap="nowrap">
          <Progress value={progress * 100} flex={1} aria-label="Envio do arquivo" />
          <ActionIcon aria-label="Cancelar envio" onClick={() => cancel.current?.abort()}>
            <IconX size={16} />
          </ActionIcon>
        </Group>
      ) : shown ? (
        <Group mt={6} gap="xs" wrap="nowrap">
          {shown.thumbUrl ? (
            <img src={shown.thumbUrl} alt="" width={40} height={40} style={{ objectFit: 'cover' }} />
          ) : (
            <IconFile size={20} aria-hidden />
          )}
          <Text truncate flex={1}>
            {shown.name}{' '}
            <Text span c="dimmed">
              {formatBytes(shown.size)}
            </Text>
          </Text>
          <ActionIcon aria-label="Remover arquivo" onClick={() => onChange?.(null)}>
            <IconX size={16} />
          </ActionIcon>
        </Group>
      ) : (
        <FileButton onChange={(file) => void handleFile(file)}>
          {(props) => (
            <Button mt={6} variant="default" leftSection={<IconPaperclip size={16} aria-hidden />} {...props}>
              Escolher arquivo
            </Button>
          )}
        </FileButton>
      )}
    </Input.Wrapper>
  )
}
