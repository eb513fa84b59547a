import { Readable } from 'node:stream'
import { v5 } from 'uuid'
import { z } from 'zod'
import { ModelProblem } from '../../../integrations/model-problem.ts'
import { AppError } from '../../../kit/errors.ts'
import { log } from '../../../kit/log.ts'
import type { AssistantBudget } from '../../core/limits/reserve-spending.ts'
import { storeFile } from '../../core/media/media.service.ts'
import { type Account, modelAccounts, modelsOf, reportBroken, reportWorking, workingFirst } from './accounts.ts'
import { openCall, settleCall } from './usage.ts'

const timeoutMs = 30_000
const spoken = z.object({ mediaId: z.uuid() })

type ToSay = {
  tenantId: number
  /** Asked first, where they speak. */
  integrationIds: readonly string[]
  text: string
  assistant: AssistantBudget
  ticketId: string
  /** Of this saying: said again under it, it is paid once. */
  key: string
}
/** A text as a voice note, stored: its file; undefined where nobody speaks, or the money is spent. */
export const speakText = async (toSay: ToSay): Promise<string | undefined> => {
  const { tenantId, integrationIds } = toSay
  const all = (await modelAccounts(tenantId)).filter(({ config }) => config.speechModel && config.speechVoice)
  const chosen = all.filter(({ id }) => integrationIds.includes(id))
  for (const account of workingFirst(chosen.length ? chosen : all)) {
    try {
      return await speakWith(account, toSay)
    } catch (error) {
      if (!(error instanceof ModelProblem || error instanceof AppError)) throw error
      log.warn({ err: error, tenantId, integrationId: account.id }, 'answer not spoken')
      if (error instanceof ModelProblem && error.isOfAccount) await reportBroken(account, error)
    }
  }
  return undefined
}

const speakWith = async (account: Account, { tenantId, text, assistant, ticketId, key }: ToSay): Promise<string> => {
  const { id: integrationId, kind, config, context } = account
  const costMicros = Math.ceil(text.length * config.speechPrice)
  const call = { id: v5(`speech:${integrationId}`, key), tenantId }
  const { kept } = await openCall({
    ...{ ...call, integrationId, kind, model: config.speechModel, purpose: 'speech', assistant, ticketId },
    mostMicros: costMicros,
  })
  if (kept) return spoken.parse(kept).mediaId
  const began = performance.now()
  try {
    const bytes = await (await modelsOf(kind)).speak(context, { text, timeoutMs })
    const { id: mediaId } = await storeFile({ tenantId, stream: Readable.from([bytes]), name: 'resposta.ogg' })
    await settleCall(call, { state: 'done', costMicros, ms: performance.now() - began, result: { mediaId } })
    await reportWorking(account)
    return mediaId
  } catch (error) {
    const problem = error instanceof ModelProblem ? error.kind : 'network'
    await settleCall(call, { state: 'failed', problem, costMicros: 0, ms: performance.now() - began })
    throw error
  }
}
