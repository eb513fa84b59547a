import type { MailKind } from '@balcao/contract/people/mails.ts'
import { v7 } from 'uuid'
import type { Tx } from '../../../db/database.ts'
import { mails } from '../../../db/schema/people/mails.ts'
import { env } from '../../../env.ts'
import { seal, unseal } from '../../../kit/crypto.ts'
import { announce } from '../../../kit/signals/signals.ts'
import type { MailText } from './compose.ts'

export type NewMail = MailText & {
  kind: MailKind
  to: string
  /** Whom of the team it is for. */
  userId: string | null
  /** How long it is of any use: as long as its link lives. */
  livesMs: number
}

/** Puts a mail on its way: it leaves once the transaction has committed, and is tried again for as long as it is of use. */
export const queueMail = async (tx: Tx, { kind, to, userId, livesMs, ...text }: NewMail) => {
  const id = v7()
  await tx.db.insert(mails).values({
    tenantId: tx.tenantId,
    id,
    kind,
    to,
    userId,
    content: seal(JSON.stringify(text), contextOf(tx.tenantId, id)),
    messageId: `<${v7()}@${new URL(env.PUBLIC_URL).hostname}>`,
    expiresAt: new Date(Date.now() + livesMs),
  })
  mailWaits(tx)
}

/** Some mail is due as soon as this commits. */
export const mailWaits = (tx: Tx) => tx.afterCommit(() => announce('mail.queued'))

export const openContent = (mail: { tenantId: number; id: string; content: string }): MailText =>
  JSON.parse(unseal(mail.content, contextOf(mail.tenantId, mail.id))) // ours, authenticated by its seal

const contextOf = (tenantId: number, id: string) => `mail:${tenantId}:${id}`
