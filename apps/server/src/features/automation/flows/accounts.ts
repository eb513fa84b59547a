import type { FlowAccounts } from '@balcao/contract/automation/flows/flows.ts'
import { withTenant } from '../../../db/database.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { integrationsOfFamily } from '../../core/integrations/integrations.service.ts'

/** Assistants and calendars, for whoever builds a flow and may change neither. */
export const readFlowAccounts = async (tenantId: number): Promise<FlowAccounts> => {
  const { assistants } = await getDirectory(tenantId)
  const calendars = await withTenant(tenantId, (tx) => integrationsOfFamily(tx, 'calendar'))
  return {
    assistants: [...assistants.values()]
      .map(({ id, name, isActive, publishedId }) => ({ id, name, isReady: isActive && publishedId !== null }))
      .toSorted((a, b) => a.name.localeCompare(b.name, 'pt-BR')),
    calendars: calendars.map(({ id, name, isAuthorized }) => ({ id, name, isReady: isAuthorized === true })),
  }
}
