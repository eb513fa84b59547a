import type { QueryClient } from '@tanstack/react-query'
import type { Live } from '../../../kit/live.ts'
import { copilotQuery } from './api.ts'

const readAgain = (cache: QueryClient) => void cache.invalidateQueries({ queryKey: copilotQuery.queryKey })

/** An account came or went, or the company switched it: who is writing has it from then on. */
export const copilotLive: Live = { 'models.changed': readAgain, 'settings.updated': readAgain }
