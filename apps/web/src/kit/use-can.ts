import type { Permission } from '@balcao/contract/permissions.ts'
import { useSession } from './session.ts'

/** May this person do it? The same names the server's routes ask for. */
export const useCan = (permission: Permission): boolean => useSession()?.user.permissions.includes(permission) ?? false
