import { type IntegrationKind, integrations } from '@balcao/contract/core/integrations/index.ts'
import { v7 } from 'uuid'
import type { Tx } from '../../../db/database.ts'
import { AppError } from '../../../kit/errors.ts'
import { emit } from '../../../kit/outbox.ts'
import {
  deleteIntegration,
  findOfKinds,
  type IntegrationRow,
  insertIntegration,
  updateIntegration,
} from './integrations.queries.ts'
import { integrationConfig, presentIntegrations } from './integrations.service.ts'

type Single = {
  kind: IntegrationKind
  name: string
  /** Told what becomes of it before it is written. */
  beforeChange?: (before: IntegrationRow, next: Record<string, unknown>) => Promise<void>
}

/** The one account of a kind that a company has, where it may have one only. */
export const findSingle = async (tx: Tx, kind: IntegrationKind): Promise<IntegrationRow | undefined> =>
  (await findOfKinds(tx, [kind])).at(0)

/** Sets it up, or changes it: what is left out of `given` stays. */
export const saveSingle = async (tx: Tx, { kind, name, beforeChange }: Single, given: Record<string, unknown>) => {
  const { check, merge, seal } = integrationConfig[kind]
  const before = await findSingle(tx, kind)
  const id = before?.id ?? v7()
  const config = before ? merge(id, before.config, given) : check(given)
  if (before) await beforeChange?.(before, config)
  const fresh = { config: seal(id, config), state: 'unchecked' as const, stateText: null }
  const after = before
    ? await updateIntegration(tx, id, fresh)
    : await insertIntegration(tx, { ...fresh, id, kind, family: integrations[kind].family, name })
  if (!after) throw new AppError('ERR_NOT_FOUND')
  const [shown] = await presentIntegrations(tx, [after])
  if (shown) await emit(tx, before ? 'integration.updated' : 'integration.created', shown, writers)
  return { before, after }
}
const writers = { kind: 'permission', can: 'integrations.write' } as const

export const deleteSingle = async (tx: Tx, row: IntegrationRow): Promise<void> => {
  await deleteIntegration(tx, row.id)
  await emit(tx, 'integration.deleted', { id: row.id }, writers)
}
