import type { Abilities } from '@balcao/contract/channels/abilities.ts'
import { type ChannelKind, channels } from '@balcao/contract/channels/index.ts'
import { messagePrice, type PriceCategory, priceCategories } from '@balcao/contract/channels/message-prices.ts'
import { smsOf } from '@balcao/contract/channels/sms-segments.ts'
import type { TemplateUse } from '@balcao/contract/channels/templates.ts'
import { isWindowOpen } from '@balcao/contract/channels/window.ts'
import { partWay } from '@balcao/contract/conversations/parts.ts'
import { errorCodes } from '@balcao/contract/errors.ts'
import { type CampaignContent, pickerOf, spin } from '@balcao/contract/operations/campaigns/content.ts'
import { isMadeUpName } from '@balcao/contract/operations/campaigns/variables.ts'
import { fillVariables, placeholdersIn, type VariableContext } from '@balcao/contract/variables.ts'
import type { messageTemplates } from '../../../db/schema/channels/connections.ts'
import { AppError, fieldErrors, sentenceOf } from '../../../kit/errors.ts'
import { takesFile, templateSent, usableShape } from '../../channels/templates/use-template.ts'
import { asCarried } from '../../conversations/messages/send-message.ts'
import { emptyText, type OutgoingDraft } from '../../conversations/messages/write-outgoing.ts'
import type { Directory, Person } from '../../core/directory/directory.ts'
import type { StoredFile } from '../../core/media/media.present.ts'

/** Whom a send is for, as far as its words ask. */
export type Recipient = {
  id: string
  contact: {
    name: string
    email: string | null
    number: string | null
    businessName: string
    kanban: string | null
    extraInfo: readonly { name: string; value: string }[]
  }
  /** What a list says of this one, by heading: read as `{{extra.<heading>}}`, before the contact's own. */
  vars: Readonly<Record<string, string>> | null
  /** When the contact last wrote on this connection: free text goes only so long after it, where its provider has it so. */
  windowFrom: Date | null
}
type StoredTemplate = typeof messageTemplates.$inferSelect
/** What holds for all who get it by one connection. */
export type Saying = {
  connection: { id: string; kind: ChannelKind; abilities: Abilities }
  directory: Pick<Directory, 'timezone' | 'settings'>
  /** Who made it: `{{user}}`. */
  author: Pick<Person, 'name' | 'email'> | undefined
  files: ReadonlyMap<string, StoredFile>
  /** Templates of the connection, by `templateKey`. */
  templates: ReadonlyMap<string, Pick<StoredTemplate, 'status' | 'components' | 'category'>>
  onMissing: 'skip' | 'fallback'
  fallbacks: Readonly<Record<string, string>>
  /** Where this recipient asks for no more; undefined: the channel has no place for it. */
  unsubscribeUrl?: (recipientId: string) => string
  now: Date
}
export const templateKey = ({ name, language }: Pick<TemplateUse, 'name' | 'language'>) => `${name} ${language}`

/**
 * A send as its recipient will read it: messages in their order, ready for `writeOutgoing` but for their ids; or the
 * variables that nothing is known for; or why the connection cannot take it, in Portuguese. `cost`: of all of it in
 * hundredths of a cent, null where no price is known. The same recipient always gets the same choices of a text.
 */
export type Rendered =
  | { drafts: OutgoingDraft[]; subject: string; cost: number | null; missing?: undefined; error?: undefined }
  | { missing: string[]; drafts?: undefined; error?: undefined }
  | { error: string; drafts?: undefined; missing?: undefined }

