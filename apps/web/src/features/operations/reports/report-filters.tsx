import { channelKinds, channels } from '@balcao/contract/channels/index.ts'
import { type Lane, laneResource } from '@balcao/contract/contacts/lanes.ts'
import { stateNames } from '@balcao/contract/contacts/segments/places.ts'
import { type Tag, tagResource } from '@balcao/contract/contacts/tags.ts'
import { type Reason, reasonResource } from '@balcao/contract/conversations/reasons.ts'
import {
  type DimensionKey,
  dimensions,
  type ReportDefinition,
  usualDays,
} from '@balcao/contract/operations/reports/definitions.ts'
import { type Queue, queueResource } from '@balcao/contract/service/queues.ts'
import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { allRows } from '../../../kit/resource-api.ts'
import { FilterMenu } from '../../../ui/filter-menu.tsx'
import { PeriodFilter } from '../../../ui/period-filter.tsx'
import { connectionList } from '../../channels/connections/api.ts'
import { SegmentFilter } from '../../contacts/segments/segment-filter.tsx'
import { userOptions } from '../../people/users/api.ts'
import type { ReportState } from './use-report-query.ts'
import { ValueFilter } from './value-filter.tsx'

const named = (rows: readonly { id: string; name: string }[] | undefined) =>
  (rows ?? []).map(({ id, name }) => ({ value: id, label: name }))
const channelChoices = channelKinds.map((value) => ({ value, label: channels[value].label }))
const stateChoices = Object.entries(stateNames).map(([value, label]) => ({ value, label }))
const statusChoices = [
  { value: 'pending', label: 'Aguardando' },
  { value: 'open', label: 'Em atendimento' },
  { value: 'closed', label: 'Encerrado' },
]

/** What a report can be narrowed to, by where its numbers come from. */
export const ReportFilters = ({ report, state }: { report: ReportDefinition; state: ReportState }) => {
  const ofTickets = ['episodes', 'backlog', 'cohort', 'ai', 'assistants', 'voiceCalls'].includes(report.source)
  const ofContacts = report.source === 'contacts'
  const isOfAnyDay = ofContacts && report.dimensions.every((one) => dimensions[one].kind === 'name')
  return (
    <>
      <PeriodFilter
        label={isOfAnyDay ? 'Cadastrados em' : `Últimos ${report.days ?? usualDays} dias`}
        value={state.period}
        onChange={state.setPeriod}
      />
      {report.dimensions.length > 1 && (
        <Select
          aria-label="Agrupar por"
          w={170}
          allowDeselect={false}
          data={report.dimensions.map((value) => ({ value, label: `Por ${dimensions[value].label.toLowerCase()}` }))}
          value={state.dimension[0]}
          onChange={(value) => state.dimension[1]((value ?? report.dimensions[0]) as DimensionKey)}
        />
      )}
      {(ofTickets || report.source === 'agentTime') && <TeamFilters state={state} hasQueues={ofTickets} />}
      {ofTickets && <TicketFilters state={state} hasStatus={report.source === 'episodes'} />}
      {ofContacts && <ContactFilters state={state} />}
      {(ofTickets || ofContacts) && <SegmentFilter value={state.segment[0]} onChange={state.segment[1]} />}
      {report.lists === 'tickets' && <ValueFilter {...state.value} />}
      {report.source === 'episodes' && (
        <>
          <Select
            aria-label="Contar pela data de"
            w={190}
            allowDeselect={false}
            data={[
              { value: 'opened', label: 'Abertos no período' },
              { value: 'closed', label: 'Encerrados no período' },
            ]}
            value={state.moment[0]}
            onChange={(value) => state.moment[1](value ?? 'opened')}
          />
          <Select
            aria-label="Tempos em"
            w={180}
            allowDeselect={false}
            data={[
              { value: 'calendar', label: 'Horas corridas' },
              { value: 'business', label: 'Horas úteis' },
            ]}
            value={state.time[0]}
            onChange={(value) => state.time[1](value ?? 'calendar')}
          />
        </>
      )}
    </>
  )
}

const TeamFilters = ({ state: { lists }, hasQueues }: { state: ReportState; hasQueues: boolean }) => {
  const people = useQuery(userOptions)
  const queues = useQuery(allRows<Queue>(queueResource))
  return (
    <>
      {hasQueues && (
        <FilterMenu
          label="Fila"
          options={named(queues.data)}
          value={lists.queuesIds[0]}
          onChange={lists.queuesIds[1]}
        />
      )}
      <FilterMenu label="Atendente" options={named(people.data)} value={lists.userIds[0]} onChange={lists.userIds[1]} />
    </>
  )
}

const TicketFilters = ({ state: { lists }, hasStatus }: { state: ReportState; hasStatus: boolean }) => {
  const tags = useQuery(allRows<Tag>(tagResource))
  const reasons = useQuery(allRows<Reason>(reasonResource))
  const ways = useQuery(connectionList)
  return (
    <>
      <FilterMenu label="Etiqueta" options={named(tags.data)} value={lists.tagIds[0]} onChange={lists.tagIds[1]} />
      <FilterMenu
        label="Canal"
        options={named(ways.data)}
        value={lists.whatsappIds[0]}
        onChange={lists.whatsappIds[1]}
      />
      <FilterMenu
        label="Tipo de canal"
        options={channelChoices}
        value={lists.channels[0]}
        onChange={lists.channels[1]}
      />
      <FilterMenu
        label="Motivo"
        options={named(reasons.data)}
        value={lists.reasonIds[0]}
        onChange={lists.reasonIds[1]}
      />
      {hasStatus && (
        <FilterMenu label="Situação" options={statusChoices} value={lists.status[0]} onChange={lists.status[1]} />
      )}
    </>
  )
}

const ContactFilters = ({ state: { lists } }: { state: ReportState }) => {
  const tags = useQuery(allRows<Tag>(tagResource))
  const lanes = useQuery(allRows<Lane>(laneResource))
  const people = useQuery(userOptions)
  return (
    <>
      <FilterMenu label="Etiqueta" options={named(tags.data)} value={lists.tagIds[0]} onChange={lists.tagIds[1]} />
      <FilterMenu label="Estado" options={stateChoices} value={lists.states[0]} onChange={lists.states[1]} />
      <FilterMenu label="Etapa" options={named(lanes.data)} value={lists.kanbanIds[0]} onChange={lists.kanbanIds[1]} />
      <FilterMenu
        label="Carteira"
        options={named(people.data)}
        value={lists.walletIds[0]}
        onChange={lists.walletIds[1]}
      />
    </>
  )
}
