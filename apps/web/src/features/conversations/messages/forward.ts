import type { ForwardBody, forwardResult } from '@balcao/contract/conversations/message-calls.ts'
import type { z } from 'zod'
import { api } from '../../../kit/api.ts'

export const forwardMessages = async (body: Omit<ForwardBody, 'dryRun'> & { dryRun?: boolean }) =>
  (await api.post<z.output<typeof forwardResult>>('/forward-messages', body, { timeoutMs: 60_000 })).targets
