import { crc32 } from 'node:zlib'
import { disturbed, knownFaults } from './baileys/faults.ts'
import { createFiles } from './baileys/files.ts'
import { groupAnswers } from './baileys/groups.ts'
import { createLinking, jidOf } from './baileys/linking.ts'
import { createTalk } from './baileys/talk.ts'
import { type Device, newCode as newId, Refusal, takeLines } from './baileys/wire.ts'
import { createSimulator, type SimulatorOptions } from './simulator.ts'

type Key = {
  remoteJid: string
  id: string
  fromMe: boolean
  participant?: string
  remoteJidAlt?: string
  participantAlt?: string
}
type Message = {
  key: Key
  message?: Record<string, unknown>
  messageTimestamp?: unknown
  pushName?: string
  [other: string]: unknown
}
export type SentByUs = { jid: string; content: Record<string, unknown>; options: { messageId?: string }; key: Key }

export type BaileysOptions = SimulatorOptions & {
  /** How long each code stands, and how many there are before nobody came. */
  codeMs?: { first: number; next: number }
  codes?: number
  /** Of the phone that reads a code on the phone page. */
  phone?: string
  profileName?: string
  /** Whoever comes with a login has the phone: it was linked before. */
  trustsLogins?: boolean
}

const nowS = () => Math.floor(Date.now() / 1_000)

/**
 * WhatsApp and the phone that is linked, as the library Baileys tells of them: codes that rotate and run out, the restart
 * after a scan, every way of being thrown out, messages live and late, groups, calls, files, history.
 */
