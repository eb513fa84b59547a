import { setTimeout as sleep } from 'node:timers/promises'
import { keep } from '../simulator/keep.ts'
import type { KnownFault, RecordedRequest, SimulatorCore } from '../simulator.ts'
import { Refusal } from './wire.ts'

type Ask = { name: string; args: unknown[]; isHere: () => boolean; cut: () => void; answer: () => unknown }
const never = () => new Promise(() => {})

/** A question put to the library, with what was to go wrong with it: refused, cut off, or never answered. */
export const disturbed = async (
  { requests, faults, now }: SimulatorCore,
  { name, args, isHere, cut, answer }: Ask,
): Promise<unknown> => {
  const record: RecordedRequest = {
    at: now(),
    method: 'ASK',
    path: name,
    query: {},
    headers: {},
    body: args,
    files: {},
  }
  keep(requests, record)
  const fault = itsOwn.has(name) ? undefined : faults.take(record)
  const delayMs = (fault?.delayMs ?? 0) + faults.latencyMs
  if (delayMs) await sleep(delayMs)
  if (!isHere()) return never()
  if (fault?.afterAccepting) await answer()
  if (fault?.drop || fault?.afterAccepting) {
    cut()
    return never()
  }
  if (fault?.status !== undefined) throw new Refusal(String(fault.body ?? ''), fault.status)
  return answer()
}

/** What a session asks of itself once it is open: faults are for what somebody asks. */
const itsOwn = new Set(['profilePictureUrl', 'fetchAccountReachoutTimelock', 'presenceSubscribe'])

const onSends = 'sendMessage'
const refuse = (status: number, body: string) => ({ status, body, match: onSends })
/** What the phone page offers to break. Only sends are hit. */
export const knownFaults: KnownFault[] = [
  { id: '429', label: 'rápido demais', fault: refuse(429, 'rate-overlimit') },
  { id: '403', label: 'não permitido nesta conversa', fault: refuse(403, 'forbidden') },
  { id: 'upload', label: 'arquivo não aceito', fault: refuse(500, 'Media upload failed on all hosts') },
  { id: 'drop', label: 'cair antes de aceitar', fault: { drop: true, match: onSends } },
  { id: 'accepted', label: 'aceitar e cair sem responder', fault: { afterAccepting: true, match: onSends } },
]
