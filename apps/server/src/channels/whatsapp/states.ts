import type { InboundEvent } from '../adapter.ts'

type Status = Extract<InboundEvent, { kind: 'status' }>['status']

const states: [Status | undefined, ...names: string[]][] = [
  ['failed', 'ERROR', 'FAILED', '0'],
  [undefined, 'PENDING', '1'],
  ['sent', 'SERVER_ACK', 'SENT', '2'],
  ['delivered', 'DELIVERY_ACK', 'DELIVERED', 'RECEIVED', '3'],
  ['read', 'READ', '4'],
  ['played', 'PLAYED', '5'],
]
const byName = new Map(states.flatMap(([status, ...names]) => names.map((name) => [name, status] as const)))
/** How far a message of ours came, by WhatsApp's word or number for it. */
export const statusOf = (state: string | number): Status | undefined => byName.get(String(state).toUpperCase())

type Call = Extract<InboundEvent, { kind: 'call' }>['state']
const calls: Record<string, Call> = {
  offer: 'ringing',
  ringing: 'ringing',
  timeout: 'missed',
  reject: 'missed',
  terminate: 'ended',
}
/** What happened to a call; undefined for its steps in between, which concern nobody. */
export const callStateOf = (status: string): Call | undefined => calls[status]

type Change = Extract<InboundEvent, { kind: 'group' }>['change']
const changes: Record<string, Change> = { add: 'joined', remove: 'left', promote: 'promoted', demote: 'demoted' }
/** What happened to members of a group. */
export const groupChangeOf = (action: string): Change | undefined => changes[action]
