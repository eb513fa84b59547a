import { z } from 'zod'
import { id } from '../common.ts'

/**
 * Who did or wrote something. `rule` is what the company set up to happen by itself (a deadline, an absence text,
 * distribution); `system` is the product.
 */
export const authorKinds = ['user', 'contact', 'rule', 'flow', 'assistant', 'campaign', 'api', 'system'] as const
/** `id` is null where there is only one of its kind; `name` is what it was called then. */
export const author = z.object({ kind: z.enum(authorKinds), id: id.nullable(), name: z.string() })
export type Author = z.output<typeof author>

/** What brought a change about, beside somebody asking for just that. */
export const causeKinds = [
  'reply',
  'macro',
  'autoReply',
  'flow',
  'assistant',
  'job',
  'distribution',
  'idle',
  'deadline',
  'pauseEnded',
  'leaving',
  'undo',
  'ticketMerge',
  'contactMerge',
  'replacement',
  'campaign',
] as const
/** `id` is that of the macro, the job, the other ticket…, where it has one. */
export const cause = z.object({ kind: z.enum(causeKinds), id: id.optional() })
export type Cause = z.output<typeof cause>
