import type { Media } from '@balcao/contract/core/media.ts'
import { ActionIcon, Button, FileButton, Group, Input, Progress, Text } from '@mantine/core'
import { IconFile, IconPaperclip, IconX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { upload } from '../../../kit/api.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { formatBytes } from '../../../kit/format.ts'

type Props = {
  label: string
  description?: string | null
  chooseLabel?: string
  accept?: string
  media: Media | null
  value?: string | null
  onChange?: (id: string | null) => void
  /** The same for who keeps more of the file than its id. */
  onMedia?: (media: Media | null) => void
  /** What becomes of a chosen file before it is sent. */
  prepare?: (file: File) => Promise<File>
  /** A file that came by another way than the button. */
  given?: File | null
  error?: ReactNode
  /** Other ways to a file, beside the button. */
  children?: ReactNode
}

/** One file, sent as soon as it is chosen, with progress and cancel. */
export const MediaField = ({
  label,
  description = 'Opcional. Vai junto com a mensagem.',
  chooseLabel = 'Escolher arquivo',
  accept,
  media,
  value,
  onChange,
  onMedia,
  prepare,
  given = null,
  error,
  children,
}: Props) => {
  const [sent, setSent] = useState(media)
  const [progress, setProgress] = useState<number | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const cancel = useRef<AbortController>(null)
  const shown = value && sent?.id === value ? sent : null

  const tell = (next: Media | null) => {
    setSent(next)
    onChange?.(next?.id ?? null)
    onMedia?.(next)
  }
  const handleFile = async (file: File | null) => {
    if (!file) return
    cancel.current = new AbortController()
    setProblem(null)
    setProgress(0)
    try {
      const stored = await upload<Media>({
        path: '/media',
        file: (await prepare?.(file)) ?? file,
        onProgress: setProgress,
        signal: cancel.current.signal,
      })
      tell(stored)
    } catch (failure) {
      setProblem(messageOf(failure))
    } finally {
      setProgress(null)
    }
  }

  const handleGiven = useEffectEvent((file: File) => {
    void handleFile(file)
  })
  useEffect(() => {
    if (given) handleGiven(given)
  }, [given])

  return (
    <Input.Wrapper label={label} description={description} error={problem ?? error}>
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
          <ActionIcon aria-label="Remover arquivo" onClick={() => tell(null)}>
            <IconX size={16} />
          </ActionIcon>
        </Group>
      ) : (
        <Group gap="xs">
          <FileButton accept={accept} onChange={(file) => void handleFile(file)}>
            {(props) => (
              <Button mt={6} variant="default" leftSection={<IconPaperclip size={16} aria-hidden />} {...props}>
                {chooseLabel}
              </Button>
            )}
          </FileButton>
          {children}
        </Group>
      )}
    </Input.Wrapper>
  )
}
