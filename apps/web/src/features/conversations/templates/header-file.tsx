import type { Media } from '@balcao/contract/core/media.ts'
import { ActionIcon, Button, FileButton, Group, Input, Progress, Text } from '@mantine/core'
import { IconPaperclip, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { upload } from '../../../kit/api.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { formatBytes } from '../../../kit/format.ts'

const kinds = {
  image: { label: 'Imagem do cabeçalho', accept: 'image/jpeg,image/png', hint: 'JPEG ou PNG, até 5 MB.' },
  video: { label: 'Vídeo do cabeçalho', accept: 'video/mp4,video/3gpp', hint: 'MP4, até 16 MB.' },
  document: { label: 'Documento do cabeçalho', accept: '', hint: 'De preferência PDF, até 100 MB.' },
} as const

type Props = {
  kind: keyof typeof kinds
  label?: string
  media: Media | null
  onChange: (media: Media | null) => void
  error?: string
}

/** The file above a template, sent up as soon as it is chosen. */
export const HeaderFile = ({ kind, label = kinds[kind].label, media, onChange, error }: Props) => {
  const { accept, hint } = kinds[kind]
  const [progress, setProgress] = useState<number | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const cancel = useRef<AbortController>(null)
  useEffect(() => {
    return () => cancel.current?.abort()
  }, [])

  const handleFile = async (file: File | null) => {
    if (!file) return
    const controller = new AbortController()
    cancel.current = controller
    setProblem(null)
    setProgress(0)
    try {
      const stored = await upload<Media>({
        path: '/media',
        file,
        onProgress: setProgress,
        signal: controller.signal,
      })
      if (stored.kind === kind) onChange(stored)
      else setProblem(`Este arquivo não serve aqui. ${hint}`)
    } catch (failure) {
      if (!controller.signal.aborted) setProblem(messageOf(failure))
    } finally {
      setProgress(null)
    }
  }

  return (
    <Input.Wrapper label={label} description={hint} error={problem ?? error}>
      {progress !== null ? (
        <Group my={6} gap="xs" wrap="nowrap">
          <Progress value={progress * 100} flex={1} aria-label="Envio do arquivo" />
          <ActionIcon aria-label="Cancelar envio" onClick={() => cancel.current?.abort()}>
            <IconX size={16} />
          </ActionIcon>
        </Group>
      ) : media ? (
        <Group my={6} gap="xs" wrap="nowrap">
          <Text truncate flex={1}>
            {media.name}{' '}
            <Text span c="dimmed">
              {formatBytes(media.size)}
            </Text>
          </Text>
          <ActionIcon aria-label="Remover arquivo" onClick={() => onChange(null)}>
            <IconX size={16} />
          </ActionIcon>
        </Group>
      ) : (
        <FileButton onChange={(file) => void handleFile(file)} accept={accept || undefined}>
          {(props) => (
            <Button my={6} variant="default" leftSection={<IconPaperclip size={16} aria-hidden />} {...props}>
              Escolher arquivo
            </Button>
          )}
        </FileButton>
      )}
    </Input.Wrapper>
  )
}
