import { Readable } from 'node:stream'
import { id } from '@balcao/contract/common.ts'
import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { skipText } from '@balcao/contract/operations/campaigns/audience.ts'
import {
  type CampaignRecipient,
  type CampaignRow,
  campaignStateLabels,
  campaignsQuery,
  recipientStateLabels,
  recipientsQuery,
} from '@balcao/contract/operations/campaigns/campaigns.ts'
import { variantNames } from '@balcao/contract/operations/campaigns/content.ts'
import { withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { type CsvColumn, momentText } from '../../../kit/csv.ts'
import { pageTurn } from '../../../kit/fair-turn.ts'
import { xlsx } from '../../../kit/xlsx.ts'
import { defineCsvExport } from '../../core/jobs/csv-export.ts'
import { defineMaking } from '../../core/jobs/job-kinds.ts'
import { enqueueJob } from '../../core/jobs/jobs.service.ts'
import { countCampaigns, listCampaigns } from './campaigns.list.ts'
import { findCampaign } from './campaigns.present.ts'
import { countRecipients, readRecipients } from './recipients.list.ts'

const reais = (hundredths: number) => (hundredths / 10_000).toLocaleString('pt-BR', { minimumFractionDigits: 2 })

const listColumns = (timeZone: string): CsvColumn<CampaignRow>[] => {
  const text = momentText(timeZone)
  return [
    { label: 'Nome', value: (row) => row.name },
    { label: 'Situação', value: (row) => campaignStateLabels[row.state] },
    { label: 'Canais', value: (row) => row.connections.map(({ name }) => name).join(', ') },
    { label: 'Começo', value: (row) => text(row.startedAt ?? row.startsAt) },
    { label: 'Fim', value: (row) => text(row.finishedAt ?? row.endsAt) },
    { label: 'Destinatários', value: (row) => row.numbers.total },
    { label: 'Fora do envio', value: (row) => row.numbers.skipped },
    { label: 'Enviadas', value: (row) => row.numbers.sent },
    { label: 'Entregues', value: (row) => row.numbers.delivered },
    { label: 'Lidas', value: (row) => row.numbers.read },
    { label: 'Respondidas', value: (row) => row.numbers.answered },
    { label: 'Falhas', value: (row) => row.numbers.failed },
    { label: 'Descadastros', value: (row) => row.numbers.optedOut },
    { label: 'Custo (R$)', value: (row) => reais(row.numbers.cost) },
    { label: 'Criada por', value: (row) => row.createdBy?.name },
  ]
}
/** The list of campaigns as a spreadsheet. */
export const campaignsExport = defineCsvExport({
  kind: 'exportCampaigns',
  can: 'campaigns.read',
  params: campaignsQuery,
  file: 'campanhas',
  columns: ({ timezone }) => listColumns(timezone),
  count: countCampaigns,
  read: listCampaigns,
  audit: () => ({ action: 'campaign.exported', entity: 'campaign', entityId: '' }),
})

const recipientColumns = (timeZone: string): CsvColumn<CampaignRecipient>[] => {
  const text = momentText(timeZone)
  return [
    { label: 'Contato', value: ({ contact }) => contact.name },
    { label: 'Telefone', value: ({ contact }) => contact.number },
    { label: 'Canal', value: ({ connection }) => connection?.name },
    { label: 'Envio', value: ({ step }) => step + 1 },
    { label: 'Variante', value: ({ variant }) => (variant === null ? null : variantNames[variant]) },
    { label: 'Situação', value: ({ state }) => recipientStateLabels[state] },
    { label: 'Motivo', value: ({ reason, missing, error }) => (reason ? skipText({ reason, missing }) : error) },
    { label: 'Enviada em', value: ({ sentAt }) => text(sentAt) },
    { label: 'Entregue em', value: ({ deliveredAt }) => text(deliveredAt) },
    { label: 'Lida em', value: ({ readAt }) => text(readAt) },
    { label: 'Respondida em', value: ({ answeredAt }) => text(answeredAt) },
    { label: 'Descadastro em', value: ({ optedOutAt }) => text(optedOutAt) },
  ]
}
const recipientsParams = recipientsQuery.extend({ campaignId: id })
const nameOf = (actor: Pick<Actor, 'tenantId'>, campaignId: string) =>
  withTenant(actor.tenantId, async (tx) => (await findCampaign(tx, campaignId)).name)

/** The recipients of a campaign as a spreadsheet, however many they are. */
export const recipientsExport = defineCsvExport({
  kind: 'exportCampaignRecipients',
  can: 'contacts.export',
  params: recipientsParams,
  file: 'destinatarios',
  columns: ({ timezone }) => recipientColumns(timezone),
  count: countRecipients,
  read: readRecipients,
  subject: (actor, { campaignId }) => nameOf(actor, campaignId),
  subjectParam: 'campaignId',
  audit: ({ campaignId }) => ({ action: 'campaign.recipientsExported', entity: 'campaign', entityId: campaignId }),
})

const pageSize = 1_000
/** The same as an Excel workbook. */
export const recipientsXlsxJob = defineMaking({
  kind: 'exportCampaignRecipientsXlsx',
  can: 'contacts.export',
  params: recipientsParams,
  subjectParam: 'campaignId',
  make: async ({ directory, actor, params, signal, tell }) => {
    const total = await countRecipients(actor, params)
    const pages = async function* (): AsyncGenerator<CampaignRecipient[]> {
      let done = 0
      for (let cursor: string | undefined; ; ) {
        signal.throwIfAborted()
        const asked = { ...params, cursor, pageNumber: 1, limit: pageSize, count: false }
        const page = await pageTurn(actor.tenantId, () => readRecipients(actor, asked))
        yield page.items
        done += page.items.length
        tell(done, total)
        if (!page.nextCursor) return
        cursor = page.nextCursor
      }
    }
    const columns = recipientColumns(directory.timezone)
    return { name: 'destinatarios.xlsx', stream: Readable.from(xlsx('Destinatários', columns, pages())) }
  },
})
export const enqueueRecipientsXlsx = async (actor: Actor, asked: typeof recipientsParams._output): Promise<BulkJob> => {
  const total = await countRecipients(actor, asked)
  const subject = await nameOf(actor, asked.campaignId)
  return withTenant(actor.tenantId, (tx) =>
    enqueueJob(tx, actor, {
      ...{ kind: 'exportCampaignRecipientsXlsx', params: { ...asked, cursor: undefined }, total, subject },
      audit: { action: 'campaign.recipientsExported', entity: 'campaign', entityId: asked.campaignId },
    }),
  )
}
