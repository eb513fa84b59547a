import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import { type Segment, type SegmentRow, segmentResource } from '@balcao/contract/contacts/segments/segments.ts'
import type { AudienceSource, CampaignAudience } from '@balcao/contract/operations/campaigns/audience.ts'
import type { Campaign } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { ActionIcon, Button, Group, Menu, MultiSelect, Select, Switch, Text } from '@mantine/core'
import { IconFileSpreadsheet, IconPlus, IconTrash } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { allRows, readAll } from '../../../kit/resource-api.ts'
import { useCan } from '../../../kit/use-can.ts'
import { NumberField } from '../../../ui/number-field.tsx'
import { conditionOn, type SegmentChoices } from '../../contacts/segments/choices.ts'
import { LiveCount } from '../../contacts/segments/live-count.tsx'
import { RulesField } from '../../contacts/segments/rules-field.tsx'
import { useSegmentChoices } from '../../people/users/segment-choices.ts'
import { begunCampaigns } from './api.ts'
import classes from './campaigns.module.css'
import { ListSource } from './list-source.tsx'

type Kind = AudienceSource['kind']
const labels: Record<Kind, string> = {
  segment: 'Um segmento',
  rules: 'Regras na hora',
  tags: 'Etiquetas',
  lanes: 'Etapas do quadro',
  wallets: 'Carteiras',
  import: 'Uma lista: números colados, CSV ou Excel',
  groups: 'Grupos',
  campaign: 'Quem recebeu outra campanha',
  contacts: 'Contatos escolhidos',
  everybody: 'Todos os contatos',
}
const offered: readonly Kind[] = [
  'segment',
  'rules',
  'tags',
  'lanes',
  'wallets',
  'import',
  'groups',
  'campaign',
  'everybody',
]
/** A source of that kind before anything of it is chosen; the server refuses it by name until it is. */
const blank = (kind: Kind, isLeftOut: boolean): AudienceSource => {
  switch (kind) {
    case 'everybody':
      return { kind }
    case 'segment':
      return { kind, segmentId: '' }
    case 'rules':
      return { kind, rules: { match: 'all', rules: [conditionOn('tags')] } }
    case 'tags':
      return { kind, tagIds: [] }
    case 'lanes':
      return { kind, laneIds: [] }
    case 'wallets':
      return { kind, userIds: [] }
    case 'import':
      return { kind, importId: '' }
    case 'contacts':
    case 'groups':
      return { kind, contactIds: [] }
    case 'campaign':
      return { kind, campaignId: '', who: isLeftOut ? 'all' : 'notAnswered' }
  }
}
type Props = {
  campaign: Campaign
  onChange: (audience: CampaignAudience) => void
  errorOf: (path: string) => ReactNode
  /** A mass screen offers its own list first. */
  isPlain?: boolean
}

/** Who gets it, who does not, and who is left alone for now. */
export const AudienceFields = ({ campaign, onChange, errorOf, isPlain }: Props) => {
  const { audience } = campaign
  const choices = useSegmentChoices()
  const set = (patch: Partial<CampaignAudience>) => onChange({ ...audience, ...patch })
  const shared = { choices, errorOf, campaign }
  return (
    <>
      <Sources
        {...shared}
        path="audience.include"
        label="Quem recebe"
        addLabel="Adicionar público"
        sources={audience.include}
        onChange={(include) => set({ include })}
        listFirst={isPlain}
        none="Escolha de onde vêm as pessoas. De vários públicos, cada pessoa recebe uma vez."
      />
      {(!isPlain || audience.exclude.length > 0) && (
        <Sources
          {...shared}
          path="audience.exclude"
          label="Quem fica de fora"
          addLabel="Excluir alguém"
          sources={audience.exclude}
          onChange={(exclude) => set({ exclude })}
          none="Ninguém além de quem pediu para não receber e de números bloqueados."
        />
      )}
      <div className={classes.grid}>
        <Switch
          label="Poupar quem está em atendimento"
          description="Desligado, a mensagem entra na conversa aberta."
          checked={audience.skipActive}
          onChange={(event) => set({ skipActive: event.currentTarget.checked })}
        />
        {!isPlain && (
          <Switch
            label="Aceitar quem entrar depois"
            description="Quem passar a fazer parte do público durante a campanha também recebe."
            checked={audience.takesLate}
            onChange={(event) => set({ takesLate: event.currentTarget.checked })}
          />
        )}
        <NumberField
          label="Descanso entre campanhas (dias)"
          description="Poupa quem recebeu outra campanha há menos tempo. 0: ninguém."
          min={0}
          max={365}
          allowDecimal={false}
          value={audience.restDays}
          onChange={(restDays) => set({ restDays })}
          error={errorOf('audience.restDays')}
        />
      </div>
    </>
  )
}

