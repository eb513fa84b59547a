import { createHash } from 'node:crypto'
import { invitation } from '@balcao/contract/conversations/messages.ts'
import { cutText } from '@balcao/contract/core/cut-text.ts'
import type { Address, Email } from 'postal-mime'
import { z } from 'zod'
import { contentIdOf } from '../../kit/text.ts'
import { textOfHtml } from '../../kit/text-of-html.ts'
import { bounceOf, bounce as bounceShape } from './bounce.ts'
import { invitationOf } from './invitation.ts'
import { readAsMeant } from './read-as-meant.ts'

/** A message of the mailbox as it is journalled: what it says, and where its files lie. */
export const letter = z.object({
  /** By its sender's id, or one we made where it has none. */
  id: z.string().min(1).max(400),
  at: z.iso.datetime(),
  from: z.object({ address: z.string().min(1).max(254), name: z.string() }),
  subject: z.string(),
  cc: z.array(z.string()),
  text: z.string(),
  html: z.string().nullable(),
  references: z.array(z.string()),
  answers: z.string().nullable(),
  isAutomatic: z.boolean(),
  files: z.array(
    z.object({
      source: z.object({ validity: z.string(), uid: z.int(), at: z.int(), folder: z.string().optional() }),
      name: z.string(),
      mime: z.string(),
      size: z.int(),
      /** The text draws it, by this id. */
      drawn: z.object({ cid: z.string() }).optional(),
    }),
  ),
  pictures: z.array(z.object({ cid: z.string(), mime: z.string(), base64: z.string() })).default([]),
  bounce: bounceShape.optional(),
  invitation: invitation.optional(),
  /** It lay in the spam folder. */
  isJunk: z.boolean().optional(),
  /** Its own provider could not confirm that it comes from there. */
  isUnproven: z.boolean().optional(),
})
export type Letter = z.output<typeof letter>

/** Where a message lies, as its server has it. */
export type Place = { validity: string; uid: number; at: Date; size: number; folder?: string }

const mostFiles = 20
const mostCopies = 100
const mostReferences = 100
const longestText = 200_000
/** What is longer is shown as its plain text. */
const longestHtml = 12 * 1024 * 1024
/** A picture the text draws comes along with it up to this size, all of them up to that; a larger one is fetched as a file. */
const drawnPicture = 64 * 1024
const drawnInAll = 512 * 1024

/** What a message says; `isWhole`: it was brought with its files. Undefined: one of ours that came back. */
export const letterOf = (mail: Email, place: Place, own: string, isWhole: boolean): Letter | undefined => {
  const id = idOf(mail, place)
  const from = senderOf(mail, own, id)
  if (!from) return undefined
  const references = idsIn(mail.references).slice(-mostReferences)
  const [answers = references.at(-1) ?? null] = idsIn(mail.inReplyTo)
  const html = readAsMeant(mail.html?.trim() ?? '') || null
  const said = (readAsMeant(mail.text?.trim() ?? '') || (html && textOfHtml(html)) || '').slice(0, longestText)
  const shown = html && html.length <= longestHtml ? html : null
  const drawn = drawnBy(mail, shown)
  const files = isWhole ? filesOf(mail, place, drawn) : []
  const isBounce = bounceOf(mail)
  return {
    id,
    at: place.at.toISOString(),
    from,
    subject: cutText(oneLine(mail.subject ?? ''), 998),
    cc: copiesOf(mail, own, from.address),
    text: [said, ...notes(mail, place, isWhole, files.length)].filter(Boolean).join('\n\n'),
    html: shown,
    references,
    answers,
    isAutomatic: isBounce !== undefined || isOfNobody(from.address) || isAutomatic(mail, from.address),
    files,
    pictures: picturesOf(drawn),
    ...(isBounce && { bounce: isBounce }),
    invitation: invitationOf(mail),
    ...(place.folder && { isJunk: true }),
    ...((isUnproven(mail) || isOfNobody(from.address)) && { isUnproven: true }),
  }
}

