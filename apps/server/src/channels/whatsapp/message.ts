import type { Chosen, Content } from '../adapter.ts'
import { placeOf, pollOf } from '../content.ts'
import { oneSpelling } from './proto.ts'
import { type WaContent, type WaFile, waContent } from './shapes.ts'
import { readVcard } from './vcards.ts'

/** What a message of WhatsApp does; `nothing` is understood, and concerns nobody. */
export type Said =
  | { does: 'say'; content: Content; quotedProviderId?: string }
  | { does: 'react'; targetProviderId: string; emoji: string | null }
  | { does: 'vote'; pollProviderId: string; chosen: Chosen[]; at?: Date }
  | { does: 'edit'; providerId: string; body: string; at?: Date }
  | { does: 'delete'; providerId: string }
  | { does: 'nothing' }

/** What is kept of a file, for `fetchMedia` of the same adapter. */
export type SourceOf = (file: WaFile, kind: FileKind) => Record<string, unknown>
type FileKind = 'image' | 'video' | 'audio' | 'document' | 'sticker'

/** Reads `message` of a WhatsApp event; undefined when its kind is none we know. */
export const readMessage = (message: unknown, sourceOf: SourceOf): Said | undefined =>
  readOpened(opened(oneSpelling(message)), sourceOf)

const envelopes = [
  'ephemeralMessage',
  'viewOnceMessage',
  'viewOnceMessageV2',
  'viewOnceMessageV2Extension',
  'documentWithCaptionMessage',
  'editedMessage',
  'deviceSentMessage',
  'groupMentionedMessage',
  'botInvokeMessage',
  'associatedChildMessage',
  'lottieStickerMessage',
] as const
type Opened = { content: WaContent; isOnce: boolean; names: string[] }
const deepest = 8

const opened = (message: unknown, isOnce = false, depth = 0): Opened | undefined => {
  const content = waContent.safeParse(message).data
  if (!content) return undefined
  const name = envelopes.find((one) => content[one] !== undefined)
  if (!name || depth === deepest) return { content, isOnce, names: Object.keys(Object(message)) }
  return opened(content[name]?.message, isOnce || name.startsWith('viewOnce'), depth + 1)
}

const readOpened = (message: Opened | undefined, sourceOf: SourceOf): Said | undefined => {
  if (!message) return undefined
  const { content, names } = message
  const { reactionMessage: reaction, protocolMessage: protocol } = content
  if (reaction) return { does: 'react', targetProviderId: reaction.key.id, emoji: reaction.text || null }
  if (protocol) return readProtocol(protocol)
  const vote = voteOf(content)
  if (vote) return vote
  const said = contentOf(message, sourceOf)
  if (said) {
    const isForwarded = quoting.some((name) => content[name]?.contextInfo?.isForwarded)
    return {
      does: 'say',
      content: isForwarded ? { ...said, isForwarded } : said,
      quotedProviderId: quotedBy(content),
    }
  }
  return names.every((name) => isHousekeeping.has(name)) ? { does: 'nothing' } : undefined
}

const voteOf = ({ pollUpdateMessage: update }: WaContent): Said | undefined => {
  const { selectedOptions, selectedHashes } = update?.vote ?? {}
  const pollProviderId = update?.pollCreationMessageKey?.id
  const chosen: Chosen[] | undefined = selectedOptions ?? selectedHashes?.map((sha256) => ({ sha256 }))
  return chosen && pollProviderId ? { does: 'vote', pollProviderId, chosen, at: update?.senderTimestampMs } : undefined
}

/** Between devices: keys, pins, the frame of an album whose pictures follow, votes nobody can read. */
const isHousekeeping = new Set([
  'senderKeyDistributionMessage',
  'messageContextInfo',
  'pinInChatMessage',
  'keepInChatMessage',
  'albumMessage',
  'pollUpdateMessage',
  'encReactionMessage',
  'stickerSyncRmrMessage',
  'callLogMesssage',
  'call',
  'deviceSentMessage',
])

/** Edits and deletes; everything else of its kind is between devices. */
export const readProtocol = ({
  key,
  type,
  editedMessage,
  timestampMs,
}: NonNullable<WaContent['protocolMessage']>): Said => {
  if (!key) return { does: 'nothing' }
  // Encoders leave the type out when it is 0, which is REVOKE.
  if (type === 'REVOKE' || type === 0 || (type === undefined && editedMessage === undefined))
    return { does: 'delete', providerId: key.id }
  const body = editedMessage === undefined ? undefined : textOf(opened(editedMessage)?.content)
  return body === undefined ? { does: 'nothing' } : { does: 'edit', providerId: key.id, body, at: timestampMs }
}

/** The words of a message, whatever carries them. */
const textOf = (content: WaContent | undefined): string | undefined => {
  const { conversation, extendedTextMessage: extended, imageMessage, videoMessage, documentMessage } = content ?? {}
  return conversation ?? extended?.text ?? (imageMessage ?? videoMessage ?? documentMessage)?.caption
}

