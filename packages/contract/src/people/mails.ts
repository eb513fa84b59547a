import { z } from 'zod'
import { id, moment, pageOf, pageQuery, queryList, tenantId } from '../common.ts'

/** What our own mails are about. */
export const mailKinds = [
  'reset',
  'invite',
  'guesses',
  'action',
  'alarm',
  'report',
  'transcriptCode',
  'transcript',
] as const
export type MailKind = (typeof mailKinds)[number]
export const mailKindLabels: Record<MailKind, string> = {
  reset: 'Redefinição de senha',
  invite: 'Convite',
  guesses: 'Aviso de tentativas de acesso',
  action: 'Enviado de um atendimento',
  alarm: 'Aviso de canal com problema',
  report: 'Relatório programado',
  transcriptCode: 'Código para cópia de conversa',
  transcript: 'Cópia de conversa do chat',
}

/** `refused`: the recipient's server will not take it; `failed`: nobody took it until its time was over. */
export const mailStates = ['queued', 'sent', 'refused', 'failed'] as const
export type MailState = (typeof mailStates)[number]

export const mail = z.object({
  id,
  kind: z.enum(mailKinds),
  to: z.string(),
  state: z.enum(mailStates),
  attempts: z.int(),
  /** Why the last attempt failed, in the words of the server. */
  error: z.string().nullable(),
  /** When it is tried next. */
  attemptAt: moment.nullable(),
  sentAt: moment.nullable(),
  createdAt: moment,
})
export type Mail = z.output<typeof mail>
export const mailsQuery = pageQuery
  .pick({ cursor: true, limit: true, searchParam: true })
  .extend({ state: queryList(z.enum(mailStates)) })
export const mailsPage = pageOf(mail)

/** A mail of any company, as whoever runs the platform sees it; of the platform's own people with company 0. */
export const tenantMail = mail.extend({ tenant: z.object({ id: tenantId, name: z.string() }) })
export type TenantMail = z.output<typeof tenantMail>
export const tenantMailsQuery = mailsQuery.extend({ tenantId: z.coerce.number().int().min(0).optional() })