export const startBaileysSimulator = async (options: BaileysOptions = {}) => {
  const { codeMs = { first: 60_000, next: 20_000 }, codes = 6, phone = '5511940001000', profileName = 'Loja' } = options
  const core = await createSimulator(options)
  const asked: { name: string; args: unknown[] }[] = []
  const sent: SentByUs[] = []
  const late: Record<string, unknown>[] = []
  const groups = new Map<string, Record<string, unknown>>()
  const refusals: { name: string; error: Refusal }[] = []
  const held = new Set<string>()
  const refusedNext: number[] = []
  const strangers = new Set<string>()
  const lids = new Map<string, string>()
  const linking = createLinking({ codeMs, codes })

  /** To the linked device; what comes while it is away waits for it, as WhatsApp keeps it. */
  const tell = (events: Record<string, unknown>) => {
    const here = linking.online()
    if (!here.length) late.push(events)
    for (const device of here) device.tell(events)
  }
  const files = createFiles(core)
  const talk = createTalk({ core, files, tell, ourPhone: phone })

  const answers: Record<string, (args: unknown[], device: Device) => unknown> = {
    requestPairingCode: ([number], device) => linking.askPairingCode(device, String(number)),
    logout: (_args, device) => {
      linking.forget(device)
      setImmediate(() => linking.end(device, 401, 'Intentional Logout'))
    },
    sendMessage: ([jid, content, options], device) => {
      const said = content as Record<string, unknown>
      const given = options as SentByUs['options'] & { quoted?: { key?: { id?: string } } }
      const creator = String((device.creds.me as { id?: string } | undefined)?.id).replace(/:\d+@/, '@')
      const { id, isChange, message: told } = talk.take(String(jid), said, { ...given, creator })
      const key = { remoteJid: String(jid), id, fromMe: true }
      sent.push({ jid: String(jid), content: said, options: { messageId: given.messageId }, key })
      const message = { key, message: told, messageTimestamp: nowS(), status: 1 }
      const tellBack = () => {
        tell({ 'messages.upsert': { messages: [message], type: 'append' } })
        tell({ 'messages.update': [{ key, update: { status: 2 } }] })
      }
      if (!isChange && core.delivery.statusBeforeAnswer) tellBack()
      else if (!isChange) void core.track(new Promise((resolve) => setImmediate(resolve)).then(tellBack))
      return message
    },
    sendPresenceUpdate: ([, jid]) => talk.reached(String(jid)).showTyping(),
    readMessages: ([keys]) => {
      for (const { id } of keys as Key[]) Object.assign(talk.lineOf(id) ?? {}, { state: 'read' })
      core.changed()
    },
    rejectCall: ([id]) => void talk.rejected.push(String(id)),
    onWhatsApp: (phones) =>
      phones.flatMap((number) => {
        const jid = jidOf(String(number).replace(/\D/g, ''))
        const isHere = talk.customers.find((one) => one.jid === jid)?.isOnWhatsApp ?? true
        return strangers.has(String(number)) || !isHere ? [] : [{ jid, exists: true }]
      }),
    getLIDForPN: ([pn]) => lids.get(String(pn)) ?? null,
    profilePictureUrl: ([jid]) => {
      const known = talk.customers.find((one) => [one.jid, `${one.lid}@lid`].includes(String(jid)))
      const group = talk.groupBy(String(jid))
      if (group?.picture) return `${core.url}/group-pictures/${group.jid}?v=${crc32(group.picture)}`
      const face = known?.name ?? group?.subject
      const user = String(jid).split('@')[0]
      return face ? `${core.url}/faces/${encodeURIComponent(face)}` : `https://pps.whatsapp.net/${user}.jpg`
    },
    groupMetadata: ([jid]) => {
      const group = groups.get(String(jid)) ?? talk.metadataOf(String(jid))
      if (!group) throw new Refusal('item-not-found', 404)
      return group
    },
    ...groupAnswers({ talk, tell }),
    updateMediaMessage: ([message]) => {
      const { key, message: content } = message as { key: Key; message: Record<string, object> }
      const directPath = files.layAgain(key.id)
      if (!directPath) throw new Refusal('Media re-upload failed by device (NOT_FOUND)', 404)
      const [[name = '', part = {}] = []] = Object.entries(content)
      return { key, message: { [name]: { ...part, directPath } } }
    },
  }

  const wire = takeLines(core.app.server, {
    joined: (device) => {
      linking.devices.add(device)
      if (options.trustsLogins) linking.trust(device)
      device.tell({ 'connection.update': { connection: 'connecting', receivedPendingNotifications: false } })
      if (!device.creds.account) {
        linking.showCodes(device)
        return core.changed()
      }
      if (!linking.isOnline(device)) return linking.end(device, 401, 'Connection Failure')
      const refused = refusedNext.shift()
      if (refused) return linking.end(device, refused)
      for (const other of linking.online())
        if (other !== device && linking.isSame(other, device)) linking.end(other, 440, 'Stream Errored (conflict)')
      device.tell({ 'connection.update': { connection: 'open' } })
      for (const events of late.splice(0)) device.tell(events)
      core.changed()
      device.tell({ 'connection.update': { receivedPendingNotifications: true } })
    },
    left: (device) => {
      linking.left(device)
      core.changed()
    },
    asked: (device, name, args) => {
      asked.push({ name, args })
      const at = refusals.findIndex((refusal) => refusal.name === name)
      if (at >= 0) throw refusals.splice(at, 1)[0]?.error
      if (held.delete(name)) return new Promise(() => {})
      const isHere = () => linking.devices.has(device)
      return disturbed(core, { name, args, isHere, cut: wire.cut, answer: () => answers[name]?.(args, device) })
    },
  })
  core.app.get<{ Params: { jid: string } }>('/group-pictures/:jid', (req, reply) =>
    reply.type('image/jpeg').send(Buffer.from(talk.groupBy(req.params.jid)?.picture ?? '', 'base64')),
  )
  await core.listen()

  const { requests, faults, delivery, webhooks, idle, onChange } = core
  return {
    requests,
    faults,
    delivery,
    webhooks,
    idle,
    onChange,
    url: core.url,
    channel: 'whatsapp' as const,
    businessName: profileName,
    businessHandle: `+${phone}`,
    customers: talk.customers,
    knownFaults,
    customer: talk.customer,
    newCustomer: talk.newCustomer,
    group: talk.group,
    mentionedIn: talk.mentionedIn,
    ownPhone: talk.ownPhone,
    tellHistory: talk.tellHistory,
    tellGroup: talk.tellGroup,
    ring: talk.ring,
    rejected: talk.rejected,
    /** WhatsApp keeps files for some weeks; whether the phone has them still. */
    dropFiles: files.drop,
    dropFilesOfPhone: files.forget,
    ownPhoneLink: { isAwaited: linking.isAwaited, scan: async () => linking.scan(phone, profileName) },
    address: new URL(core.url).host,
    /** Questions put to the library, oldest first. */
    asked,
    sent,
    /** Phones that are not on WhatsApp. */
    strangers,
    lids,
    groups,
    /** Of those somebody has made here. */
    chatGroups: talk.groups,
    lineOf: talk.lineOf,
    devices: () => linking.devices.size,
    isOnline: () => linking.online().length > 0,
    isLinked: linking.isLinked,
    tell,
    /** As it is told while the phone shows no code yet, or to any device there is. */
    tellAnyone: (events: Record<string, unknown>) => linking.one().tell(events),
    scan: linking.scan,
    enterCode: linking.enterCode,
    /** WhatsApp ends it, with its code. */
    end: (statusCode: number, message?: string) => {
      if (statusCode === 401) linking.forget()
      linking.end(linking.one(), statusCode, message)
    },
    /** The next question of this name is never answered. */
    hold: (name: string) => held.add(name),
    /** The next question of this name is refused. */
    refuse: (name: string, message: string, statusCode: number) =>
      refusals.push({ name, error: new Refusal(message, statusCode) }),
    /** The next to connect is thrown out with this code. */
    refuseNext: (statusCode: number) => refusedNext.push(statusCode),
    /** The line breaks without a word. */
    cut: wire.cut,
    say: (
      from: { phone?: string; lid?: string; name?: string; group?: string },
      message: Record<string, unknown>,
      more: Partial<Message> = {},
    ) => {
      const [jid, alt] = from.lid
        ? [`${from.lid}@lid`, from.phone && jidOf(from.phone)]
        : [jidOf(from.phone ?? ''), undefined]
      const key = from.group
        ? { remoteJid: `${from.group}@g.us`, participant: jid, participantAlt: alt, id: newId(), fromMe: false }
        : { remoteJid: jid, remoteJidAlt: alt, id: newId(), fromMe: false }
      const whole: Message = {
        messageTimestamp: nowS(),
        pushName: from.name,
        message,
        ...more,
        key: { ...key, ...more.key },
      }
      tell({ 'messages.upsert': { messages: [whole], type: linking.online().length ? 'notify' : 'append' } })
      return whole.key
    },
    close: async () => {
      wire.cut()
      await core.close()
    },
  }
}
export type BaileysSimulator = Awaited<ReturnType<typeof startBaileysSimulator>>
