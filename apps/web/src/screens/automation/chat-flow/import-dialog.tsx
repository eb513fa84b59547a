import type { ImportNote } from '@balcao/contract/automation/flows/flows.ts'
import { Button, FileButton, Group, Modal, Stack, Text } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  builderPath,
  createFlow,
  deleteFlow,
  draftQuery,
  type FlowImported,
  flowList,
  importFlow,
  readDraft,
  writeDraft,
} from '../../../features/automation/flows/api.ts'
import { reasonOf } from '../../../kit/api-error.ts'
import { plural } from '../../../kit/format.ts'
import { useGo } from '../../../kit/use-go.ts'
import classes from './import-dialog.module.css'

const levels: { level: ImportNote['level']; title: string }[] = [
  { level: 'lost', title: 'Não foi possível trazer' },
  { level: 'changed', title: 'Ficou diferente' },
  { level: 'kept', title: 'Ficou como era' },
]
const unreadable = 'Este arquivo não é de um fluxo. Escolha o arquivo .json que foi exportado.'
type Outcome = FlowImported & { id: string }

/** A flow from a file, ours or of the Izing family, and what became of each of its steps. Null: as a new flow. */
export const ImportDialog = ({ flowId, onClose }: { flowId: string | null; onClose: () => void }) => {
  const cache = useQueryClient()
  const go = useGo()
  const read = useMutation({
    mutationFn: async (file: File): Promise<Outcome> => {
      const content = parse(await file.text())
      if (flowId) return { ...(await readIn(flowId, content)), id: flowId }
      const taken = await cache.fetchQuery(flowList)
      const name = nameIn(content) || file.name.replace(/\.json$/i, '').slice(0, 60)
      const { id } = await createFlow(freeName(name, new Set(taken.map((flow) => flow.name.toLowerCase()))))
      try {
        return { ...(await readIn(id, content)), id }
      } catch (error) {
        await deleteFlow(id).catch(() => undefined)
        throw error
      }
    },
    onSuccess: ({ id }) => {
      void cache.invalidateQueries({ queryKey: ['resource', 'chatFlow'] })
      void cache.invalidateQueries({ queryKey: draftQuery(id).queryKey })
    },
  })
  const report = read.data
  const error = read.error && (read.error instanceof SyntaxError ? unreadable : reasonOf(read.error))
  return (
    <Modal
      opened
      onClose={onClose}
      title={report ? 'Fluxo importado' : 'Importar fluxo'}
      size={560}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <Stack gap="sm">
        {report ? (
          <>
            <Text c="dimmed">
              {report.notes.length
                ? `${plural(report.notes.length, 'passo lido', 'passos lidos')} do arquivo. Confira o que mudou antes de publicar.`
                : 'Tudo veio como estava.'}
            </Text>
            {levels.map(({ level, title }) => {
              const notes = report.notes.filter((note) => note.level === level)
              return (
                notes.length > 0 && (
                  <details key={level} open={level !== 'kept'} className={classes.level}>
                    <summary>
                      {title} ({notes.length})
                    </summary>
                    <ul className={classes.notes}>
                      {notes.map(({ what, how }) => (
                        <li key={what + how}>
                          <strong>{what}</strong> {how}
                        </li>
                      ))}
                    </ul>
                  </details>
                )
              )
            })}
            <Group justify="flex-end">
              <Button
                data-autofocus
                onClick={() => {
                  onClose()
                  if (!flowId) go(builderPath(report.id))
                }}
              >
                {flowId ? 'Ver o fluxo' : 'Abrir o fluxo'}
              </Button>
            </Group>
          </>
        ) : (
          <>
            <Text c="dimmed">
              Aceita arquivos exportados daqui e os da família Izing (.json).
              {flowId && ' O rascunho é trocado pelo que há no arquivo; o que está publicado continua valendo.'}
            </Text>
            {error && (
              <Text c="red" role="alert">
                {error}
              </Text>
            )}
            <FileButton accept="application/json,.json" onChange={(file) => file && read.mutate(file)}>
              {(props) => (
                <Button
                  {...props}
                  data-autofocus
                  loading={read.isPending}
                  leftSection={<IconFileImport size={18} aria-hidden />}
                >
                  Escolher arquivo
                </Button>
              )}
            </FileButton>
          </>
        )}
      </Stack>
    </Modal>
  )
}

/** One step of that family becomes several of ours, which would lie upon its neighbours where it stood. */
const readIn = async (id: string, content: unknown) => {
  const imported = await importFlow(id, content)
  if (imported.from === 'izing') {
    const [{ arranged }, { revision, nodes }] = await Promise.all([
      import('../../../features/automation/flows/geometry.ts'),
      readDraft(id),
    ])
    await writeDraft(id, { base: revision, upserts: arranged(nodes), removes: [] })
  }
  return imported
}

const parse = (text: string): unknown => JSON.parse(text)
/** The file of a flow that is here already becomes another one beside it. */
const freeName = (name: string, taken: ReadonlySet<string>) => {
  for (let n = 1; ; n += 1) {
    const end = n === 1 ? '' : ` (${n})`
    const found = `${name.slice(0, 60 - end.length)}${end}`
    if (!taken.has(found.toLowerCase())) return found
  }
}
const nameIn = (content: unknown) =>
  typeof content === 'object' && content !== null && 'name' in content ? String(content.name).trim().slice(0, 60) : ''
