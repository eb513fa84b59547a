import { z } from 'zod'
import { integration } from '../core/integrations/index.ts'

/** The installation itself, where a company is named by its number. */
export const installationId = 0

/** GET /tenantHosts/{id}: a server of a company, or of the installation, and how many connections stand on it. */
export const tenantHost = integration
  .pick({ kind: true, config: true, state: true, stateText: true, checkedAt: true })
  .extend({ connections: z.int() })
export type TenantHost = z.output<typeof tenantHost>

/** What is left out of it stays as it is, a secret too. */
export const tenantHostWrite = z.object({ config: z.record(z.string(), z.unknown()) })

/** PUT, DELETE and POST …/test of `/tenantsEvolutionHost/{id}` and its like; of the hub it is `/tenantsHubToken/{id}`. */
export const tenantHostPath = (kind: string) =>
  `/tenants${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}${kind === 'hub' ? 'Token' : 'Host'}` as const
