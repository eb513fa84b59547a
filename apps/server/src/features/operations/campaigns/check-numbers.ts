import { Readable } from 'node:stream'
import { id } from '@balcao/contract/common.ts'
import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { ChannelError } from '../../../channels/adapter.ts'
import { type Prepared, withReport, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { csvBody, csvHead } from '../../../kit/csv.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { findConnection } from '../../channels/connections/context.ts'
import { openOwn } from '../../channels/connections/running.ts'
import { defineMaking } from '../../core/jobs/job-kinds.ts'
import { enqueueJob } from '../../core/jobs/jobs.service.ts'
import { findCampaign } from './campaigns.present.ts'
import { judged, lacksVariable } from './judge.ts'
import { judgingOf, nextSlice } from './prepare.ts'

/** So many numbers are asked about together, and then it rests: networks ban whoever asks in bulk. */
const atOnce = 25
const restMs = 4_000
/** What was said less than so many days ago is not asked again. */
const keptDays = 30

const params = z.object({ campaignId: id, connectionId: id })

/** Asks the network of a connection which numbers of a campaign's audience it knows; what it says is kept for every campaign. */
export const checkCampaignNumbers = async (actor: Actor, asked: z.output<typeof params>): Promise<BulkJob> => {
  const { row: connection, adapter } = await openOwn(actor, asked.connectionId)
  if (!adapter.numbers)
    throw fieldErrors({
      path: 'connectionId',
      message: `${connection.name} não confere números. Escolha um WhatsApp conectado por QR code.`,
    })
  if (connection.status !== 'CONNECTED')
    throw new AppError('ERR_WAPP_CHECK_CONTACT', {
      message: 'Este canal não está conectado. Conecte-o antes de conferir números.',
    })
  return withTenant(actor.tenantId, async (tx) => {
    const row = await findCampaign(tx, asked.campaignId)
    return enqueueJob(tx, actor, {
      ...{ kind: 'checkCampaignNumbers', params: asked, total: 0, subject: row.name },
      audit: {
        action: 'campaign.numbersChecked',
        entity: 'campaign',
        entityId: row.id,
        after: { connection: connection.name },
      },
    })
  })
}

type Line = { number: string; isThere: boolean }
const columns = [
  { label: 'Telefone', value: (line: Line) => line.number },
  { label: 'Tem WhatsApp', value: (line: Line) => line.isThere },
]
export const checkNumbersJob = defineMaking({
  kind: 'checkCampaignNumbers',
  can: 'campaigns.write',
  params,
  subjectParam: 'campaignId',
  make: async ({ actor, params, signal, tell }) => {
    const stream = Readable.from(lines())
    return { name: 'numeros-conferidos.csv', stream }

    async function* lines() {
      yield csvHead(columns)
      let [done, known] = [0, 0]
      for (let after: string | null = null; ; ) {
        const { numbers, upTo } = await uncheckedAfter(actor, params.campaignId, after)
        known += numbers.length
        for (let at = 0; at < numbers.length; at += atOnce) {
          signal.throwIfAborted()
          const said = await ask(params.connectionId, numbers.slice(at, at + atOnce), signal)
          await withTenant(actor.tenantId, (tx) =>
            tx.rows(keep, [tx.tenantId, params.connectionId, JSON.stringify(said)]),
          )
          done += said.length
          tell(done, known)
          yield csvBody(columns, said)
          if (at + atOnce < numbers.length) await rest(signal)
        }
        if (upTo === null) return
        after = upTo
      }
    }
  },
})

const ask = async (connectionId: string, numbers: string[], signal: AbortSignal): Promise<Line[]> => {
  for (let left = 5; ; left -= 1) {
    const connection = await findConnection(connectionId, { isFresh: true })
    if (!connection?.adapter.numbers) throw new AppError('ERR_WAPP_CHECK_CONTACT')
    try {
      const said = await connection.adapter.numbers({ numbers }, connection.context)
      return said.map(({ number, exists }) => ({ number, isThere: exists }))
    } catch (error) {
      if (!(error instanceof ChannelError)) throw error
      if (error.outcome !== 'retry' || left === 0)
        throw new AppError('ERR_WAPP_CHECK_CONTACT', { message: error.textForCaller })
      await rest(signal, error.retryAfterMs)
    }
  }
}

const rest = (signal: AbortSignal, ms = restMs) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(end, ms * (0.75 + Math.random() / 2))
    signal.addEventListener('abort', end, { once: true })
  })

/** Numbers of a slice that nothing recent is known about. */
const uncheckedAfter = (actor: Pick<Actor, 'tenantId' | 'userId'>, campaignId: string, after: string | null) =>
  withReport(actor, async (tx) => {
    const judging = await judgingOf(tx, await findCampaign(tx, campaignId))
    const { slice, upTo } = await nextSlice(tx, judging, after)
    const { rows } = await tx.db.execute<{ number: string }>(sql`
      select distinct j.number from (${judged(judging, slice, { isFrozen: false })}) j
        left join number_checks n on n.tenant_id = ${tx.tenantId} and n.network = 'whatsapp' and n.number = j.number
          and n.checked_at > now() - make_interval(days => ${keptDays})
      where j.number is not null and n.number is null and (j.reason is null or ${lacksVariable})`)
    return { numbers: rows.map(({ number }) => number), upTo }
  })

const keep: Prepared = {
  name: 'number_checks_keep',
  text: `insert into number_checks (tenant_id, network, number, is_there, connection_id)
    select $1, 'whatsapp', r.number, r."isThere", $2 from jsonb_to_recordset($3::jsonb) as r(number text, "isThere" boolean)
    on conflict (tenant_id, network, number) do update set is_there = excluded.is_there, connection_id = excluded.connection_id, checked_at = now()`,
}
