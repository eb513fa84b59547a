import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import type { InboundEvent } from '../adapter.ts'
import { groupEvent, nothing, senderOf, speakerBy } from './events.ts'
import { moment } from './proto.ts'

/** Events as the library whatsmeow tells them, which WuzAPI passes on as they are and uazapi with words of its own. */
const text = z.string()
/** What is not known is an empty text here. */
export const words = loose(text.transform((one) => one || undefined))
/** Some events write these out. */
export const flag = loose(
  z.union([z.boolean(), z.enum(['True', 'False', 'true', 'false']).transform((one) => /^t/i.test(one))]),
)

const jids = loose(z.array(text).nullable())
const group = z.object({
  JID: text,
  Sender: words,
  SenderPN: words,
  Timestamp: moment,
  Name: loose(z.union([text, z.object({ Name: text }).transform((one) => one.Name)])),
  Join: jids,
  JoinLid: jids,
  Leave: jids,
  LeaveLid: jids,
  Promote: jids,
  PromoteLid: jids,
  Demote: jids,
  DemoteLid: jids,
})
export const groupEvents = (data: unknown): InboundEvent[] => {
  const told = group.safeParse(data).data
  if (!told) return []
  const { JID: jid, Timestamp: at, Name: subject, Sender, SenderPN } = told
  const by = speakerBy({}, Sender, SenderPN)
  const moved = [
    ['joined', told.Join, told.JoinLid],
    ['left', told.Leave, told.LeaveLid],
    ['promoted', told.Promote, told.PromoteLid],
    ['demoted', told.Demote, told.DemoteLid],
  ] as const
  const events = moved.flatMap(([change, who, lids]) => {
    const members = (who ?? []).map((one, n) => speakerBy({}, one, lids?.[n])).filter((one) => one !== undefined)
    return members.length ? groupEvent({ jid, by, at }, change, members) : []
  })
  const named = subject ? groupEvent({ jid, subject, at }, 'subject') : []
  return events.length || named.length ? [...events, ...named] : nothing
}

const call = z.object({
  CallID: words,
  callId: words,
  id: words,
  CallCreator: words,
  CallCreatorAlt: words,
  From: words,
  from: words,
  chatid: words,
  sender_pn: words,
  sender_lid: words,
  Timestamp: loose(moment),
  Reason: words,
  Media: words,
  isVideo: flag,
  status: words,
})
/** A call that ends where nobody took it was missed; one that goes on at another device was not. */
export const callEvents = (data: unknown, type: unknown): InboundEvent[] => {
  const told = call.safeParse(data).data
  const step =
    typeof type === 'string' && /^call/i.test(type) ? type.slice(4).toLowerCase() : told?.status?.toLowerCase()
  const providerId = told?.CallID ?? told?.callId ?? told?.id
  const caller = told?.CallCreator ?? told?.From ?? told?.from ?? told?.chatid
  if (!told || !providerId || !caller) return []
  const other = told.CallCreatorAlt ?? (caller.endsWith('@lid') ? told.sender_pn : told.sender_lid)
  const from = senderOf({ chat: caller, chatAlt: other, fromMe: false })
  const state = stateOfCall(step, told.Reason)
  if (!state || !from || from.isGroup) return nothing
  const isVideo = told.isVideo ?? told.Media === 'video'
  return [{ kind: 'call', providerId, from, fromMe: false, isVideo, state, at: told.Timestamp ?? new Date() }]
}
const stateOfCall = (step: string | undefined, reason: string | undefined) => {
  if (step === undefined || /^(offer|offernotice|ringing)$/.test(step)) return 'ringing'
  if (!/^(terminate|timeout|reject)/.test(step)) return undefined
  return /elsewhere/.test(reason ?? '') ? 'ended' : 'missed'
}
