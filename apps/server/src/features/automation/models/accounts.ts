import { type ModelConfig, type ModelKind, modelConfig, modelKinds } from '@balcao/contract/core/integrations/models.ts'
import { withTenant } from '../../../db/database.ts'
import type { IntegrationAdapter, IntegrationContext } from '../../../integrations/adapter.ts'
import { loadIntegration } from '../../../integrations/index.ts'
import type { ModelProblem } from '../../../integrations/model-problem.ts'
import { log } from '../../../kit/log.ts'
import { emit } from '../../../kit/outbox.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import {
  contextOf,
  type IntegrationRow,
  integrationsOfKinds,
  recordState,
} from '../../core/integrations/integrations.service.ts'

/** An account of language models, its settings open. */
export type Account = {
  id: string
  tenantId: number
  kind: ModelKind
  name: string
  isBroken: boolean
  config: ModelConfig
  context: IntegrationContext<ModelKind>
}

/** Every account of the company, oldest first; one whose settings cannot be read is left out. */
export const modelAccounts = async (tenantId: number): Promise<Account[]> => {
  const rows = await integrationsOfKinds(tenantId, modelKinds)
  return rows.flatMap((row) => opened(row) ?? [])
}

/** These accounts in this order, those known to be broken last. */
export const accountsNamed = async (tenantId: number, ids: readonly string[]): Promise<Account[]> => {
  const known = new Map((await modelAccounts(tenantId)).map((one) => [one.id, one]))
  return workingFirst(ids.flatMap((id) => known.get(id) ?? []))
}
export const workingFirst = (accounts: Account[]) =>
  accounts.toSorted((a, b) => Number(a.isBroken) - Number(b.isBroken))

const opened = (row: IntegrationRow): Account | undefined => {
  try {
    const kind = row.kind as ModelKind // asked for by kind
    const context = contextOf({ ...row, kind })
    const { id, tenantId, name } = row
    return {
      id,
      tenantId,
      kind,
      name,
      isBroken: row.state === 'broken',
      context,
      config: modelConfig.parse(context.config),
    }
  } catch (error) {
    log.error(
      { err: error, tenantId: row.tenantId, integrationId: row.id },
      'settings of a model account cannot be read',
    )
    return undefined
  }
}

/** What it does with models. */
export const modelsOf = async (kind: ModelKind) => {
  const { models } = (await loadIntegration(kind)) as IntegrationAdapter<ModelKind> // each speaks of its own kind
  if (!models) throw new Error(`${kind} has no models`)
  return models
}

/** The account does not work any more: shown where it is set up, and told once to whoever may mend it. */
export const reportBroken = async (
  account: Pick<IntegrationRow, 'id' | 'tenantId' | 'name' | 'kind'> & { isBroken: boolean },
  { message }: ModelProblem,
) => {
  if (account.isBroken) return
  account.isBroken = true
  const { tenantId, id, name, kind } = account
  await recordState(tenantId, id, { ok: false, text: message })
  const { people } = await getDirectory(tenantId)
  const told = [...people.values()].filter((one) => !one.isBlocked && one.permissions.has('integrations.write'))
  const notice = { id, title: `${name} parou de responder`, text: message, link: `/configuracoes/${kind}` }
  if (told.length)
    await withTenant(tenantId, (tx) =>
      emit(tx, 'ai.notice', notice, { kind: 'users', userIds: told.map((one) => one.id) }),
    )
}

/** It answers again. */
export const reportWorking = async (account: Account) => {
  if (!account.isBroken) return
  account.isBroken = false
  await recordState(account.tenantId, account.id, { ok: true, text: 'Voltou a responder.' })
}