const contentOf = ({ content, isOnce }: Opened, sourceOf: SourceOf): Content | undefined => {
  const text = content.conversation ?? content.extendedTextMessage?.text
  if (text) return { type: 'text', body: text }
  if (content.placeholderMessage !== undefined) return hidden
  const file = fileIn(content)
  if (file) return isOnce && !hasBytes(file[1]) ? hidden : contentOfFile(file, isOnce, sourceOf)
  const place = content.locationMessage ?? content.liveLocationMessage
  if (place) {
    const { degreesLatitude: latitude, degreesLongitude: longitude, name, address } = place
    const location = placeOf({ latitude, longitude, name, address })
    return location && { type: 'location', body: place.caption ?? '', location }
  }
  const cards = content.contactMessage ? [content.contactMessage] : content.contactsArrayMessage?.contacts
  if (cards)
    return { type: 'contact', body: '', contacts: cards.map(({ vcard, displayName }) => readVcard(vcard, displayName)) }
  return answerOf(content) ?? pollIn(content) ?? linesOf(content)
}
const hidden: Content = {
  type: 'unsupported',
  body: 'Mensagem de visualização única. Ela só abre no celular do WhatsApp.',
}

const fileIn = (content: WaContent): [FileKind, WaFile] | undefined => {
  const video = content.videoMessage ?? content.ptvMessage
  if (content.imageMessage) return ['image', content.imageMessage]
  if (video) return ['video', video]
  if (content.audioMessage) return ['audio', content.audioMessage]
  if (content.documentMessage) return ['document', content.documentMessage]
  return content.stickerMessage && ['sticker', content.stickerMessage]
}
/** A linked device gets the frame of what is shown once, without its picture. */
const hasBytes = (file: WaFile) => ['url', 'directPath', 'mediaKey', 'base64', 'mediaUrl'].some((name) => file[name])

const contentOfFile = ([type, file]: [FileKind, WaFile], isOnce: boolean, sourceOf: SourceOf): Content => {
  const note = isOnce || file.viewOnce ? 'Enviada para ser vista uma única vez.' : undefined
  return {
    type,
    body: [note, file.caption].filter(Boolean).join('\n'),
    media: {
      source: sourceOf(file, type),
      name: file.fileName ?? (type === 'document' ? file.title : undefined),
      mime: file.mimetype,
      size: file.fileLength,
      isVoice: type === 'audio' ? file.ptt : undefined,
    },
  }
}

/** What was chosen of buttons or a list. */
const answerOf = (content: WaContent): Content | undefined => {
  const { buttonsResponseMessage: button, templateButtonReplyMessage: reply, listResponseMessage: row } = content
  if (button) return chosen(button.selectedDisplayText, button.selectedButtonId)
  if (reply) return chosen(reply.selectedDisplayText, reply.selectedId)
  if (row) return chosen(row.title, row.singleSelectReply?.selectedRowId)
  const native = content.interactiveResponseMessage
  return native && chosen(native.body?.text, idIn(native.nativeFlowResponseMessage?.paramsJson))
}
const chosen = (text: string | undefined, id: string | undefined): Content => ({
  type: 'text',
  body: text || id || 'Resposta a um botão',
  choice: id,
})
const idIn = (json: string | undefined): string | undefined => {
  try {
    const { id }: { id?: unknown } = Object(JSON.parse(json ?? ''))
    return typeof id === 'string' ? id : undefined
  } catch {
    return undefined
  }
}

const pollIn = (content: WaContent): Content | undefined => {
  const poll =
    content.pollCreationMessage ??
    content.pollCreationMessageV2 ??
    content.pollCreationMessageV3 ??
    content.pollCreationMessageV5
  // Left out by encoders when it is 0: any number.
  const { name = '', options = [], selectableOptionsCount = 0 } = poll ?? {}
  return pollOf(
    name,
    options.map(({ optionName }) => optionName),
    selectableOptionsCount,
  )
}

/** What has no picture of its own here, in lines. */
const linesOf = (content: WaContent): Content | undefined => {
  const { orderMessage: order, productMessage: product, groupInviteMessage: invite, eventMessage: event } = content
  if (order) return lines(`Pedido do catálogo: ${order.itemCount ?? 'vários'} itens`, order.orderTitle, order.message)
  if (product) return lines(`Produto: ${product.product?.title ?? 'do catálogo'}`, product.body)
  if (invite) return lines(`Convite para o grupo ${invite.groupName ?? ''}`.trim(), invite.caption)
  if (event) return lines(`Evento: ${event.name ?? ''}`.trim(), event.description)
  const offer = content.buttonsMessage ?? content.listMessage ?? content.templateMessage ?? content.interactiveMessage
  const body = offer && (offer.contentText ?? offer.hydratedTemplate?.hydratedContentText ?? offer.body?.text)
  return offer && lines(offer.title, body, offer.description)
}
const lines = (...all: (string | undefined)[]): Content | undefined => {
  const body = all.filter(Boolean).join('\n')
  return body ? { type: 'text', body } : undefined
}

const quotedBy = (content: WaContent): string | undefined =>
  quoting.map((name) => content[name]?.contextInfo?.stanzaId).find(Boolean)
const quoting = [
  'extendedTextMessage',
  'imageMessage',
  'videoMessage',
  'ptvMessage',
  'audioMessage',
  'documentMessage',
  'stickerMessage',
  'locationMessage',
  'liveLocationMessage',
  'contactMessage',
  'contactsArrayMessage',
  'buttonsResponseMessage',
  'templateButtonReplyMessage',
  'listResponseMessage',
  'interactiveResponseMessage',
  'pollCreationMessage',
  'pollCreationMessageV2',
  'pollCreationMessageV3',
  'pollCreationMessageV5',
] as const
