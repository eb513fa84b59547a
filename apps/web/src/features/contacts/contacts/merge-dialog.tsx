import type { Contact, MergeConflict, MergeField, MergePreview } from '@balcao/contract/contacts/contacts.ts'
import { Alert, Anchor, Button, Group, Modal, Radio, Stack, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconAlertTriangle, IconArrowsExchange } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { isApiError, messageOf, reasonOf } from '../../../kit/api-error.ts'
import { plural } from '../../../kit/format.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { notify } from '../../../ui/notify.ts'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { ContactPicker } from './contact-picker.tsx'
import { conflictsIn, mergeContacts, mergePreviewQuery, renewContacts } from './merge-api.ts'
import classes from './merge-dialog.module.css'
import { showPhone } from './phone.ts'

type Props = {
  contact: Contact
  /** Known from the start: a possible duplicate. */
  other?: Contact
  onClose: () => void
  onMerged?: (kept: Contact) => void
}

/** Makes two contacts one: who is the other, which values stay, what moves; it can be undone. */
export const MergeDialog = ({ contact, other, onClose, onMerged }: Props) => {
  const [pair, setPair] = useState(other ? { keptId: contact.id, otherId: other.id } : null)
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  return (
    <Modal
      opened
      onClose={onClose}
      size={620}
      fullScreen={isNarrow}
      title={<Text fw={600}>Unir contatos</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      {pair ? (
        <Preview
          key={pair.keptId}
          {...pair}
          onSwap={() => setPair({ keptId: pair.otherId, otherId: pair.keptId })}
          onBack={other ? undefined : () => setPair(null)}
          onClose={onClose}
          onMerged={onMerged}
        />
      ) : (
        <>
          <Text size="sm" c="dimmed" mb="sm">
            Quem é a mesma pessoa que {contact.name}?
          </Text>
          <ContactPicker
            height={380}
            onPick={(picked) => {
              if (picked.id === contact.id) return notify.info('Este é o próprio contato. Escolha o outro.')
              if (picked.isGroup) return notify.info('Conversas de grupo não podem ser unidas.')
              setPair({ keptId: contact.id, otherId: picked.id })
            }}
          />
        </>
      )}
    </Modal>
  )
}

type PreviewProps = {
  keptId: string
  otherId: string
  onSwap: () => void
  onBack?: () => void
  onClose: () => void
  onMerged?: (kept: Contact) => void
}
const Preview = ({ keptId, otherId, onSwap, onBack, onClose, onMerged }: PreviewProps) => {
  const cache = useQueryClient()
  const preview = useQuery(mergePreviewQuery(keptId, otherId))
  const [choices, setChoices] = useState<Record<string, 'kept' | 'other'>>({})
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<MergeConflict[]>([])
  if (preview.isError) return <ErrorState message={messageOf(preview.error)} onRetry={() => void preview.refetch()} />
  if (!preview.data) return <SkeletonList rows={5} height={48} />

  const { kept, other, fields, conflicts } = preview.data
  const blocking = refused.length ? refused : conflicts
  const choiceOf = (field: MergeField) => choices[field.key] ?? firstChoice(field)
  const merge = async () => {
    setBusy(true)
    try {
      const take = fields.filter((field) => choiceOf(field) === 'other').map((field) => field.key)
      const merged = await mergeContacts(keptId, otherId, take)
      renewContacts(cache)
      notify.success(`${other.name} agora faz parte de ${merged.name}.`)
      onMerged?.(merged)
      onClose()
    } catch (error) {
      if (isApiError(error, 'ERR_CONTACTS_BOTH_ACTIVE')) setRefused(conflictsIn(error.details))
      else notify.error(reasonOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Stack gap="md">
      <div className={classes.pair}>
        <Person contact={kept} part="Fica" />
        <Button
          variant="default"
          size="xs"
          leftSection={<IconArrowsExchange size={16} aria-hidden />}
          onClick={onSwap}
          disabled={busy}
        >
          Trocar
        </Button>
        <Person contact={other} part="Passa a fazer parte" />
      </div>
      {blocking.length > 0 && <Conflicts conflicts={blocking} names={[kept.name, other.name]} />}
      {fields.length > 0 && (
        <fieldset className={classes.fields} aria-label="Qual valor fica">
          {fields.map((field) => (
            <FieldChoice
              key={field.key}
              field={field}
              value={choiceOf(field)}
              onChange={(choice) => setChoices((now) => ({ ...now, [field.key]: choice }))}
            />
          ))}
        </fieldset>
      )}
      <Text size="sm" c="dimmed">
        {movesText(preview.data)} Dá para desfazer depois, em “União de contatos”.
      </Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onBack ?? onClose}>
          {onBack ? 'Escolher outro' : 'Cancelar'}
        </Button>
        <Button loading={busy} disabled={blocking.length > 0} onClick={() => void merge()}>
          Unir contatos
        </Button>
      </Group>
    </Stack>
  )
}

/** What the kept contact has, unless it has nothing, or only a number where the other has a name. */
const firstChoice = ({ key, kept, other }: MergeField): 'kept' | 'other' =>
  !kept || (key === 'name' && /^[+\d\s().-]*$/.test(kept) && other) ? 'other' : 'kept'

const movesText = ({ tickets, schedules, tasks, other }: MergePreview) => {
  const parts = [
    plural(tickets, 'atendimento', 'atendimentos'),
    ...(schedules ? [plural(schedules, 'mensagem agendada', 'mensagens agendadas')] : []),
    ...(tasks ? [plural(tasks, 'tarefa', 'tarefas')] : []),
  ]
  const list = new Intl.ListFormat('pt-BR').format(parts)
  return `De ${other.name}, mudam: ${list}, além de telefones, etiquetas e carteira.`
}

const Person = ({ contact, part }: { contact: Contact; part: string }) => (
  <div className={classes.person}>
    <Avatar name={contact.name} src={contact.profilePicUrl} size={40} />
    <div className={classes.words}>
      <Text size="xs" c="dimmed">
        {part}
      </Text>
      <Text fw={600} className="truncate">
        {contact.name}
      </Text>
      <Text size="sm" c="dimmed" className="truncate">
        {contact.number ? showPhone(contact.number) : (contact.email ?? 'Sem telefone')}
      </Text>
    </div>
  </div>
)

type ChoiceProps = { field: MergeField; value: 'kept' | 'other'; onChange: (value: 'kept' | 'other') => void }
const FieldChoice = ({ field, value, onChange }: ChoiceProps) => {
  if (field.key === 'notes')
    return (
      <div className={classes.field}>
        <Text size="sm" fw={500}>
          {field.label}
        </Text>
        <Text size="sm" c="dimmed">
          As duas anotações ficam.
        </Text>
      </div>
    )
  const shown = (text: string | null) =>
    !text ? 'Vazio' : field.key === 'number' ? showPhone(text) : field.key === 'profilePicUrl' ? 'Tem foto' : text
  return (
    <Radio.Group
      className={classes.field}
      label={field.label}
      value={value}
      onChange={(next) => onChange(next === 'other' ? 'other' : 'kept')}
    >
      <div className={classes.choices}>
        <Radio value="kept" label={shown(field.kept)} disabled={!field.kept && Boolean(field.other)} />
        <Radio value="other" label={shown(field.other)} disabled={!field.other} />
      </div>
    </Radio.Group>
  )
}

const Conflicts = ({ conflicts, names }: { conflicts: readonly MergeConflict[]; names: readonly [string, string] }) => (
  <Alert
    color="amber"
    role="alert"
    icon={<IconAlertTriangle size={18} />}
    title="Os dois estão em atendimento no mesmo canal"
  >
    Encerre ou una um dos atendimentos antes de unir os contatos.
    <ul className={classes.conflicts}>
      {conflicts.map((conflict) => (
        <li key={conflict.connection.id}>
          {conflict.connection.name}:{' '}
          <TicketLink ticketId={conflict.kept.ticketId} text={`atendimento de ${names[0]}`} /> e{' '}
          <TicketLink ticketId={conflict.other.ticketId} text={`atendimento de ${names[1]}`} />
        </li>
      ))}
    </ul>
  </Alert>
)
const TicketLink = ({ ticketId, text }: { ticketId: string | null; text: string }) =>
  ticketId ? (
    <Anchor component={Link} to={`/atendimento/${ticketId}`} target="_blank" inherit>
      {text}
    </Anchor>
  ) : (
    `${text} (fora das suas filas)`
  )
