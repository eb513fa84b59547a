import type { Rehearsed, rehearsalBody } from '@balcao/contract/automation/assistants/assistants.ts'
import type { AssistantConfig } from '@balcao/contract/automation/assistants/config.ts'
import { freeTimes } from '@balcao/contract/automation/flows/free-times.ts'
import type { z } from 'zod'
import { withTenant } from '../../../db/database.ts'
import type { PendingTool } from '../../../db/schema/automation/assistants.ts'
import type { Actor } from '../../../kit/actor.ts'
import { AppError } from '../../../kit/errors.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { searchKnowledge } from '../knowledge/search.ts'
import { AnswerError } from './answering.ts'
import { botBehind } from './ask-bot.ts'
import { checkConfig } from './assistants.rows.ts'
import { type Line, type Made, makeAnswer } from './make-answer.ts'
import { findAssistant } from './versions.ts'

type Played = {
  tenantId: number
  assistantId: string
  config: AssistantConfig
  customer: string
  history: Line[]
  heard: Line[]
  turns: number
  pending: PendingTool | null
  /** Of this answer, however often it is tried; null: nobody minds paying again. */
  key: string | null
}
/** One answer for a made-up customer: nothing is sent, nothing of the company changes, and no system of theirs is asked. */
export const play = async ({ tenantId, config, customer, ...rest }: Played): Promise<Made> => {
  if (await withTenant(tenantId, (tx) => botBehind(tx, config)))
    throw new AnswerError('config', 'Quem responde é um robô externo: ensaie no painel dele ou numa conversa de teste.')
  const directory = await getDirectory(tenantId)
  return makeAnswer({
    ...{ ...rest, tenantId, config, directory, ticketId: null, heardSeq: 0 },
    customer: { name: customer, protocol: '0000000000', timeZone: directory.timezone },
    search: (question) =>
      searchKnowledge({
        ...{ tenantId, baseIds: config.knowledgeIds, question, key: rest.key ?? undefined },
        assistant: { id: rest.assistantId, budgetCents: config.budgetCents },
      }),
    tools: {
      contact: async () => `Nome: ${customer}\nTelefone: 5511900000000`,
      ask: async () => 'Ensaio: o sistema não é consultado.',
      calendar: {
        isOpen: () => true,
        free: async (asked) =>
          freeTimes({ ...asked, now: new Date(), timezone: directory.timezone, busy: [], isOpen: inDaytime }),
        book: async () => true,
      },
    },
    deadlineMs: 60_000,
    now: new Date(),
  })
}

const inDaytime = (moment: Date) => moment.getUTCHours() >= 12 && moment.getUTCHours() < 20

/** POST /assistants/{id}/rehearse: the draft as it stands in the form, saved or not. */
export const rehearse = async (
  actor: Actor,
  id: string,
  { config, customer, lines }: z.output<typeof rehearsalBody>,
): Promise<Rehearsed> => {
  await withTenant(actor.tenantId, async (tx) => {
    await findAssistant(tx, id)
    await checkConfig(tx, await getDirectory(tx.tenantId), config)
  })
  const lastOfOurs = lines.findLastIndex(({ from }) => from === 'assistant')
  const asLine = ({ from, text }: (typeof lines)[number]): Line => ({
    from: from === 'customer' ? 'customer' : 'us',
    text,
  })
  const heard = lines.slice(lastOfOurs + 1).map(asLine)
  if (!heard.length) throw new AppError('ERR_VALIDATION', { message: 'Escreva como o cliente.' })
  try {
    const made = await play({
      ...{ tenantId: actor.tenantId, assistantId: id, config, customer, heard, pending: null, key: null },
      history: lines.slice(0, lastOfOurs + 1).map(asLine),
      turns: lines.filter(({ from }) => from === 'assistant').length,
    })
    const { text, handOver, effects, passages, steps, costMicros, ms, pending } = made
    return {
      ...{ text, handOver, passages, steps, costMicros, ms },
      effects: [
        ...effects.map(({ label }) => label),
        ...(pending ? [`Espera o cliente confirmar: ${pending.asked}`] : []),
      ],
    }
  } catch (error) {
    if (!(error instanceof AnswerError)) throw error
    throw new AppError('ERR_MODEL_AWAY', { message: error.message })
  }
}
