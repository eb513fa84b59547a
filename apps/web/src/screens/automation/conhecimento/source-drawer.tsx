import type { KnowledgeSource, KnowledgeSourceBody } from '@balcao/contract/automation/assistants/knowledge.ts'
import { NumberInput, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { MediaField } from '../../../features/core/media/media-field.tsx'
import { reasonOf } from '../../../kit/api-error.ts'
import { FormDrawer } from '../../../ui/form-drawer.tsx'
import { addSource, changeSource } from './knowledge-api.ts'

export type SourceAsked = { kind: 'file' | 'page' } | { kind: 'text'; source?: KnowledgeSource }
type Props = { baseId: string; asked: SourceAsked; onClose: () => void; onSaved: () => void }
const titles = { file: 'Acrescentar arquivo', page: 'Acrescentar página', text: 'Acrescentar texto' }
const noPage = 'https://'
const accept = '.pdf,.docx,.xlsx,.html,.htm,.txt,.md'

/** A new source, or the text of one as it is to be. */
export const SourceDrawer = ({ baseId, asked, onClose, onSaved }: Props) => {
  const before = 'source' in asked ? asked.source : undefined
  const [mediaId, setMedia] = useState<string | null>(null)
  const [url, setUrl] = useState(noPage)
  const [refreshHours, setHours] = useState<number | null>(24)
  const [name, setName] = useState(before?.name ?? '')
  const [body, setBody] = useState(before?.body ?? '')
  const save = useMutation({
    mutationFn: () => {
      if (before) return changeSource(before.id, { name, body })
      const given: KnowledgeSourceBody =
        asked.kind === 'file'
          ? { kind: 'file', mediaId: mediaId ?? '' }
          : asked.kind === 'page'
            ? { kind: 'page', url, refreshHours }
            : { kind: 'text', name, body }
      return addSource(baseId, given)
    },
    onSuccess: onSaved,
  })
  const isChanged = mediaId !== null || url !== noPage || name !== (before?.name ?? '') || body !== (before?.body ?? '')
  return (
    <FormDrawer
      opened
      title={before ? 'Alterar texto' : titles[asked.kind]}
      dirty={isChanged}
      busy={save.isPending}
      problems={save.error ? [reasonOf(save.error)] : []}
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      {asked.kind === 'file' && (
        <MediaField
          label="Arquivo"
          description="PDF, DOCX, XLSX, HTML ou texto, até 50 MB."
          accept={accept}
          media={null}
          value={mediaId}
          onChange={setMedia}
        />
      )}
      {asked.kind === 'page' && (
        <>
          <TextInput
            data-autofocus
            required
            label="Endereço"
            description="Só esta página é lida, sem os menus."
            maxLength={1_000}
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
          />
          <NumberInput
            label="Ler de novo a cada quantas horas"
            description="Em branco, só quando você pedir."
            min={1}
            max={720}
            allowDecimal={false}
            value={refreshHours ?? ''}
            onChange={(value) => setHours(value === '' ? null : Number(value))}
          />
        </>
      )}
      {asked.kind === 'text' && (
        <>
          <TextInput
            data-autofocus
            required
            label="Título"
            maxLength={120}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Textarea
            required
            label="Texto"
            description="Uma linha que começa com # é um título."
            autosize
            minRows={8}
            maxRows={20}
            maxLength={200_000}
            value={body}
            onChange={(event) => setBody(event.currentTarget.value)}
          />
        </>
      )}
    </FormDrawer>
  )
}
