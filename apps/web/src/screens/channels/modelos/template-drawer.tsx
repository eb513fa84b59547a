import { emptyDraft, isEditable, type TemplateDraft } from '@balcao/contract/channels/template-draft.ts'
import { rejectionText, templateStatusLabels } from '@balcao/contract/channels/template-text.ts'
import type { MessageTemplate } from '@balcao/contract/channels/templates.ts'
import { Alert, Button, Drawer, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { messageOf } from '../../../kit/api-error.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { TemplateEditor } from './template-editor.tsx'
import { type WrittenTemplate, writtenTemplate } from './templates-api.ts'

type Props = {
  /** `novo` while it is being made. */
  id: string
  connections: { id: string; name: string }[]
  onClose: () => void
  onDuplicate: (template: MessageTemplate) => void
  onDelete: (template: MessageTemplate) => void
}

/** A template beside the list: a new one, a copy of another, or one as it stands at Meta. */
export const TemplateDrawer = (props: Props) => {
  const [params] = useSearchParams()
  const isNew = props.id === 'novo'
  const source = isNew ? params.get('de') : props.id
  const stored = useQuery({ ...writtenTemplate(source ?? ''), enabled: source !== null })
  if (source === null) return <Editing {...props} row={null} draft={emptyDraft} />
  if (!stored.data)
    return (
      <Drawer opened position="right" size={460} onClose={props.onClose} title="Modelo">
        {stored.isError ? (
          <ErrorState message={messageOf(stored.error)} onRetry={() => void stored.refetch()} />
        ) : (
          <SkeletonList rows={4} height={60} />
        )}
      </Drawer>
    )
  const { draft } = stored.data
  if (isNew) return <Editing {...props} key={source} row={null} draft={draft ? copyOf(draft) : emptyDraft} />
  return <Editing {...props} row={stored.data} draft={draft} />
}

const copyOf = (draft: TemplateDraft): TemplateDraft => ({ ...draft, name: `${draft.name}_copia`.slice(0, 512) })

type EditingProps = Props & { row: WrittenTemplate | null; draft: TemplateDraft | null }
const Editing = ({ row, draft, connections, onClose, onDuplicate, onDelete }: EditingProps) => {
  const isFixed = row !== null && (!draft || !isEditable(row.status))
  return (
    <TemplateEditor
      row={row}
      draft={draft ?? { ...emptyDraft, name: row?.name ?? '' }}
      connections={connections}
      readOnly={isFixed}
      hasParts={draft !== null}
      onClose={onClose}
      footer={
        row && (
          <Group gap={4}>
            <Button variant="subtle" color="red" onClick={() => onDelete(row)}>
              Excluir
            </Button>
            {draft && (
              <Button variant="subtle" color="gray" onClick={() => onDuplicate(row)}>
                Duplicar
              </Button>
            )}
          </Group>
        )
      }
    >
      {row && <Judgement row={row} />}
    </TemplateEditor>
  )
}

/** What Meta thinks of it, and what follows. */
const Judgement = ({ row }: { row: WrittenTemplate }) => {
  const label = templateStatusLabels[row.status] ?? row.status
  const why = rejectionText(row.rejectedReason)
  const advice = row.obstacle ?? advices[row.status]
  if (!advice && !why) return null
  return (
    <Alert color={row.status === 'APPROVED' ? 'blue' : 'amber'} title={label}>
      {[why, advice].filter(Boolean).join(' ')}
    </Alert>
  )
}
const advices: Partial<Record<string, string>> = {
  APPROVED: 'Ao salvar, o modelo volta à análise. A Meta aceita uma mudança por dia e dez por mês.',
  PENDING: 'A Meta está analisando: até a resposta ele não pode mudar.',
  REJECTED: 'Corrija e salve para enviar à análise de novo.',
  PAUSED: 'A Meta o pausou por baixa qualidade. Reescreva-o, ou espere que volte sozinho.',
  DISABLED: 'A Meta o desativou de vez. Duplique-o com outro texto.',
}
