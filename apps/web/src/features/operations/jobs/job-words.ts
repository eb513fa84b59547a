import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { bulkJobTitles } from '@balcao/contract/operations/job-titles.ts'
import { formatNumber, plural } from '../../../kit/format.ts'
import { isUnderWay } from '../../conversations/tickets/bulk-api.ts'

/** What becomes a file, and of what. */
const written: Partial<Record<BulkJob['kind'], [one: string, many: string]>> = {
  exportContacts: ['contato', 'contatos'],
  exportContactsXlsx: ['contato', 'contatos'],
  exportConversation: ['mensagem', 'mensagens'],
  exportAudit: ['linha', 'linhas'],
  exportPlatformAudit: ['linha', 'linhas'],
  exportRatings: ['avaliação', 'avaliações'],
  exportReportTickets: ['atendimento', 'atendimentos'],
  exportReportTicketsXlsx: ['atendimento', 'atendimentos'],
  exportReportContacts: ['contato', 'contatos'],
  exportReportContactsXlsx: ['contato', 'contatos'],
  exportConnections: ['canal', 'canais'],
  exportGroups: ['grupo', 'grupos'],
  exportTenantConnections: ['canal', 'canais'],
  exportProxies: ['linha', 'linhas'],
  exportJournal: ['aviso', 'avisos'],
  exportAiCalls: ['chamada', 'chamadas'],
  exportVoiceCalls: ['ligação', 'ligações'],
  evaluateAssistant: ['caso avaliado', 'casos avaliados'],
}
/** What else is counted by its own name. */
const counted: typeof written = {
  mergeContacts: ['par', 'pares'],
  undoMergeContacts: ['união desfeita', 'uniões desfeitas'],
  groupAct: ['grupo', 'grupos'],
  undoGroupAct: ['grupo', 'grupos'],
}
const isExport = ({ kind }: Pick<BulkJob, 'kind'>) => kind in written

/** How much of it is done, of a hundred. */
export const percentOf = ({ total, done, failed }: Pick<BulkJob, 'total' | 'done' | 'failed'>): number =>
  total ? Math.min(100, Math.floor(((done + failed) / total) * 100)) : 0

/** How far it is, or how it ended. */
export const jobText = (job: BulkJob): string => {
  const soFar = isExport(job)
    ? `${percentOf(job)}%`
    : `${percentOf(job)}%, ${formatNumber(job.done + job.failed)} de ${formatNumber(job.total)}`
  if (job.state === 'paused') return `Em pausa: ${soFar}`
  if (job.state === 'pending') return 'Na fila'
  if (isUnderWay(job)) return soFar
  const ofGroups = job.kind === 'groupAct' || job.kind === 'undoGroupAct' ? groupsText(job) : null
  if (job.state === 'failed') return [job.error ?? 'Não foi possível concluir.', ofGroups].filter(Boolean).join(' ')
  if (ofGroups) return ofGroups
  const done = plural(job.done, ...(written[job.kind] ?? counted[job.kind] ?? (['feito', 'feitos'] as const)))
  const failed = job.failed ? `, ${plural(job.failed, 'não foi possível', 'não foram possíveis')}` : ''
  if (job.state === 'canceled') return isExport(job) ? 'Cancelado.' : `Cancelado: ${done}${failed}.`
  return `Pronto: ${done}${failed}.`
}

/** Whoever leads groups counts on each of them: one that lacks somebody is not among those that are done. */
const groupsText = ({ state, done, failed, total, isInParts }: BulkJob): string => {
  const all = isInParts ? plural(total, 'parte', 'partes') : plural(total, 'grupo', 'grupos')
  const made = isInParts ? plural(total, 'parte feita', 'partes feitas') : plural(total, 'grupo feito', 'grupos feitos')
  if (state === 'canceled') return `Cancelado: ${formatNumber(done)} de ${made}.`
  if (state === 'failed') return `${formatNumber(done)} de ${made}.`
  if (!failed) return `Pronto: ${all}.`
  if (done) return `Feito em parte: ${formatNumber(done)} de ${all}.`
  if (total === 1) return 'Não feito por inteiro.'
  return `Não feito por inteiro em nenhum${isInParts ? 'a das' : ' dos'} ${all}.`
}

/** "Exportar conversa · Maria Alves" */
export const jobName = ({ kind, subject }: BulkJob): string =>
  kind === 'groupAct' && subject ? subject : [bulkJobTitles[kind], subject].filter(Boolean).join(' · ')
