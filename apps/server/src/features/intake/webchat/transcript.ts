import { randomInt } from 'node:crypto'
import type { WebchatLanguage } from '@balcao/contract/channels/webchat-look.ts'
import type { transcriptBody, transcriptConfirm, WebchatMessage } from '@balcao/contract/intake/webchat.ts'
import type { z } from 'zod'
import { withTenant } from '../../../db/database.ts'
import { isSame, sign } from '../../../kit/crypto.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { isFirstUse, type Limit, reserveAttempt } from '../../people/auth/attempts.ts'
import { type NewMail, queueMail } from '../../people/mail/outbox.ts'
import type { Caller } from './sessions.ts'
import { offersTranscript } from './site.ts'
import { listLastConversation } from './window-messages.ts'

const codeLivesMs = 10 * 60_000
const hourS = 60 * 60
const dayMs = 24 * 60 * 60_000

type Asked = z.output<typeof transcriptBody>
/**
 * A copy goes to an address its owner proves: by the site's signature, then at once, or by a code sent there. What the
 * window gets is the code under our key, with all it is good for: nothing is kept of it here.
 */
export const askTranscript = async (caller: Caller, { email, language }: Asked) => {
  await requireOffered(caller)
  if (!(await listLastConversation(caller)).length)
    throw fieldErrors({ path: 'email', message: 'Ainda não há conversa para enviar.' })
  await count([
    { scope: 'transcript:visitor', key: `${caller.tenantId}:${caller.visitorId}`, max: 5, windowS: hourS },
    { scope: 'transcript:address', key: email, max: 3, windowS: hourS },
    { scope: 'transcript:channel', key: caller.connectionId, max: 200, windowS: hourS },
  ])
  if (email === caller.verifiedEmail) {
    await sendTranscript(caller, email, language)
    return { challenge: null }
  }
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const until = Date.now() + codeLivesMs
  const say = words[language]
  const { name } = await getDirectory(caller.tenantId)
  await mail(caller, {
    kind: 'transcriptCode',
    to: email,
    livesMs: codeLivesMs,
    subject: say.codeSubject(code, name),
    greeting: say.hello,
    paragraphs: [say.codeText(name), code],
    closing: say.codeClosing,
  })
  return { challenge: `${until}.${proofOf(caller, email, until, code)}` }
}

type Confirmed = z.output<typeof transcriptConfirm>
export const confirmTranscript = async (caller: Caller, { email, code, challenge, language }: Confirmed) => {
  await requireOffered(caller)
  const [until = '', proof = ''] = challenge.split('.')
  await count([{ scope: 'transcript:code', key: proof, max: 5, windowS: codeLivesMs / 1_000 }])
  const isGood = Number(until) > Date.now() && isSame(proof, proofOf(caller, email, Number(until), code))
  if (!isGood || !(await isFirstUse('transcript:used', proof, 1)))
    throw fieldErrors({ path: 'code', message: 'Código incorreto ou vencido.' })
  await sendTranscript(caller, email, language)
}

const requireOffered = async ({ webchat }: Caller) => {
  if (!(await offersTranscript(webchat))) throw new AppError('ERR_NO_PERMISSION')
}

const count = async (limits: Limit[]) => {
  const reached = await reserveAttempt(limits)
  if (reached) throw new AppError('ERR_TOO_MANY', { retryAfterS: reached.retryAfterS })
}

const proofOf = ({ connectionId, visitorId }: Caller, email: string, until: number, code: string) =>
  sign('webchat-transcript', [connectionId, visitorId, email, until, code].join('\n'))

/** What the visitor sees of the last conversation, and nothing else: files by their names. */
const sendTranscript = async (caller: Caller, to: string, language: WebchatLanguage) => {
  const { name, timezone } = await getDirectory(caller.tenantId)
  const messages = await listLastConversation(caller)
  const say = words[language]
  const clock = new Intl.DateTimeFormat(language, { dateStyle: 'short', timeStyle: 'short', timeZone: timezone })
  await mail(caller, {
    kind: 'transcript',
    to,
    livesMs: dayMs,
    subject: say.subject(name),
    greeting: say.hello,
    paragraphs: [
      say.intro(name),
      ...messages.map(
        (message) => `${whoOf(message, say)} · ${clock.format(new Date(message.createdAt))}\n${textOf(message, say)}`,
      ),
    ],
    closing: say.closing,
  })
}

const mail = (caller: Caller, content: Omit<NewMail, 'userId'>) =>
  withTenant(caller.tenantId, (tx) => queueMail(tx, { ...content, userId: null }))

type Words = (typeof words)[WebchatLanguage]
const whoOf = ({ from, agentName }: WebchatMessage, say: Words) =>
  from === 'visitor' ? say.you : (agentName ?? (from === 'bot' ? say.bot : say.team))

const textOf = ({ text, media, isDeleted, type }: WebchatMessage, say: Words): string => {
  if (isDeleted) return say.deleted
  const file = media ? `[${say.file}: ${media.name}]` : ''
  return [text, file].filter(Boolean).join('\n') || `[${type === 'location' ? say.location : say.file}]`
}

const words = {
  'pt-BR': {
    hello: 'Olá!',
    codeSubject: (code: string, company: string) => `${code} é o seu código · ${company}`,
    codeText: (company: string) => `Use este código no chat de ${company} para receber a cópia da conversa:`,
    codeClosing: 'Ele vale por 10 minutos. Se não foi você quem pediu, ignore este e-mail.',
    subject: (company: string) => `Sua conversa com ${company}`,
    intro: (company: string) => `Esta é a cópia da sua conversa com ${company}, pedida no chat do site.`,
    closing: 'Os arquivos da conversa continuam no chat.',
    you: 'Você',
    team: 'Atendimento',
    bot: 'Assistente virtual',
    deleted: '[mensagem apagada]',
    file: 'arquivo',
    location: 'localização',
  },
  en: {
    hello: 'Hello!',
    codeSubject: (code: string, company: string) => `${code} is your code · ${company}`,
    codeText: (company: string) => `Use this code in the chat with ${company} to receive the copy of the conversation:`,
    codeClosing: 'It is good for 10 minutes. If you did not ask for it, ignore this e-mail.',
    subject: (company: string) => `Your conversation with ${company}`,
    intro: (company: string) =>
      `This is the copy of your conversation with ${company}, asked for in the chat of the site.`,
    closing: 'The files of the conversation remain in the chat.',
    you: 'You',
    team: 'Support',
    bot: 'Virtual assistant',
    deleted: '[message deleted]',
    file: 'file',
    location: 'location',
  },
  es: {
    hello: '¡Hola!',
    codeSubject: (code: string, company: string) => `${code} es tu código · ${company}`,
    codeText: (company: string) => `Usa este código en el chat de ${company} para recibir la copia de la conversación:`,
    codeClosing: 'Vale por 10 minutos. Si no lo pediste tú, ignora este correo.',
    subject: (company: string) => `Tu conversación con ${company}`,
    intro: (company: string) => `Esta es la copia de tu conversación con ${company}, pedida en el chat del sitio.`,
    closing: 'Los archivos de la conversación siguen en el chat.',
    you: 'Tú',
    team: 'Atención',
    bot: 'Asistente virtual',
    deleted: '[mensaje eliminado]',
    file: 'archivo',
    location: 'ubicación',
  },
} satisfies Record<WebchatLanguage, unknown>
