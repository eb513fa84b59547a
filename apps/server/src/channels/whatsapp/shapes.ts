import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import { long, moment } from './proto.ts'

const text = z.string()
const words = loose(text)

export const key = z.object({
  id: text.min(1).max(200),
  remoteJid: words,
  fromMe: loose(z.boolean()),
  participant: words,
  remoteJidAlt: words,
  participantAlt: words,
})

const context = loose(z.object({ stanzaId: words, participant: words, isForwarded: loose(z.boolean()) }))
const file = z.looseObject({
  mimetype: words,
  fileLength: loose(long),
  fileName: words,
  title: words,
  caption: words,
  ptt: loose(z.boolean()),
  viewOnce: loose(z.boolean()),
  contextInfo: context,
})
export type WaFile = z.output<typeof file>
const place = z.object({
  degreesLatitude: z.number(),
  degreesLongitude: z.number(),
  name: words,
  address: words,
  caption: words,
  contextInfo: context,
})
const card = z.object({ displayName: words, vcard: text, contextInfo: context })
const poll = z.object({
  name: text,
  options: loose(z.array(z.object({ optionName: text }))),
  selectableOptionsCount: loose(z.int()),
  contextInfo: context,
})
const offer = z.object({
  contentText: words,
  description: words,
  title: words,
  hydratedTemplate: loose(z.object({ hydratedContentText: words })),
  body: loose(z.object({ text: words })),
  contextInfo: context,
})

/** What stands inside others' envelopes: it expires, is shown once, has a caption. */
const envelope = loose(z.object({ message: z.unknown() }))

/** A message as WhatsApp's own schema has it; one of its parts says what it is. */
export const waContent = z.object({
  conversation: words,
  extendedTextMessage: loose(z.object({ text, contextInfo: context })),
  imageMessage: loose(file),
  videoMessage: loose(file),
  ptvMessage: loose(file),
  audioMessage: loose(file),
  documentMessage: loose(file),
  stickerMessage: loose(file),
  locationMessage: loose(place),
  liveLocationMessage: loose(place),
  contactMessage: loose(card),
  contactsArrayMessage: loose(z.object({ contacts: z.array(card), contextInfo: context })),
  pollCreationMessage: loose(poll),
  pollCreationMessageV2: loose(poll),
  pollCreationMessageV3: loose(poll),
  pollCreationMessageV5: loose(poll),
  pollUpdateMessage: loose(
    z.object({
      pollCreationMessageKey: loose(key),
      /** Opened: what was chosen, by its words or, where nobody knows those, by their SHA-256. */
      vote: loose(z.object({ selectedOptions: loose(z.array(text)), selectedHashes: loose(z.array(text)) })),
      senderTimestampMs: loose(moment),
    }),
  ),
  buttonsResponseMessage: loose(
    z.object({ selectedButtonId: words, selectedDisplayText: words, contextInfo: context }),
  ),
  templateButtonReplyMessage: loose(z.object({ selectedId: words, selectedDisplayText: words, contextInfo: context })),
  listResponseMessage: loose(
    z.object({
      title: words,
      singleSelectReply: loose(z.object({ selectedRowId: words })),
      contextInfo: context,
    }),
  ),
  interactiveResponseMessage: loose(
    z.object({
      body: loose(z.object({ text: words })),
      nativeFlowResponseMessage: loose(z.object({ paramsJson: words })),
      contextInfo: context,
    }),
  ),
  buttonsMessage: loose(offer),
  listMessage: loose(offer),
  templateMessage: loose(offer),
  interactiveMessage: loose(offer),
  orderMessage: loose(z.object({ itemCount: loose(z.int()), message: words, orderTitle: words })),
  productMessage: loose(z.object({ product: loose(z.object({ title: words })), body: words })),
  groupInviteMessage: loose(z.object({ groupName: words, caption: words })),
  eventMessage: loose(z.object({ name: words, description: words })),
  reactionMessage: loose(z.object({ key, text: words })),
  protocolMessage: loose(
    z.object({
      key: loose(key),
      type: loose(z.union([z.string(), z.int()])),
      editedMessage: z.unknown().optional(),
      timestampMs: loose(moment),
    }),
  ),
  placeholderMessage: loose(z.unknown()),
  ephemeralMessage: envelope,
  viewOnceMessage: envelope,
  viewOnceMessageV2: envelope,
  viewOnceMessageV2Extension: envelope,
  documentWithCaptionMessage: envelope,
  editedMessage: envelope,
  deviceSentMessage: envelope,
  groupMentionedMessage: envelope,
  botInvokeMessage: envelope,
  associatedChildMessage: envelope,
  lottieStickerMessage: envelope,
})
export type WaContent = z.output<typeof waContent>
