import { z } from 'zod'
import { integration } from '../core/integrations/index.ts'

/** GET /tenantsSmtp: from where the mails of the platform leave, and those of companies without an account of their own. */
export const mailServer = z.object({
  account: integration.pick({ config: true, state: true, stateText: true, checkedAt: true }).nullable(),
  /** The environment names a server too: it sends where there is no account, or while that one is broken. */
  hasOther: z.boolean(),
})
export type MailServer = z.output<typeof mailServer>

/** PUT /tenantsSmtp: what is left out of it stays as it is, a secret too. */
export const mailServerWrite = z.object({ config: z.record(z.string(), z.unknown()) })
