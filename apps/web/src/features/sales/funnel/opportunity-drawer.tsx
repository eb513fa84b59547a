import {
  missingFor,
  type Opportunity,
  type OpportunityCreate,
  opportunityCreate,
  opportunityStatusLabels,
} from '@balcao/contract/sales/opportunities.ts'
import { stageRequirements } from '@balcao/contract/sales/pipelines.ts'
import { Button, Group, Select, Text, Textarea, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { messageOf } from '../../../kit/api-error.ts'
import { resolverOf } from '../../../kit/form.ts'
import { dayOf } from '../../../kit/format.ts'
import { useCurrentSession } from '../../../kit/session.ts'
import { useCan } from '../../../kit/use-can.ts'
import { useRowForm } from '../../../kit/use-row-form.ts'
import { ConfirmDelete } from '../../../ui/confirm-delete.tsx'
import { ConflictNotice } from '../../../ui/conflict-notice.tsx'
import { DateField } from '../../../ui/date-field.tsx'
import { FormDrawer } from '../../../ui/form-drawer.tsx'
import { MoneyField } from '../../../ui/money-input.tsx'
import { notify } from '../../../ui/notify.ts'
import { nowMs } from '../../../ui/server-time.ts'
import { StatusDot } from '../../../ui/status-dot.tsx'
import { findContacts } from '../../contacts/contacts/find-contacts.ts'
import { linkToTicket } from '../../conversations/tickets/address.ts'
import { LinkSelect } from '../../core/pickers/link-select.tsx'
import { userOptions } from '../../people/users/api.ts'
import {
  addNote,
  createOpportunity,
  deleteOpportunity,
  opportunitiesKey,
  opportunityQuery,
  saveOpportunity,
  usePipelines,
} from './api.ts'
import classes from './funnel.module.css'
import { ItemsField } from './items-field.tsx'
import { OpportunityFiles } from './opportunity-files.tsx'
import { OpportunityProposals } from './opportunity-proposals.tsx'
import { OpportunityStory } from './opportunity-story.tsx'
import { statusTones } from './words.ts'

type Draft = Required<Omit<OpportunityCreate, 'id'>>
type Props = {
  /** Null while it is being written down. */
  opportunity: Opportunity | null
  /** Where it goes, or begins. */
  stageId?: string
  contact?: { value: string; label: string }
  onClose: () => void
  onEnd?: (status: 'win' | 'lose') => void
  /** Asks by which channel to write to the contact. */
  onWrite?: () => void
  /** What other features add, between its files and its story. */
  below?: ReactNode
}

/** An opportunity beside whatever shows it: its fields, its products, its story. */
export const OpportunityDrawer = ({ opportunity, stageId, contact, onClose, onEnd, onWrite, below }: Props) => {
  const cache = useQueryClient()
  const { userId } = useCurrentSession()
  const mayWrite = useCan('funnel.write')
  const mayTalk = useCan('tickets.write')
  const { pipelines, stages } = usePipelines()
  const people = useQuery(userOptions).data ?? []
  const [asks, setAsks] = useState(false)
  const [busy, setBusy] = useState(false)
  const firstStage = stageId ?? stages.find(({ pipelineId }) => pipelineId === pipelines[0]?.id)?.id ?? ''
  const [note, setNote] = useState('')
  const [isOffering, setOffering] = useState(false)
  const { form, drawer, conflict } = useRowForm<Opportunity, Draft>({
    row: opportunity,
    isRefused: opportunity !== null && stageId !== undefined,
    valuesOf: (row) => ({
      name: row?.name ?? '',
      stageId: stageId ?? row?.stageId ?? firstStage,
      contactId: row?.contactId ?? contact?.value ?? '',
      responsibleId: row ? row.responsibleId : userId,
      closingForecast: row?.closingForecast ?? null,
      value: row?.value ?? 0,
      description: row?.description ?? '',
      source: row?.source ?? '',
      items: row?.items ?? [],
    }),
    validate: (values) => {
      const errors = resolverOf(opportunityCreate)(values)
      const stage = stages.find(({ id }) => id === values.stageId)
      const isEntering = !opportunity || opportunity.stageId !== values.stageId
      const missing =
        stage && isEntering
          ? missingFor(stage, {
              ...values,
              responsibleId: values.responsibleId ?? null,
              value: values.items.length ? 1 : values.value,
            })
          : []
      return { ...errors, ...Object.fromEntries(missing.map(({ path, message }) => [path, message])) }
    },
    save: async (values, base, id) => {
      if (!base) return createOpportunity({ ...values, id })
      const saved = await saveOpportunity(base.id, { ...values, version: base.version })
      if (note.trim()) await addNote(base.id, note)
      return saved
    },
    onSaved: (saved) => {
      cache.setQueryData(opportunityQuery(saved.id).queryKey, saved)
      void cache.invalidateQueries({ queryKey: opportunitiesKey })
      setNote('')
      if (!opportunity) notify.success('Oportunidade criada.')
      if (isOffering) notify.success('Oportunidade salva.')
      else onClose()
    },
    labelOf: (field) => labels[field.split('.')[0] ?? ''] ?? field,
  })
  const errorOf = (path: string): ReactNode => form.errors[path]
  const own = pipelines.find(({ id }) => id === stages.find((one) => one.id === form.values.stageId)?.pipelineId)
  const stageOptions = pipelines.map((pipeline) => ({
    group: pipeline.name,
    items: stages.filter((one) => one.pipelineId === pipeline.id).map(({ id, name }) => ({ value: id, label: name })),
  }))
  const handleDelete = async () => {
    if (!opportunity) return
    setBusy(true)
    try {
      await deleteOpportunity(opportunity.id)
      notify.success('Oportunidade excluída.')
      for (const what of ['list', 'days', 'board', 'contact', 'dashboard'])
        void cache.invalidateQueries({ queryKey: [...opportunitiesKey, what] })
      onClose()
    } catch (error) {
      notify.error(messageOf(error))
      setBusy(false)
    }
  }
  return (
    <>
      <FormDrawer
        {...drawer}
        dirty={drawer.dirty || isOffering || note.trim() !== ''}
        opened
        title={opportunity ? 'Oportunidade' : 'Nova oportunidade'}
        onClose={onClose}
        submitLabel={opportunity ? 'Salvar' : 'Criar oportunidade'}
        readOnly={!mayWrite}
        footer={
          opportunity &&
          mayWrite && (
            <Button variant="subtle" color="red" onClick={() => setAsks(true)}>
              Excluir
            </Button>
          )
        }
      >
        {conflict && <ConflictNotice {...conflict} />}
        {opportunity && (
          <Group justify="space-between">
            <StatusDot
              tone={statusTones[opportunity.status]}
              label={[opportunityStatusLabels[opportunity.status], opportunity.reason?.name].filter(Boolean).join(': ')}
            />
            <Group gap="xs">
              <Button
                size="xs"
                variant="subtle"
                component={Link}
                to={
                  opportunity.ticketId
                    ? linkToTicket(opportunity.ticketId)
                    : `/contatos?registro=${opportunity.contactId}`
                }
              >
                {opportunity.ticketId ? 'Abrir a conversa' : 'Ver o contato'}
              </Button>
              {onWrite && mayTalk && (
                <Button size="xs" variant="subtle" onClick={onWrite}>
                  Escrever
                </Button>
              )}
            </Group>
            {mayWrite && onEnd && opportunity.status === 'open' && (
              <Group gap="xs">
                <Button size="xs" variant="default" onClick={() => onEnd('lose')}>
                  Perder
                </Button>
                <Button size="xs" variant="default" onClick={() => onEnd('win')}>
                  Ganhar
                </Button>
              </Group>
            )}
          </Group>
        )}
        <TextInput label="Nome" required maxLength={120} data-autofocus {...form.getInputProps('name')} />
        <LinkSelect
          label="Contato"
          placeholder="Busque pelo nome ou número"
          kind="contact"
          required
          find={findContacts}
          current={opportunity ? { value: opportunity.contactId, label: opportunity.contact.name } : (contact ?? null)}
          {...form.getInputProps('contactId')}
          value={form.values.contactId || null}
          onChange={(id) => form.setFieldValue('contactId', id ?? '')}
        />
        <Select
          label={own && pipelines.length > 1 ? `Etapa de ${own.name}` : 'Etapa'}
          required
          allowDeselect={false}
          data={pipelines.length > 1 ? stageOptions : (stageOptions[0]?.items ?? [])}
          {...form.getInputProps('stageId')}
          onChange={(id) => id && form.setFieldValue('stageId', id)}
        />
        <Group grow align="flex-start" gap="sm">
          {form.values.items.length === 0 ? (
            <MoneyField
              label="Valor"
              error={form.errors.value}
              cents={form.values.value}
              onCents={(value) => form.setFieldValue('value', value)}
            />
          ) : (
            <Text size="sm" c="dimmed" mt={26}>
              O valor é o total dos produtos.
            </Text>
          )}
          <DateField
            label="Previsão de fechamento"
            minDate={opportunity?.closingForecast ? undefined : dayOf(new Date(nowMs()))}
            {...form.getInputProps('closingForecast')}
            value={form.values.closingForecast ?? ''}
            onChange={(day: string) => form.setFieldValue('closingForecast', day || null)}
          />
        </Group>
        <Group grow align="flex-start" gap="sm">
          <Select
            label="Responsável"
            searchable
            clearable
            clearButtonProps={{ 'aria-label': 'Sem responsável' }}
            nothingFoundMessage="Nada encontrado"
            data={people.map(({ id, name }) => ({ value: id, label: name }))}
            {...form.getInputProps('responsibleId')}
            value={form.values.responsibleId ?? null}
          />
          <TextInput label="Origem" placeholder="Site, indicação…" maxLength={60} {...form.getInputProps('source')} />
        </Group>
        <ItemsField
          items={form.values.items}
          onChange={(items) => form.setFieldValue('items', items)}
          errorOf={errorOf}
        />
        {errorOf('items') && (
          <Text size="sm" c="red" role="alert">
            {errorOf('items')}
          </Text>
        )}
        <Textarea
          label="Descrição"
          autosize
          minRows={2}
          maxRows={10}
          maxLength={4_000}
          {...form.getInputProps('description')}
        />
        {opportunity && (
          <>
            <OpportunityProposals opportunity={opportunity} isWriting={isOffering} onWriting={setOffering} />
            <OpportunityFiles id={opportunity.id} />
            {below}
            <div className={classes.items}>
              <OpportunityStory id={opportunity.id} note={note} onNote={setNote} />
            </div>
          </>
        )}
      </FormDrawer>
      {opportunity && (
        <ConfirmDelete
          opened={asks}
          what={`a oportunidade “${opportunity.name}”`}
          busy={busy}
          onConfirm={() => void handleDelete()}
          onClose={() => setAsks(false)}
        />
      )}
    </>
  )
}

const labels: Record<string, string> = {
  ...stageRequirements,
  name: 'Nome',
  stageId: 'Etapa',
  contactId: 'Contato',
  source: 'Origem',
}
