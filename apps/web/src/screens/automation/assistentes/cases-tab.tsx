import type { Assistant } from '@balcao/contract/automation/assistants/assistants.ts'
import {
  type AssistantCase,
  assistantCaseResource,
  expectationLabels,
} from '@balcao/contract/automation/assistants/evaluation.ts'
import { ActionIcon, Button, Group, Switch, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { casesQuery } from '../../../features/automation/assistants/api.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { deleteRow } from '../../../kit/resource-api.ts'
import { ConfirmDelete } from '../../../ui/confirm-delete.tsx'
import { notify } from '../../../ui/notify.ts'
import { CaseDrawer } from './case-drawer.tsx'
import type { Values } from './config-fields.tsx'
import classes from './editor.module.css'
import { Evaluations } from './evaluations.tsx'

type Props = { assistantId: string; published: Assistant['published']; form: UseFormReturnType<Values> }
/** Conversations whose outcome is known, and how drafts, versions and accounts do on them. */
export const CasesTab = ({ assistantId, published, form }: Props) => {
  const cache = useQueryClient()
  const cases = useQuery(casesQuery(assistantId))
  const [edited, setEdited] = useState<AssistantCase | 'new' | null>(null)
  const [removed, setRemoved] = useState<AssistantCase | null>(null)
  const renew = () => void cache.invalidateQueries({ queryKey: ['resource', assistantCaseResource.event] })
  const remove = useMutation({
    mutationFn: (id: string) => deleteRow(assistantCaseResource, id),
    onSuccess: renew,
    onError: (error) => notify.error(messageOf(error)),
    onSettled: () => setRemoved(null),
  })
  return (
    <div className={classes.column}>
      <fieldset className={classes.group}>
        <legend className={classes.legend}>Casos</legend>
        <Text size="sm" c="dimmed">
          Conversas de exemplo e o que se espera delas. Para publicar, todas têm de passar, ou alguém assina o motivo.
        </Text>
        {cases.data?.map((one) => (
          <div key={one.id} className={classes.caseRow}>
            <div>
              <Text size="sm" fw={600}>
                {one.name}
              </Text>
              <Text size="xs" c="dimmed">
                {one.lines.join(' → ')}
              </Text>
              <Text size="xs">
                {one.expects
                  .map(({ kind, value }) => [expectationLabels[kind], value].filter(Boolean).join(': '))
                  .join(' · ')}
              </Text>
            </div>
            <Group gap={4} wrap="nowrap">
              <Button
                size="compact-sm"
                variant="subtle"
                aria-label={`Alterar ${one.name}`}
                onClick={() => setEdited(one)}
              >
                Alterar
              </Button>
              <ActionIcon size={32} aria-label={`Excluir ${one.name}`} onClick={() => setRemoved(one)}>
                <IconTrash size={16} stroke={1.75} />
              </ActionIcon>
            </Group>
          </div>
        ))}
        <Button variant="default" leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setEdited('new')}>
          Criar caso
        </Button>
        <Switch
          label="Conferir toda noite"
          description="O que está publicado responde os casos entre 3h e 4h, e quem cuida dos assistentes é avisado se piorou. Custa como qualquer resposta."
          {...form.getInputProps('evaluatesNightly', { type: 'checkbox' })}
        />
      </fieldset>
      {(cases.data?.length ?? 0) > 0 && <Evaluations assistantId={assistantId} published={published} />}
      <ConfirmDelete
        opened={removed !== null}
        what={`o caso ${removed?.name ?? ''}`}
        busy={remove.isPending}
        onConfirm={() => removed && remove.mutate(removed.id)}
        onClose={() => setRemoved(null)}
      />
      {edited && (
        <CaseDrawer
          assistantId={assistantId}
          row={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
          onSaved={() => {
            renew()
            setEdited(null)
          }}
        />
      )}
    </div>
  )
}