/** The id a provider's message has here: short, and of one line. */
const idOf = (mail: Email, { validity, uid }: Place): string => {
  const [id] = idsIn(mail.messageId)
  if (id) return id
  const said = mail.headerLines.map(({ line }) => line).join('\n')
  return `<${digest(said || `${validity}:${uid}`)}@sem-id>`
}
const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 40)

/** Ids in angle brackets; one that is longer than any honest one is known by what it comes to. */
const idsIn = (header: string | undefined): string[] =>
  [...(header ?? '').slice(0, 200_000).matchAll(/<[^<>\s]{1,998}>/g)].map(([id]) =>
    id.length <= 300 ? id : `<${digest(id)}@longo>`,
  )

/**
 * Whoever wrote it. What our own address sends comes from a form of a site, which names its writer as the one to answer, or
 * is ours come back.
 */
const senderOf = (mail: Email, own: string, id: string): Letter['from'] | undefined => {
  const given = [mail.from ?? mail.sender ?? []].flat()
  const [from] = mailboxes(given).filter(({ address }) => !isOfNobody(address))
  if (from && from.address !== own) return from
  if (!from) {
    const address = `${digest(id).slice(0, 24)}${nobody}`
    return { address, name: nameBeside(address, given[0]?.name ?? '') || 'Sem remetente' }
  }
  return mailboxes(mail.replyTo).find(({ address }) => address !== own)
}

/** Two mails that say nothing of who wrote them may be of two people: each is a conversation of its own, which nothing answers. */
const nobody = '@sem-remetente.invalid'
export const isOfNobody = (address: string) => address.endsWith(nobody)

const copiesOf = (mail: Email, own: string, from: string): string[] => {
  const all = mailboxes([...(mail.to ?? []).slice(0, mostCopies), ...(mail.cc ?? []).slice(0, mostCopies)])
  return [...new Set(all.map(({ address }) => address))]
    .filter((address) => address !== own && address !== from)
    .slice(0, mostCopies)
}

const mailboxes = (addresses: Address[] = []) =>
  addresses
    .flatMap((one) => one.group ?? [one])
    .flatMap(({ address, name }) => {
      const clean = address.trim().toLowerCase()
      return z.email().max(254).safeParse(clean).success ? [{ address: clean, name: nameBeside(clean, name) }] : []
    })