export const renderSend = (saying: Saying, content: CampaignContent, recipient: Recipient): Rendered => {
  const { abilities } = saying.connection
  const isFree = isWindowOpen(abilities, recipient.windowFrom, { now: saying.now.getTime() })
  const isTemplate = content.template !== null && (!content.parts.length || !isFree)
  if (!isTemplate && !isFree) return { error: errorCodes.ERR_WINDOW_CLOSED.text }
  const words = fillerOf(saying, recipient)
  try {
    const drafts = isTemplate ? [templateOf(saying, content, words)] : partsOf(saying, content, words, recipient.id)
    const subject = abilities.supports.includes('mail') ? words.fill(content.subject).trim() : ''
    if (words.missing.size) return { missing: [...words.missing] }
    if (subject || drafts[0]?.payload?.unsubscribe)
      for (const draft of drafts)
        draft.payload = {
          ...draft.payload,
          mail: { subject, cc: [], bcc: [], references: [], isFormatted: false },
        }
    return { drafts, subject, cost: costOf(saying, content, drafts, recipient) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return words.missing.size ? { missing: [...words.missing] } : { error: sentenceOf(error) }
  }
}

type Filler = { fill: (text: string) => string; missing: Set<string> }

/** Choices are made first, then variables filled in: what a contact's data contain is neither a choice nor a variable. */
const fillerOf = ({ directory, author, onMissing, fallbacks, now }: Saying, recipient: Recipient): Filler => {
  const pick = pickerOf(recipient.id)
  const missing = new Set<string>()
  const context = contextOf(recipient, { directory, author })
  const valueFor = (name: string, whole: string): string => {
    const value = isNameless(name, context.name) ? '' : fillVariables(whole, context, now).trim()
    if (value) return value
    const instead = onMissing === 'fallback' ? fallbacks[name]?.trim() : undefined
    if (!instead) missing.add(name)
    return instead ?? ''
  }
  const fill = (text: string) => {
    const chosen = spin(text, pick)
    let filled = ''
    let from = 0
    for (const { name, start, end } of placeholdersIn(chosen)) {
      filled += chosen.slice(from, start) + valueFor(name, chosen.slice(start, end))
      from = end
    }
    return filled + chosen.slice(from)
  }
  return { fill, missing }
}

const contextOf = (
  { contact, vars }: Recipient,
  { directory, author }: Pick<Saying, 'directory' | 'author'>,
): VariableContext => ({
  name: contact.name,
  email: contact.email,
  phoneNumber: contact.number,
  businessName: contact.businessName,
  kanban: contact.kanban,
  extra: [...Object.entries(vars ?? {}).map(([name, value]) => ({ name, value })), ...contact.extraInfo].filter(
    ({ value }) => value.trim(),
  ),
  user: author?.name,
  userEmail: author?.email,
  timeZone: directory.timezone,
})

/** A number, or a word for nobody in particular, is not what somebody wants to be called. */
const isNameless = (variable: string, name: string) =>
  ['name', 'primeiro_nome', 'firstName', 'lastName'].includes(variable) && isMadeUpName(name)

const templateOf = (
  { connection, files, templates }: Saying,
  { template: use, templateMediaId }: CampaignContent,
  { fill }: Filler,
): OutgoingDraft => {
  if (!use || !connection.abilities.supports.includes('template')) throw new AppError('ERR_CHANNEL_UNSUPPORTED')
  const shape = usableShape(templates.get(templateKey(use)))
  const file = templateMediaId ? files.get(templateMediaId) : undefined
  const values = {
    ...use,
    header: use.header.map((text) => fill(text).trim()),
    body: use.body.map((text) => fill(text).trim()),
    buttons: Object.fromEntries(Object.entries(use.buttons).map(([at, text]) => [at, fill(text).trim()])),
  }
  const { template, text } = templateSent(shape, values, { fileKind: file?.kind ?? null, isFileOptional: true })
  return { type: 'template', body: text, payload: { template }, file: takesFile(shape) ? file : null }
}

const partsOf = (
  { connection: { kind, abilities }, files, unsubscribeUrl }: Saying,
  { parts }: CampaignContent,
  { fill }: Filler,
  recipientId: string,
): OutgoingDraft[] => {
  const unsubscribe = abilities.supports.includes('mail') ? unsubscribeUrl?.(recipientId) : undefined
  return parts.map((part, at) => {
    const file = part.mediaId ? files.get(part.mediaId) : undefined
    const { type, note } = partWay({ ...abilities, label: channels[kind].label }, part, file ?? null)
    if (!type) throw new AppError('ERR_CHANNEL_UNSUPPORTED', { message: note })
    const words = fill(part.body).trim()
    if (!words && part.body.trim()) throw fieldErrors({ path: 'body', message: emptyText })
    const isLast = at === parts.length - 1
    return {
      type,
      body: unsubscribe && isLast ? `${words}\n\nPara não receber mais: ${unsubscribe}` : words,
      file,
      payload: {
        ...(part.interactive && { interactive: asCarried(abilities, part.interactive, words) }),
        ...(unsubscribe && { unsubscribe }),
      },
    }
  })
}

/** A template costs what its provider charges in Brazil, an SMS what its connection says. */
const costOf = (
  { connection: { abilities }, directory: { settings }, templates }: Saying,
  { template: use }: CampaignContent,
  drafts: OutgoingDraft[],
  { contact }: Recipient,
): number | null => {
  const [first] = drafts
  if (first?.type === 'template') {
    const category = use && templates.get(templateKey(use))?.category
    const country = contact.number?.startsWith('55') ? 'BR' : null
    return isPriced(category) ? (messagePrice(settings, country, category) ?? null) : null
  }
  const { sms } = abilities
  if (!sms || sms.price === null) return null
  return Math.round(drafts.reduce((sum, { body }) => sum + (smsOf(body, sms).cost ?? 0), 0) * 10_000)
}
const isPriced = (category: string | null | undefined): category is PriceCategory =>
  priceCategories.some((one) => one === category)
