import { cutText } from '@balcao/contract/core/cut-text.ts'
import { readCents } from '@balcao/contract/core/number.ts'
import { opportunityCreate } from '@balcao/contract/sales/opportunities.ts'
import { and, eq } from 'drizzle-orm'
import type { Tx } from '../../../db/database.ts'
import { outcomeReasons, pipelines } from '../../../db/schema/sales/funnel.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { fillText } from '../../conversations/actions/words.ts'
import type { Catalogue, Here } from '../../conversations/tickets/action-catalogue.ts'
import { writeLines } from '../../conversations/timeline/lines.ts'
import { findOpenOf } from './opportunities.queries.ts'
import { type By, changeIn, createIn, getStage, requireReason } from './opportunities.service.ts'

export const opportunity: Catalogue['opportunity'] = {
  check: ({ stageId }, { tx }) => problemIn(() => getStage(tx, stageId)),
  run: async (params, here) => {
    const { tx, by, ticket, directory, stepId } = here
    const stage = await getStage(tx, params.stageId)
    const { contactId } = ticket
    // Whoever is not allowed to see it: one is enough all the same.
    const open = await findOpenOf(tx, { actor: null, directory }, { contactId, pipelineId: stage.pipelineId })
    if (open && params.ifOpen === 'keep') return
    const given = opportunityCreate.safeParse({
      name: cutText(await fillText(here, params.name), 120),
      stageId: stage.id,
      contactId,
      responsibleId: params.responsibleId ?? ticket.userId ?? by.actor?.userId ?? null,
      closingForecast: params.forecastDays === null ? null : dayIn(params.forecastDays, directory.timezone),
      value: await centsOf(here, params.value),
      description: cutText(await fillText(here, params.description ?? ''), 4_000),
      source: cutText(await fillText(here, params.source ?? ''), 60),
    })
    if (!given.success)
      throw fieldErrors(...given.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })))
    const made = await createIn(tx, byOf(here), directory, { id: stepId, ...given.data })
    await tell(here, `criou a oportunidade “${made.name}” em ${stage.name}`)
  },
}

export const moveOpportunity: Catalogue['moveOpportunity'] = {
  check: ({ stageId }, { tx }) => problemIn(() => getStage(tx, stageId)),
  run: async ({ stageId }, here) => {
    const stage = await getStage(here.tx, stageId)
    const found = await openOf(here, stage.pipelineId)
    if (found.stageId === stageId) return
    await changeIn(here.tx, byOf(here), here.directory, found, { stageId })
    await tell(here, `levou a oportunidade “${found.name}” para ${stage.name}`)
  },
}

type Ending = { pipelineId: string | null; reasonId: string | null }
const ends = (status: 'win' | 'lose', did: string): Catalogue['winOpportunity'] => ({
  check: async ({ pipelineId, reasonId }: Ending, { tx }) =>
    (await problemIn(() => requirePipeline(tx, pipelineId))) ?? problemIn(() => requireReason(tx, status, reasonId)),
  run: async ({ pipelineId, reasonId }: Ending, here) => {
    const found = await openOf(here, pipelineId)
    await changeIn(here.tx, byOf(here), here.directory, found, { status, reasonId })
    await tell(here, `${did} a oportunidade “${found.name}”${await because(here.tx, reasonId)}`)
  },
})
export const winOpportunity = ends('win', 'ganhou')
export const loseOpportunity: Catalogue['loseOpportunity'] = ends('lose', 'perdeu')

const openOf = async ({ tx, by, directory, ticket: { contactId } }: Here, pipelineId: string | null) => {
  const found = await findOpenOf(tx, { actor: by.actor, directory }, { contactId, pipelineId })
  if (found) return found
  const where = pipelineId ? ' neste funil' : ''
  throw new AppError('ERR_INVALID_TRANSITION', { message: `O contato não tem oportunidade em aberto${where}.` })
}

const byOf = ({ by }: Here): By => (by.actor ? { actor: by.actor, rule: null } : { actor: null, rule: by.author.name })

const tell = ({ tx, by, ticket }: Here, did: string) =>
  writeLines(tx, by.author, [{ ticket, lines: [{ type: 'system', body: `${by.author.name} ${did}.` }] }])

const centsOf = async (here: Here, value: string | null): Promise<number> => {
  const text = await fillText(here, value ?? '')
  if (!text) return 0
  const cents = readCents(text)
  if (cents === undefined) throw fieldErrors({ path: 'value', message: `“${text}” não é um valor em reais.` })
  return cents
}

const dayIn = (days: number, timeZone: string) =>
  new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date(Date.now() + days * 86_400_000))

const requirePipeline = async (tx: Tx, id: string | null) => {
  if (!id) return
  const [found] = await tx.db
    .select({ id: pipelines.id })
    .from(pipelines)
    .where(and(eq(pipelines.tenantId, tx.tenantId), eq(pipelines.id, id)))
  if (!found) throw fieldErrors({ path: 'pipelineId', message: 'O funil escolhido não existe mais.' })
}

const because = async (tx: Tx, reasonId: string | null): Promise<string> => {
  if (!reasonId) return ''
  const [found] = await tx.db
    .select({ name: outcomeReasons.name })
    .from(outcomeReasons)
    .where(and(eq(outcomeReasons.tenantId, tx.tenantId), eq(outcomeReasons.id, reasonId)))
  return found ? `: ${found.name}` : ''
}

/** What a rule refuses, as the problem of a field. */
const problemIn = async (rule: () => Promise<unknown>) => {
  try {
    await rule()
    return undefined
  } catch (error) {
    const [first]: unknown[] = error instanceof AppError && Array.isArray(error.details) ? error.details : []
    if (typeof first === 'object' && first !== null && 'path' in first && 'message' in first)
      return { path: String(first.path), message: String(first.message) }
    throw error
  }
}
