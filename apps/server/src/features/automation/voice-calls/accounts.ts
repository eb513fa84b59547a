import type { VoiceAccount } from '@balcao/contract/automation/voice-calls.ts'
import type { Tx } from '../../../db/database.ts'
import type { IntegrationContext } from '../../../integrations/adapter.ts'
import { loadIntegration } from '../../../integrations/index.ts'
import { ModelProblem } from '../../../integrations/model-problem.ts'
import type { VoiceDoor } from '../../../integrations/voice-door.ts'
import { AppError } from '../../../kit/errors.ts'
import {
  contextOf,
  findIntegration,
  type IntegrationRow,
  integrationsOfKinds,
} from '../../core/integrations/integrations.service.ts'
import { reportBroken } from '../models/accounts.ts'

/** An account that calls, ready to be asked. */
export type VoiceAccountOpen = {
  id: string
  row: IntegrationRow
  door: VoiceDoor<'vapi'>
  context: IntegrationContext<'vapi'>
}

const opened = async (row: IntegrationRow): Promise<VoiceAccountOpen | undefined> => {
  const { voice } = await loadIntegration('vapi')
  return voice && { id: row.id, row, door: voice, context: contextOf({ ...row, kind: 'vapi' }) }
}
const accounts = async (tenantId: number) => integrationsOfKinds(tenantId, ['vapi'])

/** Every account of voice assistants, and whether it is set up to call. */
export const readVoiceAccounts = async (tenantId: number): Promise<VoiceAccount[]> => {
  const all = await Promise.all((await accounts(tenantId)).map(opened))
  return all.flatMap((one) =>
    one ? { id: one.id, name: one.row.name, canCall: one.door.usual(one.context) !== null } : [],
  )
}

export const findVoiceAccount = async (tx: Tx, id: string): Promise<VoiceAccountOpen | undefined> => {
  const row = await findIntegration(tx, id)
  return row?.kind === 'vapi' ? opened(row) : undefined
}

/** The one that was named, else the oldest. Throws ERR_NO_VOICE_ACCOUNT. */
export const requireVoiceAccount = async (tenantId: number, id?: string): Promise<VoiceAccountOpen> => {
  const all = await accounts(tenantId)
  const row = id ? all.find((one) => one.id === id) : all[0]
  const account = row && (await opened(row))
  if (!account) throw new AppError('ERR_NO_VOICE_ACCOUNT')
  return account
}

/** What the account answers; what is wrong with it as an error for the person, and shown where it is set up. */
export const askAccount = async <T>(account: VoiceAccountOpen, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ModelProblem)) throw error
    await noteProblem(account, error)
    throw new AppError('ERR_MODEL_FAILED', { message: error.message })
  }
}
export const noteProblem = async ({ row }: VoiceAccountOpen, problem: ModelProblem) => {
  if (problem.isOfAccount) await reportBroken({ ...row, isBroken: row.state === 'broken' }, problem)
}
