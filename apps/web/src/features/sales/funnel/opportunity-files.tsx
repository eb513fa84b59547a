import type { Media } from '@balcao/contract/core/media.ts'
import type { OpportunityFile } from '@balcao/contract/sales/proposals.ts'
import { ActionIcon, Anchor, Button, FileButton, Progress, Text } from '@mantine/core'
import { IconPaperclip, IconX } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { upload } from '../../../kit/api.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { formatBytes } from '../../../kit/format.ts'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { useCan } from '../../../kit/use-can.ts'
import { ConfirmDelete } from '../../../ui/confirm-delete.tsx'
import { notify } from '../../../ui/notify.ts'
import { opportunitiesKey } from './api.ts'
import classes from './funnel.module.css'
import { addFile, filesQuery, removeFile } from './proposals-api.ts'

/** Files kept with an opportunity: plans, photographs, what was signed. */
export const OpportunityFiles = ({ id }: { id: string }) => {
  const cache = useQueryClient()
  const mayWrite = useCan('funnel.write')
  const files = useQuery(filesQuery(id)).data ?? []
  const [progress, setProgress] = useState<number | null>(null)
  const [removing, setRemoving] = useState<OpportunityFile | null>(null)
  const [busy, setBusy] = useState(false)
  const change = async (work: () => Promise<OpportunityFile[]>) => {
    try {
      cache.setQueryData(filesQuery(id).queryKey, await work())
      void cache.invalidateQueries({ queryKey: [...opportunitiesKey, 'timeline'] })
    } catch (error) {
      notify.error(messageOf(error))
    } finally {
      setProgress(null)
    }
  }
  const handleFile = (file: File | null) => {
    if (!file) return
    setProgress(0)
    void change(async () => {
      const { id: mediaId } = await upload<Media>({ path: '/media', file, onProgress: setProgress })
      return addFile(id, mediaId)
    })
  }
  const handleRemove = async () => {
    if (!removing) return
    setBusy(true)
    await change(() => removeFile(id, removing.id))
    setBusy(false)
    setRemoving(null)
  }
  return (
    <section aria-label="Arquivos" className={classes.items}>
      <Text fw={500} size="sm">
        Arquivos
      </Text>
      {files.length > 0 && (
        <ul className={classes.lines}>
          {files.map((file) => {
            const { id: fileId, media, user, createdAt } = file
            return (
              <li key={fileId}>
                <span className={classes.line}>
                  <Anchor href={media.url} target="_blank" rel="noreferrer" className="truncate">
                    {media.name}
                  </Anchor>
                  <span className={classes.meta}>
                    {formatBytes(media.size)} · {user?.name ?? 'Usuário removido'} · <RelativeTime moment={createdAt} />
                  </span>
                </span>
                {mayWrite && (
                  <ActionIcon aria-label={`Tirar ${media.name}`} onClick={() => setRemoving(file)}>
                    <IconX size={16} />
                  </ActionIcon>
                )}
              </li>
            )
          })}
        </ul>
      )}
      {progress !== null ? (
        <Progress value={progress * 100} aria-label="Envio do arquivo" />
      ) : (
        mayWrite && (
          <FileButton onChange={handleFile}>
            {(props) => (
              <Button
                {...props}
                size="xs"
                variant="default"
                style={{ alignSelf: 'flex-start' }}
                leftSection={<IconPaperclip size={14} aria-hidden />}
              >
                Guardar arquivo
              </Button>
            )}
          </FileButton>
        )
      )}
      <ConfirmDelete
        opened={removing !== null}
        what={`o arquivo “${removing?.media.name}”`}
        busy={busy}
        onConfirm={() => void handleRemove()}
        onClose={() => setRemoving(null)}
      />
    </section>
  )
}
