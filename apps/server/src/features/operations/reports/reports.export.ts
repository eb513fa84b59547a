import { Readable } from 'node:stream'
import {
  type ContactsReportQuery,
  contactsReportQuery,
  type ReportContact,
  type ReportTicket,
  type TicketsReportQuery,
  ticketsReportQuery,
} from '@balcao/contract/operations/reports/reports.ts'
import { durationText } from '@balcao/contract/operations/reports/words.ts'
import type { z } from 'zod'
import { withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { type CsvColumn, momentText } from '../../../kit/csv.ts'
import { pageTurn } from '../../../kit/fair-turn.ts'
import { xlsx } from '../../../kit/xlsx.ts'
import type { Directory } from '../../core/directory/directory.ts'
import { defineCsvExport } from '../../core/jobs/csv-export.ts'
import { defineMaking } from '../../core/jobs/job-kinds.ts'
import { enqueueJob } from '../../core/jobs/jobs.service.ts'
import { countReportContacts, listReportContacts } from './contacts-report.ts'
import { countReportTickets, listReportTickets } from './tickets-report.ts'

const statusNames: Record<ReportTicket['status'], string> = {
  pending: 'Aguardando',
  open: 'Em atendimento',
  closed: 'Encerrado',
}
const ticketColumns = ({ timezone }: Pick<Directory, 'timezone'>): CsvColumn<ReportTicket>[] => {
  const moment = momentText(timezone)
  return [
    { label: 'Protocolo', value: (row) => row.ticket },
    { label: 'Contato', value: (row) => row.contactName },
    { label: 'Número', value: (row) => row.contactNumber },
    { label: 'Canal', value: (row) => row.whatsapp },
    { label: 'Fila', value: (row) => row.queue },
    { label: 'Atendente', value: (row) => row.user },
    { label: 'Situação', value: (row) => statusNames[row.status] },
    { label: 'Motivo', value: (row) => row.reason },
    { label: 'Etiquetas', value: (row) => row.tags },
    { label: 'Aberto em', value: (row) => moment(row.openedAt) },
    { label: 'Encerrado em', value: (row) => moment(row.closedAt) },
    { label: 'Espera', value: (row) => durationText(row.waitS) },
    { label: 'Primeira resposta', value: (row) => durationText(row.firstAnswerS) },
    { label: 'Tempo em atendimento', value: (row) => durationText(row.handlingS) },
    { label: 'Duração', value: (row) => durationText(row.resolutionS) },
    { label: 'Transferências', value: (row) => row.transfers },
    { label: 'Nota', value: (row) => row.grade },
    { label: 'Custo de IA (R$)', value: (row) => (row.aiCostMicros / 1_000_000).toFixed(4).replace('.', ',') },
    { label: 'Valor (R$)', value: (row) => (row.value === null ? '' : (row.value / 100).toFixed(2).replace('.', ',')) },
  ]
}
const contactColumns = ({ timezone }: Pick<Directory, 'timezone'>): CsvColumn<ReportContact>[] => {
  const moment = momentText(timezone)
  return [
    { label: 'Nome', value: (row) => row.name },
    { label: 'Número', value: (row) => row.number },
    { label: 'E-mail', value: (row) => row.email },
    { label: 'Informações extras', value: (row) => row.extraInfo.map(({ name, value }) => `${name}: ${value}`) },
    { label: 'Etiquetas', value: (row) => row.tags },
    { label: 'Estado', value: (row) => row.estado },
    { label: 'Etapa do quadro', value: (row) => row.kanban },
    { label: 'Carteira', value: (row) => row.wallets },
    { label: 'Cadastrado em', value: (row) => moment(row.createdAt) },
  ]
}

type Asking = Pick<Actor, 'tenantId' | 'userId' | 'permissions' | 'profile'>
type Page<Row> = { items: Row[]; nextCursor: string | null }
type Long<Query, Row> = {
  file: string
  sheet: string
  params: z.ZodType<Query>
  columns: (directory: Directory) => CsvColumn<Row>[]
  count: (actor: Asking, query: Query) => Promise<number>
  read: (actor: Asking, query: Query) => Promise<Page<Row>>
}
const audit = (entity: string) => ({ action: 'report.exported', entity, entityId: '' })

/** A list as a workbook, page by page, however long it is. */
const asWorkbook = <Query extends object, Row>(
  kind: 'exportReportTicketsXlsx' | 'exportReportContactsXlsx',
  { file, sheet, params, columns, count, read }: Long<Query, Row>,
) => {
  const job = defineMaking({
    kind,
    can: 'reports.read',
    params,
    make: async ({ directory, actor, params: query, signal, tell }) => {
      const total = await count(actor, query)
      const pages = async function* (): AsyncGenerator<Row[]> {
        let done = 0
        for (let cursor: string | undefined; ; ) {
          signal.throwIfAborted()
          const asked = { ...query, cursor, pageNumber: 1, limit: 1_000, count: false }
          const page = await pageTurn(actor.tenantId, () => read(actor, asked))
          yield page.items
          done += page.items.length
          tell(done, total)
          if (!page.nextCursor) return
          cursor = page.nextCursor
        }
      }
      return { name: `${file}.xlsx`, stream: Readable.from(xlsx(sheet, columns(directory), pages())) }
    },
  })
  const enqueue = async (actor: Actor, asked: Query) => {
    const query = { ...asked, cursor: undefined }
    const total = await count(actor, query)
    return withTenant(actor.tenantId, (tx) => enqueueJob(tx, actor, { kind, params: query, total, audit: audit(file) }))
  }
  return { job, enqueue }
}

const tickets: Long<TicketsReportQuery, ReportTicket> = {
  file: 'atendimentos',
  sheet: 'Atendimentos',
  params: ticketsReportQuery,
  columns: ticketColumns,
  count: countReportTickets,
  read: (actor, query) => listReportTickets(actor, query, { hasNotes: false }),
}
const contacts: Long<ContactsReportQuery, ReportContact> = {
  file: 'contatos',
  sheet: 'Contatos',
  params: contactsReportQuery,
  columns: contactColumns,
  count: countReportContacts,
  read: listReportContacts,
}
const asCsv = <Query extends object, Row>(
  kind: 'exportReportTickets' | 'exportReportContacts',
  { sheet: _sheet, ...long }: Long<Query, Row>,
) => defineCsvExport({ kind, can: 'reports.read', ...long, audit: () => audit(long.file) })

export const reportExports = {
  tickets: { csv: asCsv('exportReportTickets', tickets), xlsx: asWorkbook('exportReportTicketsXlsx', tickets) },
  contacts: { csv: asCsv('exportReportContacts', contacts), xlsx: asWorkbook('exportReportContactsXlsx', contacts) },
}
