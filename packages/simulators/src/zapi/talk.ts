import type { Line } from '../handset.ts'
import { newGroupId } from '../whatsapp/people.ts'
import type { Callbacks } from './callbacks.ts'
import { type CustomerWorld, ZapiCustomer, type ZapiProfile } from './customer.ts'
import { type Group, newId, type State } from './state.ts'

export type Talk = ReturnType<typeof createTalk>
type Shown = Pick<Line, 'type'> & Partial<Line>

/** People and groups, and what they and the business say to each other. */
export const createTalk = (state: State, callbacks: Callbacks) => {
  const { core, instance } = state
  /** The phone of the business is somewhere only while it is linked. */
  const emit: Callbacks['emit'] = (...told) => (instance.connected ? callbacks.emit(...told) : Promise.resolve())

  const about = (messageId: string, customer: ZapiCustomer, group: Group | undefined, fromMe: boolean) => ({
    messageId,
    phone: group?.id ?? customer.shownPhone,
    chatLid: group ? null : `${customer.lid}@lid`,
    connectedPhone: state.phone,
    fromMe,
    fromApi: false,
    isGroup: group !== undefined,
    isNewsletter: false,
    isEdit: false,
    isStatusReply: false,
    waitingMessage: false,
    broadcast: false,
    forwarded: false,
    status: fromMe ? 'SENT' : 'RECEIVED',
    chatName: group?.subject ?? customer.name,
    senderName: fromMe ? state.profileName : customer.name,
    senderPhoto: null,
    photo: null,
    participantPhone: null,
    participantLid: null,
    referenceMessageId: null,
  })
  const emitStatus = (lines: Line[], status: string) => {
    const [first] = lines
    const known = first && state.known.get(first.id)
    if (!known) return Promise.resolve()
    const ids = lines.map(({ id }) => id)
    const told = { status, ids, phone: known.chat, isGroup: known.chat.endsWith('-group'), phoneDevice: 0 }
    return emit('messageStatus', 'MessageStatusCallback', told)
  }

  const world: CustomerWorld = {
    now: core.now,
    keepFile: (media) => {
      const path = `/files/${newId()}`
      state.files.set(path, media)
      return `${core.url}${path}`
    },
    tell: async (from, id, parts, line, { group, isHidden, replyTo }) => {
      if (line) state.known.set(id, { line, chat: group?.id ?? from.shownPhone, customer: from })
      core.changed()
      const member = group && {
        participantPhone: isHidden ? `${from.lid}@lid` : from.phone,
        participantLid: `${from.lid}@lid`,
        ...(isHidden && { senderName: null }),
      }
      const told = { ...about(id, from, group, false), ...member, referenceMessageId: replyTo ?? null, ...parts }
      await emit('received', 'ReceivedCallback', told, () => {
        if (line?.state === 'sent') line.state = 'delivered'
        core.changed()
      })
      return id
    },
    tellStatus: async (lines, status) => {
      for (const line of lines) line.state = status === 'READ' ? 'read' : 'played'
      core.changed()
      await emitStatus(lines, status)
    },
    tellTyping: (from, isTyping) =>
      emit('presenceChat', 'PresenceChatCallback', {
        phone: from.shownPhone,
        status: isTyping ? 'COMPOSING' : 'PAUSED',
        lastSeen: null,
      }),
  }

  const customer = (profile: ZapiProfile = {}): ZapiCustomer => {
    const known = state.customers.find((one) => one.phone === profile.phone || one.lid === profile.lid)
    if (known) return known
    const made = new ZapiCustomer(world, profile)
    state.customers.push(made)
    core.changed()
    return made
  }
  /** Whoever is not known is met now. */
  const reached = (phone: string): ZapiCustomer =>
    phone.endsWith('@lid')
      ? customer({ lid: phone.replace('@lid', '') })
      : customer({ phone: phone.replace(/\D/g, '') })

  /** What the business says stands on the phones of those it is for. */
  const say = (id: string, to: string, shown: Shown, payload: unknown, mentioned?: string[]): Line => {
    const group = state.groups.find((one) => one.id === to)
    const people = group?.members.map((member) => member.customer) ?? [reached(to)]
    const line: Line = { id, from: 'business', at: core.now(), ...shown, reactions: {}, state: 'sent', payload }
    const [first = reached(to)] = people
    state.known.set(id, { line, chat: to, customer: first, mentioned })
    for (const one of people) {
      one.receive(line)
      if (one.autoRead) void one.read()
    }
    core.changed()
    return line
  }
  const tellOwn = ({ id }: Line, to: string, parts: object, fromApi: boolean) => {
    if (!instance.notifySentByMe) return Promise.resolve()
    const group = state.groups.find((one) => one.id === to)
    const told = about(id, group?.members[0]?.customer ?? reached(to), group, true)
    return emit('received', 'ReceivedCallback', { ...told, fromApi, ...parts })
  }

  return {
    customer,
    reached,
    say,
    tellOwn,
    /** How it fares, in order. */
    tellLife: async (line: Line, to: string, zaapId: string) => {
      await emit('delivery', 'DeliveryCallback', { phone: to, zaapId, messageId: line.id })
      await emitStatus([line], 'SENT')
      if (core.delivery.skipDelivered) return
      if (line.state === 'sent') line.state = 'delivered'
      core.changed()
      await emitStatus([line], 'RECEIVED')
    },
    tellFailure: (messageId: string, phone: string, zaapId: string) =>
      emit('delivery', 'DeliveryCallback', { phone, zaapId, messageId, error: 'Phone number does not exist' }),
    group: (subject: string, members: ZapiCustomer[], ours?: Group['ours']): Group => {
      const made: Group = {
        id: `${newGroupId()}-group`,
        subject,
        members: members.map((one, at) => ({ customer: one, isAdmin: at === 0 && ours !== 'admin' })),
        ours,
      }
      state.groups.push(made)
      return made
    },
    /** The owner writes on the phone itself. */
    ownPhone: async (to: ZapiCustomer, text: string) => {
      const line = say(newId(), to.shownPhone, { type: 'text', text }, { text })
      await tellOwn(line, to.shownPhone, { text: { message: text } }, false)
      return line.id
    },
  }
}
