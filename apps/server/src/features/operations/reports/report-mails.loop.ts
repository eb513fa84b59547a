import { wallTimeOf } from '@balcao/contract/core/wall-time.ts'
import { measureOf } from '@balcao/contract/operations/reports/measures.ts'
import { type ReportResult, reportQuery } from '@balcao/contract/operations/reports/reports.ts'
import { type MailRhythm, mailRhythmLabels } from '@balcao/contract/operations/reports/views.ts'
import { measureText } from '@balcao/contract/operations/reports/words.ts'
import { type Prepared, platformRows, withTenant } from '../../../db/database.ts'
import { env } from '../../../env.ts'
import { log } from '../../../kit/log.ts'
import type { Round } from '../../../kit/workers.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { queueMail } from '../../people/mail/outbox.ts'
import { mailedDays, nextMailAt } from './mail-times.ts'
import { requireReport, runReport } from './run-report.ts'

export const isReportMailDue = 'select from report_views where mail_at <= now()'
const atOnce = 5
/** Rows a mail shows; the link has the rest. */
const mostLines = 20

type Due = {
  tenantId: number
  id: string
  name: string
  report: string
  query: string
  userId: string
  mailEvery: MailRhythm
  mailTo: string[]
  mailAt: Date
}

/** Sends the views that are due, each once: whoever moves its next moment on writes its mails with it. */
export const mailDueReports = async (): Promise<Round> => {
  const due = await platformRows<Due>(dueOnes, [atOnce])
  for (const view of due) await send(view)
  return { did: due.length, isMore: due.length === atOnce }
}

const send = async (view: Due) => {
  const { tenantId, userId, mailEvery } = view
  const directory = await getDirectory(tenantId)
  const now = new Date()
  const person = directory.people.get(userId)
  const next = nextMailAt(mailEvery, directory.timezone, now)
  // Whoever may no longer read it sends it to nobody.
  const isAllowed = person !== undefined && !person.isBlocked && person.permissions.has('reports.read')
  const told = isAllowed ? await tell(view, { ...person, tenantId, userId }, now).catch(troubled(view)) : undefined
  await withTenant(tenantId, async (tx) => {
    const [moved] = await tx.rows(moveOn, [tenantId, view.id, view.mailAt, next])
    if (!moved || !told) return
    for (const to of view.mailTo) await queueMail(tx, { kind: 'report', to, userId, livesMs: 24 * 3_600_000, ...told })
  })
}

const troubled = (view: Due) => (error: unknown) => {
  log.error({ err: error, tenantId: view.tenantId, view: view.id }, 'a report could not be mailed')
  return undefined
}

type Reader = Parameters<typeof runReport>[0]
const tell = async (view: Due, reader: Reader, now: Date) => {
  const { timezone, name: company } = await getDirectory(view.tenantId)
  const days = mailedDays(view.mailEvery, wallTimeOf(now, timezone).slice(0, 10))
  const query = reportQuery.parse({ ...filtersIn(view.query), ...days, compare: true })
  const result = await runReport(reader, view.report, query)
  const address = new URLSearchParams(view.query)
  address.set('de', days.dateFrom)
  address.set('ate', days.dateTo)
  const { title } = requireReport(view.report)
  const day = (text: string) => text.split('-').reverse().join('/')
  return {
    subject: `${view.name} – ${company}`,
    paragraphs: [
      `${title}, de ${day(days.dateFrom)} a ${day(days.dateTo)}.`,
      result.measures
        .map(
          ({ key, label }, at) =>
            `${label}: ${measureText(result.total[at] ?? null, measureOf(key).unit)}${beforeText(result, at)}`,
        )
        .join('\n'),
      linesOf(result),
    ].filter(Boolean),
    link: {
      label: 'Abrir o relatório',
      url: new URL(`/relatorios/${view.report}?${address}`, env.PUBLIC_URL).toString(),
    },
    closing: `Enviado pelo Balcão: ${mailRhythmLabels[view.mailEvery].toLowerCase()}. Quem salvou este relatório pode mudar ou parar o envio na tela dele.`,
  }
}

const beforeText = ({ totalBefore, measures }: ReportResult, at: number) => {
  const key = measures[at]?.key
  return totalBefore && key ? ` (antes: ${measureText(totalBefore[at] ?? null, measureOf(key).unit)})` : ''
}
const linesOf = ({ rows, measures }: ReportResult) => {
  const [first] = measures
  const shown = rows.filter(({ values }) => values[0]).slice(0, mostLines)
  return first
    ? shown
        .map(({ label, values }) => `${label}: ${measureText(values[0] ?? null, measureOf(first.key).unit)}`)
        .join('\n')
    : ''
}

/** The filters of a screen's address by the names of the call. */
const filtersIn = (query: string): Record<string, string | string[]> => {
  const params = new URLSearchParams(query)
  const names = {
    fila: 'queuesIds',
    atendente: 'userIds',
    etiqueta: 'tagIds',
    canal: 'whatsappIds',
    tipo: 'channels',
    motivo: 'reasonIds',
    situacao: 'status',
    estado: 'states',
    etapa: 'kanbanIds',
    carteira: 'walletIds',
  }
  const one = {
    por: 'dimension',
    tempo: 'time',
    contar: 'moment',
    segmento: 'segmentId',
    valorDe: 'valueMin',
    valorAte: 'valueMax',
  }
  return {
    ...Object.fromEntries(Object.entries(names).map(([name, ours]) => [ours, params.getAll(name)])),
    ...Object.fromEntries(
      Object.entries(one).flatMap(([name, ours]) => (params.get(name) ? [[ours, params.get(name) ?? '']] : [])),
    ),
  }
}

const dueOnes: Prepared = {
  name: 'report_mails_due',
  text: `select tenant_id as "tenantId", id, name, report, query, user_id as "userId", mail_every as "mailEvery", mail_to as "mailTo",
      mail_at as "mailAt" from report_views where mail_at <= now() order by mail_at limit $1`,
}
const moveOn: Prepared = {
  name: 'report_mails_move_on',
  text: `update report_views set mail_at = $4 where tenant_id = $1 and id = $2 and mail_at = $3 returning id`,
}
