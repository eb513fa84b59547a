import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import { blankAction, definitionOf } from '@balcao/contract/conversations/actions/index.ts'
import {
  type BulkJob,
  type ContactAction,
  contactAction,
  contactActionKinds,
} from '@balcao/contract/operations/bulk-jobs.ts'
import { Button, Group, Modal, Radio, Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { changeContacts, contactCountQuery } from '../../../features/contacts/contacts/api.ts'
import { ActionFields } from '../../../features/service/actions/action-fields.tsx'
import { reasonOf } from '../../../kit/api-error.ts'
import { formatNumber, plural } from '../../../kit/format.ts'
import type { ListQuery } from '../../../kit/resource-api.ts'
import { useCan } from '../../../kit/use-can.ts'
import { notify } from '../../../ui/notify.ts'

type Props = {
  chosen: readonly Contact[]
  /** Search and filters of the list. */
  listed: ListQuery
  onClose: () => void
  onAsked: (job: BulkJob) => void
}

/** One change for many contacts: those that were marked, or all that the filters of the list find. */
export const ChangeContactsDialog = ({ chosen, listed, onClose, onAsked }: Props) => {
  const mayAll = useCan('contacts.import')
  const [action, setAction] = useState(() => blank('addContactTags'))
  const [who, setWho] = useState<'chosen' | 'all'>('chosen')
  const [problems, setProblems] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)
  const all = useQuery({ ...contactCountQuery(listed), enabled: mayAll }).data
  const count = who === 'chosen' ? chosen.length : all
  const handleChange = async () => {
    const checked = contactAction.safeParse(action)
    if (!checked.success)
      return setProblems(
        Object.fromEntries(checked.error.issues.map(({ path, message }) => [String(path[0]), message])),
      )
    setBusy(true)
    try {
      const { sort: _, direction: __, ...filters } = listed
      const whom = who === 'all' ? filters : { contactIds: chosen.map(({ id }) => id) }
      onAsked(await changeContacts(whom, checked.data))
      onClose()
    } catch (error) {
      notify.error(reasonOf(error))
      setBusy(false)
    }
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={600}>Mudar vários contatos</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void handleChange()
        }}
      >
        <Stack gap="md">
          <Select
            label="O que fazer"
            data-autofocus
            allowDeselect={false}
            data={contactActionKinds.map((kind) => ({ value: kind, label: definitionOf(kind).label }))}
            value={action.kind}
            onChange={(kind) => {
              setProblems({})
              setAction(blank(contactActionKinds.find((one) => one === kind) ?? 'addContactTags'))
            }}
          />
          <ActionFields
            action={action}
            onChange={(next) => {
              setProblems({})
              setAction(next as ContactAction) // the same kind with another choice
            }}
            errorOf={(field) => problems[field]}
          />
          {mayAll && (
            <Radio.Group label="Quem muda" value={who} onChange={(value) => setWho(value === 'all' ? 'all' : 'chosen')}>
              <Stack gap={8} mt={6}>
                <Radio
                  value="chosen"
                  label={chosen.length === 1 ? 'O selecionado' : `Os ${chosen.length} selecionados`}
                />
                <Radio
                  value="all"
                  label={
                    <span className="tabular">
                      {`Todos desta lista${all === undefined ? '' : ` (${formatNumber(all)})`}`}
                    </span>
                  }
                />
              </Stack>
            </Radio.Group>
          )}
          <Text size="sm" c="dimmed">
            O andamento aparece acima da lista. Dá para desfazer por sete dias.
          </Text>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancelar
            </Button>
            <Button type="submit" loading={busy} disabled={count === 0}>
              {count === undefined ? 'Mudar' : `Mudar ${plural(count, 'contato', 'contatos')}`}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

const blank = (kind: ContactAction['kind']) => blankAction(kind) as ContactAction // completed in the form