/** A name that is another address is a mask: whoever reads it would take it for the sender's own. */
const nameBeside = (address: string, given: string) => {
  const name = cutText(oneLine(given), 120)
  const [other = address] = /[^\s<>"'(),;]+@[^\s<>"'(),;]+\.[a-z]{2,}/i.exec(name) ?? []
  return other.toLowerCase() === address ? name : ''
}

const oneLine = (text: string) => readAsMeant(text).replace(/\s+/g, ' ').trim()

const headerOf = ({ headers }: Email, name: string) => headers.find(({ key }) => key === name)?.value.toLowerCase()
/** RFC 3834 and what was in use before it. */
const isAutomatic = (mail: Email, from: string): boolean => {
  const submitted = headerOf(mail, 'auto-submitted')
  if (submitted !== undefined && !/^\s*no\b/.test(submitted)) return true
  if (/^\s*(bulk|list|junk|auto_reply)\b/.test(headerOf(mail, 'precedence') ?? '')) return true
  const told = ['x-auto-response-suppress', 'x-autoreply', 'x-autorespond', 'list-id', 'list-unsubscribe']
  if (told.some((name) => headerOf(mail, name) !== undefined)) return true
  return headerOf(mail, 'return-path')?.trim() === '<>' || /^(mailer-daemon|postmaster|no-?reply)@/.test(from)
}

/**
 * What the server that received it found (RFC 8601). Each puts its result above those before, so the first is our own
 * provider's, or a sender's who says that all is well; nobody forges that it is not.
 */
const isUnproven = (mail: Email): boolean => {
  const result = headerOf(mail, 'authentication-results')?.replace(/\([^()]{0,2000}\)/g, '') ?? ''
  const found = (method: string) => new RegExp(`\\b${method}=([a-z]+)`).exec(result)?.[1]
  const dmarc = found('dmarc')
  if (dmarc && dmarc !== 'none') return dmarc === 'fail'
  return found('spf') === 'fail' && !/\bdkim=pass\b/.test(result)
}

type Attached = Email['attachments'][number]
/** The pictures the text names, in their order, as far as they come along with it. */
const drawnBy = ({ attachments }: Email, html: string | null): Map<Attached, 'along' | 'file'> => {
  const drawn = new Map<Attached, 'along' | 'file'>()
  if (!html) return drawn
  const named = new Set([...html.matchAll(/\bcid:([^"'\s<>)]{1,300})/gi)].map(([, cid = '']) => contentIdOf(cid)))
  let left = drawnInAll
  for (const file of attachments) {
    if (!/^image\/(jpeg|png|gif|webp)$/.test(file.mimeType) || !named.has(contentIdOf(file.contentId ?? ''))) continue
    const size = sizeOf(file.content)
    const isAlong = size <= Math.min(drawnPicture, left)
    if (isAlong) left -= size
    drawn.set(file, isAlong ? 'along' : 'file')
  }
  return drawn
}

const picturesOf = (drawn: ReturnType<typeof drawnBy>): Letter['pictures'] =>
  [...drawn].flatMap(([{ contentId = '', mimeType: mime, content }, how]) =>
    how === 'along'
      ? [{ cid: contentIdOf(contentId), mime, base64: Buffer.from(content as Uint8Array).toString('base64') }]
      : [],
  )

const filesOf = (mail: Email, { validity, uid, folder }: Place, drawn: ReturnType<typeof drawnBy>): Letter['files'] =>
  mail.attachments
    .flatMap((file, at) => {
      if (/^message\/(global-)?(delivery|disposition)-/.test(file.mimeType)) return [] // for machines
      const how = drawn.get(file)
      if (how === 'along' || (file.related && !how && !isSeen(file))) return []
      const one = {
        source: { validity, uid, at, folder },
        name: nameOf(file),
        mime: file.mimeType.slice(0, 120),
        size: sizeOf(file.content),
      }
      return [how ? { ...one, drawn: { cid: contentIdOf(file.contentId ?? '') } } : one]
    })
    .slice(0, mostFiles)

/** What belongs to the text, which nevertheless does not name it: smaller ones count who reads. */
const isSeen = (file: Attached) => file.mimeType.startsWith('image/') && sizeOf(file.content) >= smallestPicture
const smallestPicture = 8 * 1024

const sizeOf = (content: Email['attachments'][number]['content']) =>
  typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength

export const nameOf = ({ filename, mimeType }: Email['attachments'][number]): string => {
  const given = oneLine(filename ?? '').slice(-200)
  if (given) return given
  if (mimeType === 'text/calendar') return 'convite.ics'
  if (mimeType === 'message/rfc822') return 'mensagem.eml'
  return mimeType.startsWith('image/') ? `imagem.${mimeType.split('/')[1]}` : 'anexo'
}

/** What did not come along is said in the conversation. */
const notes = (mail: Email, { size }: Place, isWhole: boolean, brought: number): string[] => {
  if (!isWhole)
    return [
      `[Este e-mail tem ${Math.round(size / 1024 / 1024).toLocaleString('pt-BR')} MB e não foi trazido. Veja-o na caixa de entrada.]`,
    ]
  const files = mail.attachments.filter(({ related }) => !related).length
  return brought === mostFiles && files > brought
    ? [`[O e-mail tem ${files} anexos; os primeiros ${brought} estão aqui. Veja os outros na caixa de entrada.]`]
    : []
}
