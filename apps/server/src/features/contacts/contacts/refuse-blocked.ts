import type { Tx } from '../../../db/database.ts'
import { fieldErrors } from '../../../kit/errors.ts'
import { getDirectory } from '../../core/directory/directory.ts'

/** A number of the company's list is nobody's contact: neither made by hand nor from a group. */
export const refuseBlocked = async ({ tenantId }: Pick<Tx, 'tenantId'>, number: string, path = 'number') => {
  const { blockedNumbers } = await getDirectory(tenantId)
  if (blockedNumbers.has(number))
    throw fieldErrors({ path, message: 'Este número está nos números bloqueados. Tire-o de lá antes.' })
}
