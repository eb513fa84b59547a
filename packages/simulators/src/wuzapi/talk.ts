import { createHash, randomBytes } from 'node:crypto'
import type { Line } from '../handset.ts'
import type { CustomerWorld, WhatsAppCustomer } from '../whatsapp/customer.ts'
import { createPeople, type Group, newId } from '../whatsapp/people.ts'
import type { State, User } from './state.ts'
import type { Webhooks } from './webhooks.ts'

export type Talk = ReturnType<typeof createTalk>
type Told = {
  id: string
  chat: string
  chatAlt?: string
  sender: string
  senderAlt?: string
  name?: string
  fromMe?: boolean
}

/** People and groups, and what they and the business say to each other. */
export const createTalk = (state: State, webhooks: Webhooks) => {
  const { core } = state
  /** The phone of the business is linked to one user at a time. */
  const linked = (): User | undefined => state.users.find((one) => one.session === 'open')
  const now = () => new Date(core.now()).toISOString()

  type More = { line?: Line; voted?: string[]; onAccepted?: () => void }
  const emit = async (user: User, message: object, told: Told, { line, voted, onAccepted }: More = {}) => {
    const {
      id: ID,
      chat: Chat,
      chatAlt = '',
      sender: Sender,
      senderAlt: SenderAlt = '',
      name = '',
      fromMe = false,
    } = told
    const Info = {
      Chat,
      Sender,
      IsFromMe: fromMe,
      IsGroup: Chat.endsWith('@g.us'),
      AddressingMode: 'lid',
      SenderAlt,
      RecipientAlt: chatAlt,
      BroadcastListOwner: '',
      BroadcastRecipients: null,
      ID,
      ServerID: 0,
      Type: 'text',
      PushName: name,
      Timestamp: now(),
      Category: '',
      Multicast: false,
      MediaType: '',
      Edit: '',
      VerifiedName: null,
      DeviceSentMeta: null,
    }
    const content = asWhatsmeow(lying(message, ID))
    const file = line?.media && user.files.media_delivery !== 's3' && { base64: line.media.bytes.toString('base64') }
    const event = { Info, Message: content, IsEphemeral: false, IsViewOnce: false, IsEdit: false, RawMessage: content }
    const vote = voted && { pollVote: voteOf(content, voted) }
    await webhooks.emit(user, 'Message', { event, ...file, ...vote }, onAccepted)
  }
  const emitReceipt = async ({ id }: Pick<Line, 'id'>, chat: string, state: 'Delivered' | 'Read') => {
    const user = linked()
    const event = {
      Chat: chat,
      Sender: chat,
      IsFromMe: false,
      IsGroup: chat.endsWith('@g.us'),
      MessageIDs: [id],
      Timestamp: now(),
      Type: state === 'Read' ? 'read' : '',
      MessageSender: '',
    }
    if (user) await webhooks.emit(user, 'ReadReceipt', { event, state })
  }

  const world: CustomerWorld = {
    now: core.now,
    changed: core.changed,
    tell: async (from, message, line, said) => {
      const user = linked()
      const id = line?.id ?? newId()
      const { group } = said
      if (line) state.known.set(id, { line, chat: group?.jid ?? from.jid, customer: from, media: line.media })
      core.changed()
      const told = {
        id,
        chat: group?.jid ?? from.jid,
        sender: said.isHidden ? `${from.lid}@lid` : from.jid.replace('@', ':3@'),
        senderAlt: said.isHidden ? '' : `${from.lid}@lid`,
        name: said.pushName === null ? '' : from.name,
      }
      const onAccepted = () => {
        if (line?.state === 'sent') line.state = 'delivered'
        core.changed()
      }
      if (user) await emit(user, message, told, { line, voted: said.voted, onAccepted })
      return id
    },
    // That something was played it keeps to itself.
    tellStatus: async (line, status) => {
      line.state = status === 'READ' ? 'read' : 'played'
      core.changed()
      const known = state.known.get(line.id)
      if (known && status === 'READ') await emitReceipt(line, known.chat, 'Read')
    },
    tellEdit: async (from, id, text) => {
      const key = { remoteJid: from.jid, fromMe: false, id }
      const editedMessage = { conversation: text }
      await tellProtocol(from, { key, type: 14, editedMessage, timestampMS: core.now() })
    },
    tellRevoke: (from, id) => tellProtocol(from, { key: { remoteJid: from.jid, fromMe: false, id }, type: 0 }),
  }
  const tellProtocol = async (from: WhatsAppCustomer, protocolMessage: object) => {
    const user = linked()
    const told = { id: newId(), chat: from.jid, sender: from.jid, senderAlt: `${from.lid}@lid`, name: from.name }
    if (user) await emit(user, { protocolMessage }, told)
  }
  const people = createPeople(core, state, world)

  return {
    ...people,
    linked,
    /** How a message of ours fares: that it was sent only the answer says. */
    tellLife: async (line: Line, chat: string) => {
      if (core.delivery.skipDelivered) return
      if (line.state === 'sent') line.state = 'delivered'
      await emitReceipt(line, chat, 'Delivered')
    },
    /** The owner writes on the phone itself. */
    ownPhone: async (to: WhatsAppCustomer, text: string) => {
      const user = linked()
      if (!user) throw new Error('no phone is linked')
      const message = { conversation: text }
      const { line, chat } = people.say(to.jid, message, { type: 'text', text })
      await emit(user, message, { id: line.id, chat, chatAlt: `${to.lid}@lid`, sender: user.jid, fromMe: true })
      return line.id
    },
    /** What was said before, as a phone gives it away once it is linked. */
    tellHistory: async (with_: WhatsAppCustomer, lines: { text: string; fromMe: boolean; at: Date }[]) => {
      const user = linked()
      const messages = lines.map(({ text, fromMe, at }, n) => ({
        message: {
          key: { remoteJID: with_.jid, fromMe, ID: newId() },
          message: { conversation: text },
          messageTimestamp: Math.floor(at.getTime() / 1000),
          pushName: fromMe ? undefined : with_.name,
        },
        msgOrderID: n,
      }))
      const Data = { syncType: 3, conversations: [{ ID: with_.jid, messages }], progress: 100 }
      if (user) await webhooks.emit(user, 'HistorySync', { event: { Data } })
    },
    tellCall: async (
      from: WhatsAppCustomer,
      step: 'CallOffer' | 'CallTerminate',
      id = randomBytes(8).toString('hex'),
    ) => {
      const user = linked()
      const event = {
        From: `${from.lid}@lid`,
        Timestamp: now(),
        CallCreator: `${from.lid}@lid`,
        CallCreatorAlt: from.jid,
        CallID: id,
        GroupJID: '',
        Data: { Tag: step === 'CallOffer' ? 'offer' : 'terminate', Attrs: {}, Content: [{ Tag: 'audio', Attrs: {} }] },
        ...(step === 'CallTerminate' && { Reason: '' }),
      }
      if (step === 'CallOffer') state.ringing.set(id, from.jid)
      else state.ringing.delete(id)
      if (user) await webhooks.emit(user, step, { callId: id, caller: from.lid })
      if (user) await webhooks.emit(user, step, { event })
      return id
    },
    tellGroup: async (group: Group, change: object) => {
      const user = linked()
      const event = {
        JID: group.jid,
        Notify: '',
        Timestamp: now(),
        Name: null,
        Topic: null,
        Join: null,
        Leave: null,
        ...change,
      }
      if (user) await webhooks.emit(user, 'GroupInfo', { event })
    },
  }
}

