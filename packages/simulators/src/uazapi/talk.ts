import { randomBytes } from 'node:crypto'
import type { Line } from '../handset.ts'
import type { CustomerWorld, WhatsAppCustomer } from '../whatsapp/customer.ts'
import { createPeople, type Group, newId } from '../whatsapp/people.ts'
import type { Instance, State } from './state.ts'
import type { Webhooks } from './webhooks.ts'

export type Talk = ReturnType<typeof createTalk>
type Told = {
  id: string
  chat: string
  chatlid?: string
  fromMe?: boolean
  sender?: { lid: string; pn?: string; name?: string }
  group?: Group
  at?: number
  more?: object
}

/** People and groups, and what they and the business say to each other. */
export const createTalk = (state: State, webhooks: Webhooks) => {
  const { core } = state
  /** The phone of the business is linked to one instance at a time. */
  const linked = (): Instance | undefined => state.instances.find((one) => one.status === 'connected')

  const messageOf = (instance: Instance, message: object, told: Told) => {
    const [[name, part] = ['conversation', '']] = Object.entries(message)
    const content: unknown = asWhatsmeow(part)
    const { text, caption, contextInfo }: Record<string, unknown> = Object(part)
    const { stanzaId = '' }: Record<string, unknown> = Object(contextInfo)
    const { sender, group, fromMe = false } = told
    return {
      id: `${instance.owner}:${told.id}`,
      messageid: told.id,
      chatid: told.chat,
      chatlid: told.chatlid ?? '',
      content,
      text: typeof part === 'string' ? part : (text ?? caption ?? ''),
      messageType: name.charAt(0).toUpperCase() + name.slice(1),
      mediaType: '',
      type: name === 'reactionMessage' ? 'reaction' : 'text',
      quoted: stanzaId,
      reaction: '',
      edited: '',
      vote: '',
      buttonOrListid: '',
      sender: sender ? `${sender.lid}@lid` : `${instance.owner}@s.whatsapp.net`,
      sender_lid: sender ? `${sender.lid}@lid` : '',
      sender_pn: sender?.pn ?? '',
      senderName: sender?.name ?? '',
      fromMe,
      isGroup: Boolean(group),
      groupName: group?.subject ?? 'Unknown',
      messageTimestamp: told.at ?? core.now(),
      owner: instance.owner,
      source: 'android',
      status: '',
      track_id: '',
      track_source: '',
      wasSentByApi: false,
      ...told.more,
    }
  }
  const emit = (instance: Instance, message: ReturnType<typeof messageOf>, onAccepted?: () => void) => {
    const chat = {
      id: `r${message.messageid.slice(-14)}`,
      wa_chatid: message.chatid,
      wa_chatlid: message.chatlid,
      wa_name: message.isGroup ? message.groupName : message.senderName,
      wa_isGroup: message.isGroup,
      lead_name: '',
    }
    const { fromMe, isGroup, wasSentByApi } = message
    const told = { chat, chatSource: 'updated', message }
    return webhooks.emit(instance, 'messages', told, { fromMe, isGroup, wasSentByApi }, onAccepted)
  }
  const by = ({ lid, jid, name }: WhatsAppCustomer) => ({ lid, pn: jid, name })

  /** As WhatsApp tells receipts: several ids, time in seconds, what is true written out. */
  const emitReceipt = async ({ id }: Pick<Line, 'id'>, chat: string, state: string) => {
    const instance = linked()
    const event = {
      MessageIDs: [id],
      Chat: chat,
      Sender: chat,
      IsFromMe: 'False',
      IsGroup: chat.endsWith('@g.us') ? 'True' : 'False',
      Timestamp: String(Math.floor(core.now() / 1000)),
      Type: state,
    }
    if (instance) await webhooks.emit(instance, 'messages_update', { event, state, type: 'ReadReceipt' })
  }

  const world: CustomerWorld = {
    now: core.now,
    changed: core.changed,
    tell: async (from, message, line, said) => {
      const instance = linked()
      const { group } = said
      const chat = group?.jid ?? from.jid
      const id = line?.id ?? newId()
      if (line) state.known.set(id, { line, chat, customer: from, media: line.media })
      core.changed()
      if (!instance) return id
      const name = said.pushName === null ? undefined : (said.pushName ?? from.name)
      const sender = { lid: from.lid, pn: said.isHidden ? undefined : from.jid, name }
      const told = { id, chat, chatlid: group ? undefined : `${from.lid}@lid`, sender, group }
      const more =
        'reactionMessage' in message
          ? reactionIn(message)
          : said.voted
            ? { vote: said.voted.join(','), quoted: pollIn(message) }
            : said.extra
      await emit(instance, messageOf(instance, message, { ...told, more }), () => {
        if (line?.state === 'sent') line.state = 'delivered'
        core.changed()
      })
      return id
    },
    tellStatus: async (line, status) => {
      const known = state.known.get(line.id)
      line.state = status === 'READ' ? 'read' : 'played'
      core.changed()
      if (known) await emitReceipt(line, known.chat, status === 'READ' ? 'Read' : 'Played')
    },
    tellEdit: async (from, edited, text) => {
      const instance = linked()
      const told = { id: newId(), chat: from.jid, sender: by(from), more: { edited } }
      if (instance) await emit(instance, messageOf(instance, { extendedTextMessage: { text } }, told))
    },
    tellRevoke: (from, id) => emitReceipt({ id }, from.jid, 'Deleted'),
  }
  const people = createPeople(core, state, world)

  return {
    ...people,
    linked,
    emit,
    messageOf,
    /** How a message of ours fares, in order. */
    tellLife: async (line: Line, chat: string) => {
      await emitReceipt(line, chat, 'Sent')
      if (core.delivery.skipDelivered) return
      if (line.state === 'sent') line.state = 'delivered'
      await emitReceipt(line, chat, 'Delivered')
    },
    /** The owner writes on the phone itself. */
    ownPhone: async (to: WhatsAppCustomer, text: string) => {
      const instance = linked()
      if (!instance) throw new Error('no phone is linked')
      const message = { conversation: text }
      const { line, chat } = people.say(to.jid, message, { type: 'text', text })
      const told = { id: line.id, chat, chatlid: `${to.lid}@lid`, fromMe: true }
      await emit(instance, messageOf(instance, message, told))
      return line.id
    },
    /** What was said before, as a phone gives it away once it is linked. */
    tellHistory: async (with_: WhatsAppCustomer, lines: { text: string; fromMe: boolean; at: Date }[]) => {
      const instance = linked()
      const messages = lines.map(({ text, fromMe, at }) => {
        const told = { id: newId(), chat: with_.jid, fromMe, at: at.getTime(), sender: fromMe ? undefined : by(with_) }
        return instance && messageOf(instance, { conversation: text }, told)
      })
      if (instance) await webhooks.emit(instance, 'history', { batchNumber: 1, batchTotal: 1, messages })
    },
    tellCall: async (
      from: WhatsAppCustomer,
      step: 'CallOffer' | 'CallTerminate',
      id = randomBytes(8).toString('hex'),
    ) => {
      const instance = linked()
      const event = {
        From: `${from.lid}@lid`,
        CallCreator: `${from.lid}@lid`,
        CallCreatorAlt: from.jid,
        CallID: id,
        Timestamp: new Date(core.now()).toISOString(),
        ...(step === 'CallTerminate' && { Reason: '' }),
      }
      if (step === 'CallOffer') state.ringing.set(id, from.jid)
      else state.ringing.delete(id)
      if (instance) await webhooks.emit(instance, 'call', { event, type: step })
      return id
    },
    tellGroup: async (group: Group, change: object) => {
      const instance = linked()
      const event = { JID: group.jid, Timestamp: new Date(core.now()).toISOString(), Name: null, ...change }
      if (instance) await webhooks.emit(instance, 'groups', { event, type: 'Group' })
    },
  }
}

const reactionIn = (message: object) => {
  const { reactionMessage }: { reactionMessage?: { key?: { id?: string } } } = message
  return { reaction: reactionMessage?.key?.id ?? '' }
}

const pollIn = (message: object) => {
  const { pollUpdateMessage }: { pollUpdateMessage?: { pollCreationMessageKey?: { id?: string } } } = message
  return pollUpdateMessage?.pollCreationMessageKey?.id ?? ''
}

/** Its library writes some names larger. */
const asWhatsmeow = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.map(asWhatsmeow)
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(
    Object.entries(part).map(([name, inner]) => [
      name.replace(/^(url|id)$/, (one) => one.toUpperCase()).replace(/(Id|Jid)$/, (one) => one.toUpperCase()),
      asWhatsmeow(inner),
    ]),
  )
}
