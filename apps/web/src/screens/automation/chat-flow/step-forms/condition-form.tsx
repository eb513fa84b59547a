import {
  type Compare,
  compareLabels,
  type FlowTest,
  type NodeData,
  ticketTests,
} from '@balcao/contract/automation/flows/graph.ts'
import { channelKinds, channels } from '@balcao/contract/channels/index.ts'
import type { Segment } from '@balcao/contract/contacts/segments/segments.ts'
import { priorities, priorityLabels } from '@balcao/contract/conversations/urgency.ts'
import { ActionIcon, Button, Menu, MultiSelect, SegmentedControl, Select, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { newId } from '../../../../features/automation/flows/edits.ts'
import { ticketTestLabels } from '../../../../features/automation/flows/words.ts'
import { segmentList } from '../../../../features/contacts/segments/api.ts'
import { conditionOn } from '../../../../features/contacts/segments/choices.ts'
import { RulesField } from '../../../../features/contacts/segments/rules-field.tsx'
import { VariableTextarea } from '../../../../features/contacts/variables/variable-textarea.tsx'
import { useSegmentChoices } from '../../../../features/people/users/segment-choices.ts'
import { useNames } from '../../../../features/service/actions/use-names.ts'
import classes from './condition-form.module.css'
import { FieldSet } from './field-set.tsx'
import { VariableName } from './variable-name.tsx'

type Props = {
  data: NodeData<'condition'>
  onChange: (data: Partial<NodeData<'condition'>>) => void
  errorOf: (path: string) => ReactNode
}
type Branch = NodeData<'condition'>['branches'][number]

/** The ways of a condition, tried from the first to the last; what fits none goes on at “Senão”. */
export const ConditionForm = ({ data, onChange, errorOf }: Props) => (
  <FieldSet
    legend="Caminhos, na ordem em que são testados"
    what="o caminho"
    addLabel="Adicionar caminho"
    most={20}
    rows={data.branches}
    blank={(): Branch => ({ id: newId('c'), label: '', match: 'all', tests: [] })}
    onChange={(branches) => onChange({ branches })}
  >
    {(branch, change, at) => (
      <>
        <TextInput
          aria-label={`Nome do caminho ${at + 1}`}
          placeholder={`Caminho ${at + 1}`}
          maxLength={60}
          value={branch.label}
          error={errorOf(`branches.${at}.label`)}
          onChange={(event) => change({ label: event.currentTarget.value })}
        />
        {branch.tests.length > 1 && (
          <SegmentedControl
            size="xs"
            aria-label={`Como se combinam as condições do caminho ${at + 1}`}
            data={[
              { value: 'all', label: 'Todas' },
              { value: 'any', label: 'Qualquer uma' },
            ]}
            value={branch.match}
            onChange={(match) => change({ match: match as Branch['match'] })} // one of those offered
          />
        )}
        {branch.tests.map((test, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a test has no name but its place
          <div key={index} className={classes.test}>
            <div className={classes.fields}>
              <TestFields
                test={test}
                name={`condição ${index + 1} do caminho ${at + 1}`}
                onChange={(next) => change({ tests: branch.tests.with(index, next) })}
                errorOf={(path) => errorOf(`branches.${at}.tests.${index}.${path}`)}
              />
            </div>
            <ActionIcon
              size={26}
              aria-label={`Remover condição ${index + 1} do caminho ${at + 1}`}
              onClick={() => change({ tests: branch.tests.toSpliced(index, 1) })}
            >
              <IconTrash size={15} />
            </ActionIcon>
          </div>
        ))}
        {errorOf(`branches.${at}.tests`) && <p className={classes.error}>{errorOf(`branches.${at}.tests`)}</p>}
        {branch.tests.length < 20 && (
          <Menu position="bottom-start">
            <Menu.Target>
              <Button
                className={classes.add}
                variant="subtle"
                size="compact-sm"
                leftSection={<IconPlus size={15} aria-hidden />}
              >
                Adicionar condição
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {newTests.map(({ label, make }) => (
                <Menu.Item key={label} onClick={() => change({ tests: [...branch.tests, make()] })}>
                  {label}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
      </>
    )}
  </FieldSet>
)

const newTests: { label: string; make: () => FlowTest }[] = [
  { label: 'De uma variável', make: () => ({ on: 'variable', name: '', op: 'is', value: '' }) },
  { label: 'Do atendimento', make: () => ({ on: 'ticket', field: 'queue', isNot: false, values: [] }) },
  { label: 'Do contato', make: () => ({ on: 'contact', rules: { match: 'all', rules: [conditionOn('tags')] } }) },
  { label: 'De um segmento', make: () => ({ on: 'segment', segmentId: '', isNot: false }) },
]
const compares = (Object.keys(compareLabels) as Compare[]).map((value) => ({ value, label: compareLabels[value] }))
const isOrNot = [
  { value: 'is', label: 'é' },
  { value: 'isNot', label: 'não é' },
]

type TestProps<T extends FlowTest = FlowTest> = {
  test: T
  /** For those who listen. */
  name: string
  onChange: (test: T) => void
  errorOf: (path: string) => ReactNode
}
const TestFields = ({ test, onChange, ...rest }: TestProps) => {
  switch (test.on) {
    case 'variable':
      return (
        <>
          <VariableName
            aria-label={`Variável da ${rest.name}`}
            value={test.name}
            error={rest.errorOf('name')}
            onChange={(name) => onChange({ ...test, name })}
          />
          <Select
            aria-label={`Comparação da ${rest.name}`}
            data={compares}
            allowDeselect={false}
            value={test.op}
            onChange={(op) => onChange({ ...test, op: op as Compare })} // one of those offered
          />
          {!test.op.endsWith('Set') && (
            <VariableTextarea
              aria-label={`Valor da ${rest.name}`}
              placeholder="Valor"
              minRows={1}
              maxLength={200}
              value={test.value}
              error={rest.errorOf('value')}
              onChange={(value) => onChange({ ...test, value })}
            />
          )}
        </>
      )
    case 'ticket':
      return <TicketFields test={test} onChange={onChange} {...rest} />
    case 'contact':
      return <ContactFields test={test} onChange={onChange} {...rest} />
    case 'segment':
      return <SegmentFields test={test} onChange={onChange} {...rest} />
  }
}

type Of<On extends FlowTest['on']> = Extract<FlowTest, { on: On }>

const TicketFields = ({ test, name, onChange, errorOf }: TestProps<Of<'ticket'>>) => {
  const { rows } = useNames()
  const named = (some: readonly { id: string; name: string }[]) =>
    some.map((one) => ({ value: one.id, label: one.name }))
  const choices = {
    queue: () => named(rows.queues),
    connection: () => named(rows.connections),
    tag: () => named(rows.tags),
    channel: () => channelKinds.map((value) => ({ value, label: channels[value].label })),
    priority: () => priorities.map((value) => ({ value, label: priorityLabels[value] })),
    isFirst: () => [],
  }
  return (
    <>
      <Select
        aria-label={`O que testa a ${name}`}
        data={ticketTests.map((value) => ({ value, label: ticketTestLabels[value] }))}
        allowDeselect={false}
        value={test.field}
        onChange={(field) => onChange({ ...test, field: field as typeof test.field, values: [] })} // one of those offered
      />
      <Select
        aria-label={`É ou não é, na ${name}`}
        data={test.field === 'isFirst' ? yesOrNo : isOrNot}
        allowDeselect={false}
        value={test.isNot ? 'isNot' : 'is'}
        onChange={(op) => onChange({ ...test, isNot: op === 'isNot' })}
      />
      {test.field !== 'isFirst' && (
        <MultiSelect
          aria-label={`Valores da ${name}`}
          placeholder={test.values.length ? undefined : 'Escolha'}
          searchable
          nothingFoundMessage="Nada encontrado"
          data={choices[test.field]()}
          value={test.values}
          error={errorOf('values')}
          onChange={(values) => onChange({ ...test, values })}
        />
      )}
    </>
  )
}
const yesOrNo = [
  { value: 'is', label: 'sim' },
  { value: 'isNot', label: 'não' },
]

const ContactFields = ({ test, onChange, errorOf }: TestProps<Of<'contact'>>) => {
  const choices = useSegmentChoices()
  return (
    <RulesField
      rules={test.rules as Segment} // kept as written; the checks read them by the language of segments
      onChange={(rules) => onChange({ ...test, rules })}
      choices={choices}
      errorOf={(path) => errorOf(`rules.${path}`)}
    />
  )
}

const SegmentFields = ({ test, name, onChange, errorOf }: TestProps<Of<'segment'>>) => {
  const segments = useQuery(segmentList).data ?? []
  return (
    <>
      <Select
        aria-label={`Dentro ou fora, na ${name}`}
        data={[
          { value: 'is', label: 'está no segmento' },
          { value: 'isNot', label: 'não está no segmento' },
        ]}
        allowDeselect={false}
        value={test.isNot ? 'isNot' : 'is'}
        onChange={(op) => onChange({ ...test, isNot: op === 'isNot' })}
      />
      <Select
        aria-label={`Segmento da ${name}`}
        placeholder="Escolha o segmento"
        searchable
        nothingFoundMessage="Nenhum segmento"
        data={segments.map((one) => ({ value: one.id, label: one.name }))}
        value={test.segmentId || null}
        error={errorOf('segmentId')}
        onChange={(id) => onChange({ ...test, segmentId: id ?? '' })}
      />
    </>
  )
}