/** The words of a vote it has opened, which it knows of its own polls, and their digests. */
const voteOf = (content: unknown, selectedOptions: string[]) => {
  const { pollUpdateMessage }: { pollUpdateMessage?: { pollCreationMessageKey?: { ID?: string } } } = Object(content)
  const hashes = selectedOptions.map((one) => createHash('sha256').update(one).digest('base64'))
  const pollCreationMsgID = pollUpdateMessage?.pollCreationMessageKey?.ID
  return { pollCreationMsgID, selectedOptions, selectedHashesB64: hashes }
}

/** A file says where it lies at WhatsApp. */
const lying = (message: object, id: string): object =>
  Object.fromEntries(
    Object.entries(message).map(([name, part]: [string, unknown]) => {
      const { mediaKey, fileLength, ...rest }: Record<string, unknown> = Object(part)
      if (!mediaKey) return [name, part]
      const { low }: { low?: number } = Object(fileLength)
      const length = low ?? fileLength
      return [
        name,
        {
          ...rest,
          mediaKey,
          fileLength: length,
          directPath: `/v/t62/${id}?ccb=9-4`,
          fileSHA256: 'c2hh',
          fileEncSHA256: 'ZW5j',
        },
      ]
    }),
  )

/** Its library writes some names larger. */
const asWhatsmeow = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.map(asWhatsmeow)
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(
    Object.entries(part).map(([name, inner]) => [
      name.replace(/^(url|id|ptt)$/, (one) => one.toUpperCase()).replace(/(Id|Jid)$/, (one) => one.toUpperCase()),
      asWhatsmeow(inner),
    ]),
  )
}