type SourcesProps = {
  campaign: Campaign
  choices: SegmentChoices
  errorOf: (path: string) => ReactNode
  path: string
  label: string
  addLabel: string
  none: string
  sources: readonly AudienceSource[]
  onChange: (sources: AudienceSource[]) => void
  /** A list of one's own is what most begin with. */
  listFirst?: boolean
}
const Sources = ({ path, label, addLabel, none, sources, onChange, listFirst, ...shared }: SourcesProps) => {
  const list = useRef<HTMLUListElement>(null)
  const adds = useRef<HTMLButtonElement>(null)
  const kinds = useCan('contacts.import') ? offered : offered.filter((kind) => kind !== 'import')
  const add = (kind: Kind) => {
    onChange([...sources, blank(kind, path === 'audience.exclude')])
    requestAnimationFrame(() =>
      list.current?.lastElementChild?.querySelector<HTMLElement>('input:not([type="hidden"]), textarea')?.focus(),
    )
  }
  return (
    <fieldset className={classes.fieldset}>
      <legend>{label}</legend>
      {sources.length === 0 && (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      )}
      <ul ref={list} className={classes.sources}>
        {sources.map((source, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a source has no name but its place
          <li key={at} className={classes.source}>
            <div className={classes.sourceHead}>
              <strong>{labels[source.kind]}</strong>
              <ActionIcon
                aria-label={`Remover: ${labels[source.kind]}`}
                onClick={() => {
                  onChange(sources.toSpliced(at, 1))
                  adds.current?.focus()
                }}
              >
                <IconTrash size={18} stroke={1.75} />
              </ActionIcon>
            </div>
            <SourceField
              {...shared}
              source={source}
              path={`${path}.${at}`}
              onChange={(next) => onChange(sources.with(at, next))}
            />
          </li>
        ))}
      </ul>
      {shared.errorOf(path) && (
        <Text size="sm" c="red" role="alert">
          {shared.errorOf(path)}
        </Text>
      )}
      <Group gap="xs">
        {listFirst && sources.length === 0 && kinds.includes('import') && (
          <Button
            size="sm"
            className={classes.add}
            leftSection={<IconFileSpreadsheet size={16} aria-hidden />}
            onClick={() => add('import')}
          >
            Colar ou enviar uma lista
          </Button>
        )}
        <Menu position="bottom-start" width={320}>
          <Menu.Target>
            <Button
              ref={adds}
              variant="default"
              size="sm"
              className={classes.add}
              leftSection={<IconPlus size={16} aria-hidden />}
            >
              {addLabel}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {kinds.map((kind) => (
              <Menu.Item key={kind} onClick={() => add(kind)}>
                {labels[kind]}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </Group>
    </fieldset>
  )
}

type FieldProps = Pick<SourcesProps, 'campaign' | 'choices' | 'errorOf' | 'path'> & {
  source: AudienceSource
  onChange: (source: AudienceSource) => void
}
const SourceField = ({ source, onChange, choices, errorOf, path, campaign }: FieldProps) => {
  const optionsOf = (name: 'tags' | 'lanes' | 'people') =>
    (choices.rows[name] ?? []).map((row) => ({ value: row.id, label: row.name }))
  const many = (of: {
    label: string
    data: { value: string; label: string }[]
    value: readonly string[]
    onChange: (ids: string[]) => void
    field: string
  }) => (
    <MultiSelect
      aria-label={of.label}
      placeholder={of.value.length ? undefined : of.label}
      searchable
      clearable
      hidePickedOptions
      nothingFoundMessage="Nada encontrado"
      data={of.data}
      value={[...of.value]}
      onChange={of.onChange}
      error={errorOf(`${path}.${of.field}`)}
    />
  )
  switch (source.kind) {
    case 'everybody':
      return (
        <Text size="sm" c="dimmed">
          Menos os grupos e quem não pode receber.
        </Text>
      )
    case 'segment':
      return (
        <SegmentSource
          value={source.segmentId}
          onChange={(segmentId) => onChange({ ...source, segmentId })}
          error={errorOf(`${path}.segmentId`)}
        />
      )
    case 'rules':
      return (
        <>
          <RulesField
            rules={source.rules}
            onChange={(rules: Segment) => onChange({ ...source, rules })}
            choices={choices}
            errorOf={(at) => errorOf(`${path}.rules.${at}`)}
          />
          <LiveCount rules={source.rules} />
        </>
      )
    case 'tags':
      return many({
        label: 'Escolha as etiquetas',
        data: optionsOf('tags'),
        value: source.tagIds,
        field: 'tagIds',
        onChange: (tagIds) => onChange({ ...source, tagIds }),
      })
    case 'lanes':
      return many({
        label: 'Escolha as etapas',
        data: optionsOf('lanes'),
        value: source.laneIds,
        field: 'laneIds',
        onChange: (laneIds) => onChange({ ...source, laneIds }),
      })
    case 'wallets':
      return many({
        label: 'Escolha de quem são',
        data: optionsOf('people'),
        value: source.userIds,
        field: 'userIds',
        onChange: (userIds) => onChange({ ...source, userIds }),
      })
    case 'import':
      return <ListSource importId={source.importId} onChange={(importId) => onChange({ ...source, importId })} />
    case 'contacts':
      return (
        <Text size="sm">
          {source.contactIds.length === 1 ? '1 contato escolhido' : `${source.contactIds.length} contatos escolhidos`}
        </Text>
      )
    case 'groups':
      return (
        <GroupsSource
          value={source.contactIds}
          onChange={(contactIds) => onChange({ ...source, contactIds })}
          error={errorOf(`${path}.contactIds`)}
        />
      )
    case 'campaign':
      return (
        <CampaignSource own={campaign.id} value={source} onChange={onChange} error={errorOf(`${path}.campaignId`)} />
      )
  }
}

type PickProps<Value> = { value: Value; onChange: (value: Value) => void; error: ReactNode }

const SegmentSource = ({ value, onChange, error }: PickProps<string>) => {
  const segments = useQuery(allRows<SegmentRow>(segmentResource)).data
  const chosen = segments?.find(({ id }) => id === value)
  return (
    <>
      <Select
        aria-label="Segmento"
        placeholder={segments?.length === 0 ? 'Ainda não há segmentos' : 'Escolha o segmento'}
        searchable
        allowDeselect={false}
        nothingFoundMessage="Nada encontrado"
        data={(segments ?? []).map((row) => ({ value: row.id, label: row.name }))}
        value={value || null}
        onChange={(id) => id && onChange(id)}
        error={error ?? (value && segments && !chosen ? 'Este segmento foi excluído.' : undefined)}
      />
      {chosen && <LiveCount rules={chosen.rules} />}
    </>
  )
}

/** The groups our channels are in, by name. */
const groupOptions = queryOptions({
  queryKey: ['contacts', 'groups-of-channels'],
  queryFn: ({ signal }) =>
    readAll<Contact>(
      '/contacts',
      { segment: JSON.stringify({ match: 'all', rules: [{ field: 'isGroup', op: 'yes' }] }) },
      signal,
      2_000,
    ),
})
const GroupsSource = ({ value, onChange, error }: PickProps<string[]>) => {
  const groups = useQuery(groupOptions).data
  return (
    <MultiSelect
      aria-label="Grupos"
      placeholder={
        value.length ? undefined : groups?.length === 0 ? 'Nenhum canal está em grupos' : 'Escolha os grupos'
      }
      searchable
      clearable
      hidePickedOptions
      nothingFoundMessage="Nada encontrado"
      data={(groups ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      value={value}
      onChange={onChange}
      error={error}
    />
  )
}

const whoLabels = [
  { value: 'all', label: 'todos' },
  { value: 'answered', label: 'quem respondeu' },
  { value: 'notAnswered', label: 'quem não respondeu' },
  { value: 'read', label: 'quem leu' },
  { value: 'notRead', label: 'quem não leu' },
  { value: 'failed', label: 'quem não recebeu' },
]
type OfCampaign = Extract<AudienceSource, { kind: 'campaign' }>
const CampaignSource = ({ own, value, onChange, error }: PickProps<OfCampaign> & { own: string }) => {
  const list = useQuery(begunCampaigns)
  const rows = list.data?.filter(({ id }) => id !== own) ?? []
  return (
    <div className={classes.grid}>
      <Select
        aria-label="Campanha"
        placeholder={rows.length || list.isPending ? 'Escolha a campanha' : 'Nenhuma campanha foi enviada ainda'}
        searchable
        allowDeselect={false}
        nothingFoundMessage="Nada encontrado"
        data={rows.map(({ id, name }) => ({ value: id, label: name }))}
        value={value.campaignId || null}
        onChange={(campaignId) => campaignId && onChange({ ...value, campaignId })}
        error={error}
      />
      <Select
        aria-label="Quem dela"
        allowDeselect={false}
        data={whoLabels}
        value={value.who}
        onChange={(who) => who && onChange({ ...value, who: who as OfCampaign['who'] })}
      />
    </div>
  )
}
