import type { Live } from '../../../kit/live.ts'
import { renewHead } from '../../../kit/renew-head.ts'
import { optOutsKey } from './api.ts'

export const optOutsLive: Live = { 'optOuts.changed': (cache) => renewHead(cache, optOutsKey) }
