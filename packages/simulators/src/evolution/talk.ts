import type { Line } from '../handset.ts'
import type { CustomerWorld, WhatsAppCustomer } from '../whatsapp/customer.ts'
import { createPeople, newId } from '../whatsapp/people.ts'
import { type Instance, type State, seconds } from './state.ts'
import type { Webhooks } from './webhooks.ts'

export type Talk = ReturnType<typeof createTalk>

/** People and groups, and what they and the business say to each other. */
export const createTalk = (state: State, webhooks: Webhooks) => {
  const { core } = state
  /** The phone of the business is linked to one instance at a time. */
  const linked = (): Instance | undefined => [...state.instances.values()].find((one) => one.state === 'open')

  const prepared = (instance: Instance, key: object, message: object, more: object = {}) => ({
    key,
    status: 'DELIVERY_ACK',
    message,
    messageType: messageType(message),
    messageTimestamp: seconds(state),
    instanceId: instance.id,
    source: 'android',
    ...more,
  })

  const emitStatus = (known: { line: Line; chat: string }, status: string) => {
    const instance = linked()
    if (!instance) return Promise.resolve()
    if (instance.integration === 'WHATSAPP-BUSINESS') status = metaStates[status] ?? status
    const data = { keyId: known.line.id, remoteJid: known.chat, fromMe: true, status, instanceId: instance.id }
    return webhooks.emit(instance, 'messages.update', data)
  }

  const seenBy = (line: Line | undefined) => {
    if (line?.state === 'sent') line.state = 'delivered'
    core.changed()
  }
  const world: CustomerWorld = {
    now: core.now,
    changed: core.changed,
    tell: async (from, message, line, said) => {
      const instance = linked()
      const chat = said.group?.jid ?? from.jid
      const id = line?.id ?? newId()
      if (line) state.known.set(id, { line, chat, customer: from, media: line.media })
      core.changed()
      if (!instance) return id
      const key = said.group
        ? {
            id,
            remoteJid: chat,
            fromMe: false,
            participant: `${from.lid}@lid`,
            participantAlt: said.isHidden ? undefined : from.jid,
          }
        : { id, remoteJid: from.jid, remoteJidAlt: `${from.lid}@lid`, addressingMode: 'pn', fromMe: false }
      if (instance.integration === 'WHATSAPP-BUSINESS') {
        const { content, contextInfo } = asMetaHasIt(id, message)
        const raw = prepared(instance, { id, remoteJid: chat, fromMe: false }, content, {
          contextInfo,
          pushName: from.name,
        })
        await webhooks.emit(instance, 'messages.upsert', raw, () => seenBy(line))
        return id
      }
      const pushName = said.pushName === null ? undefined : (said.pushName ?? from.name)
      await webhooks.emit(
        instance,
        'messages.upsert',
        prepared(instance, key, opened(message, said.voted), { pushName, ...said.extra }),
        () => seenBy(line),
      )
      return id
    },
    tellStatus: async (line, status) => {
      const known = state.known.get(line.id)
      line.state = status === 'READ' ? 'read' : 'played'
      core.changed()
      if (known) await emitStatus(known, status)
    },
    tellEdit: (from, id, text) => {
      const editedMessage = { conversation: text }
      return tellChange(from, id, { type: 'MESSAGE_EDIT', editedMessage, timestampMs: String(core.now()) })
    },
    tellRevoke: (from, id) => tellChange(from, id, { type: 'REVOKE' }),
  }
  const tellChange = async ({ jid }: WhatsAppCustomer, id: string, change: object) => {
    const instance = linked()
    core.changed()
    const key = { id, remoteJid: jid, fromMe: false }
    if (instance) await webhooks.emit(instance, 'messages.edited', { key, ...change })
  }
  const people = createPeople(core, state, world)

  /** What the business says, by an instance or on its own phone. */
  const say = (
    instance: Instance,
    to: string,
    message: object,
    shown: Pick<Line, 'type'> & Partial<Line>,
    more: { mentioned?: string[] } = {},
  ) => {
    const { line, chat } = people.say(to, message, shown, more)
    const key = { id: line.id, remoteJid: chat, fromMe: true }
    return { line, chat, raw: prepared(instance, key, message, { pushName: '', status: 'PENDING', source: 'web' }) }
  }
  /** How it fares, in order. */
  const tellLife = async (line: Line, chat: string) => {
    await emitStatus({ line, chat }, 'SERVER_ACK')
    if (core.delivery.skipDelivered) return
    if (line.state === 'sent') line.state = 'delivered'
    await emitStatus({ line, chat }, 'DELIVERY_ACK')
  }

  return {
    ...people,
    linked,
    say,
    tellLife,
    /** The owner writes on the phone itself. */
    ownPhone: async (to: WhatsAppCustomer, text: string) => {
      const instance = linked()
      if (!instance) throw new Error('no phone is linked')
      const { line, raw } = say(instance, to.jid, { conversation: text }, { type: 'text', text })
      await webhooks.emit(instance, 'messages.upsert', raw)
      return line.id
    },
    /** What was said before, as a phone gives it away once it is linked. */
    tellHistory: async (with_: WhatsAppCustomer, lines: { text: string; fromMe: boolean; at: Date }[]) => {
      const instance = linked()
      if (!instance) return
      const messages = lines.map(({ text, fromMe, at }) =>
        prepared(
          instance,
          { id: newId(), remoteJid: with_.jid, fromMe },
          { conversation: text },
          {
            messageTimestamp: Math.floor(at.getTime() / 1000),
            pushName: fromMe ? undefined : with_.name,
          },
        ),
      )
      await webhooks.emit(instance, 'messages.set', messages)
    },
  }
}

const metaStates: Record<string, string> = { SERVER_ACK: 'SENT', DELIVERY_ACK: 'DELIVERED' }
type Part = {
  mimetype?: string
  caption?: string
  fileName?: string
  ptt?: boolean
  text?: string
  contextInfo?: object
}
/** An instance on Meta's API names files by their id, and what is answered beside the message. */
const asMetaHasIt = (id: string, message: object) => {
  const [[name, part] = ['conversation', '']]: [string, Part | string][] = Object.entries(message)
  if (typeof part === 'string') return { content: message, contextInfo: undefined }
  const { contextInfo, mimetype, caption, fileName: filename, ptt: voice } = part
  if (name === 'extendedTextMessage') return { content: { conversation: part.text, contextInfo }, contextInfo }
  const file = { id: `media-${id}`, mime_type: mimetype, sha256: 'x', caption, filename, voice }
  return { content: mimetype ? { [name]: file, contextInfo } : message, contextInfo }
}

/** It opens votes, and writes what was chosen into them. */
const opened = (message: object, selectedOptions: string[] | undefined) => {
  const { pollUpdateMessage: update }: { pollUpdateMessage?: { vote?: object } } = message
  return selectedOptions && update
    ? { pollUpdateMessage: { ...update, vote: { ...update.vote, selectedOptions } } }
    : message
}

const messageType = (message: object) => {
  const [name = 'conversation'] = Object.keys(message)
  return name === 'extendedTextMessage' ? 'conversation' : name
}
