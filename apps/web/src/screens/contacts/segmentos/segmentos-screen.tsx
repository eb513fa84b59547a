import { describeSegment } from '@balcao/contract/contacts/segments/describe.ts'
import {
  rulesGiven,
  type Segment,
  type SegmentRow,
  segmentResource,
} from '@balcao/contract/contacts/segments/segments.ts'
import { ActionIcon, Input, Switch, Textarea, TextInput, Tooltip } from '@mantine/core'
import { IconAddressBook, IconLayoutKanban } from '@tabler/icons-react'
import { Link, useSearchParams } from 'react-router'
import { contactsOfSegment } from '../../../features/contacts/segments/api.ts'
import { conditionOn } from '../../../features/contacts/segments/choices.ts'
import { LiveCount } from '../../../features/contacts/segments/live-count.tsx'
import { RulesField } from '../../../features/contacts/segments/rules-field.tsx'
import { SegmentSentence } from '../../../features/contacts/segments/segment-sentence.tsx'
import { useSegmentChoices } from '../../../features/people/users/segment-choices.ts'
import { ResourceScreen } from '../../../kit/resource-screen.tsx'
import { changedColumn } from '../../../kit/row-columns.tsx'
import { useCurrentSession } from '../../../kit/session.ts'
import { useCan } from '../../../kit/use-can.ts'
import { SegmentRemoval } from './segment-removal.tsx'

export default function SegmentosScreen() {
  const { userId } = useCurrentSession()
  const mayShare = useCan('segments.write')
  const choices = useSegmentChoices()
  const [params] = useSearchParams()
  const begun = rulesGiven.safeParse(params.get('regras') ?? undefined)
  const newRules: Segment = begun.data ?? { match: 'all', rules: [conditionOn('tags')] }
  const isMine = (row: SegmentRow) => row.userId === userId || (row.isShared && mayShare)
  return (
    <ResourceScreen
      resource={segmentResource}
      purpose="Grupos de contatos que se atualizam sozinhos: quem atende às regras está dentro."
      emptyText="Reúna, por exemplo, os clientes VIP que não falam com você há mais de 30 dias, e use na lista, no quadro e na exportação."
      canWrite={isMine}
      newValues={{ rules: newRules, isShared: mayShare }}
      columns={[
        {
          key: 'name',
          label: 'Nome',
          width: 240,
          render: (row) => <strong>{row.name}</strong>,
          csv: (row) => row.name,
        },
        {
          key: 'rules',
          label: 'Regras',
          wideOnly: true,
          render: (row) => <SegmentSentence rules={row.rules} nameOf={choices.nameOf} />,
          csv: (row) => describeSegment(row.rules, choices.nameOf),
        },
        {
          key: 'isShared',
          label: 'De quem',
          width: 120,
          wideOnly: true,
          render: (row) => (row.isShared ? 'Da empresa' : 'Só meu'),
          csv: (row) => (row.isShared ? 'Da empresa' : 'Só meu'),
        },
        changedColumn('Alterado'),
      ]}
      removal={(asked) => <SegmentRemoval {...asked} />}
      rowActions={(row) => (
        <>
          <Tooltip label="Ver contatos">
            <ActionIcon component={Link} to={contactsOfSegment(row.id)} aria-label={`Ver contatos de ${row.name}`}>
              <IconAddressBook size={18} stroke={1.75} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label="Ver no quadro">
            <ActionIcon
              component={Link}
              to={`/kanban/kanbans?segmento=${row.id}`}
              aria-label={`Ver ${row.name} no quadro`}
            >
              <IconLayoutKanban size={18} stroke={1.75} />
            </ActionIcon>
          </Tooltip>
        </>
      )}
      fields={(form, row, inputOf) => (
        <>
          <TextInput {...inputOf('name')} />
          <Textarea autosize minRows={1} {...inputOf('description')} />
          {(mayShare || row?.isShared) && (
            <Switch
              label="Da empresa"
              description="Todos veem e usam; quem supervisiona cuida dele. Desligado, só você o vê."
              {...form.getInputProps('isShared', { type: 'checkbox' })}
            />
          )}
          <Input.Wrapper label="Quem faz parte" labelElement="div" error={form.errors.rules}>
            <RulesField
              rules={form.values.rules}
              onChange={(rules) => form.setFieldValue('rules', rules)}
              choices={choices}
              errorOf={(path) => form.errors[`rules.${path}`]}
            />
          </Input.Wrapper>
          <LiveCount rules={form.values.rules} />
        </>
      )}
    />
  )
}
