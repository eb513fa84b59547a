import type { QueryClient } from '@tanstack/react-query'
import type { Live } from '../../../kit/live.ts'
import { visitsQuery } from './api.ts'

const renew = (cache: QueryClient) => void cache.invalidateQueries(visitsQuery)

/** Support comes, leaves, or is not allowed in any more. */
export const auditLive: Live = { 'support.changed': renew, 'settings.updated': renew }
