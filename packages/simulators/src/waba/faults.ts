import type { KnownFault } from '../simulator.ts'
import { GraphError } from './errors.ts'
import { readReceipt } from './outbound.ts'

/** What the phone page offers to break. Only sends are hit. */
const onSends = (request: { method: string; path: string; body: unknown }) =>
  request.method === 'POST' && request.path.endsWith('/messages') && !readReceipt.safeParse(request.body).success

const refuse = (code: number, details: string, status?: number) => {
  const error = new GraphError(code, details, { status })
  return { status: error.status, body: error.toBody(), match: onSends }
}

export const knownFaults: KnownFault[] = [
  { id: '131000', label: '131000 · erro interno do WhatsApp', fault: refuse(131000, 'Something went wrong') },
  { id: '130429', label: '130429 · limite de envios', fault: refuse(130429, 'Rate limit hit') },
  { id: '131056', label: '131056 · muitas mensagens à mesma pessoa', fault: refuse(131056, 'Pair rate limit hit') },
  { id: '131047', label: '131047 · janela de 24 h fechada', fault: refuse(131047, 'More than 24 hours have passed') },
  { id: '131026', label: '131026 · número sem WhatsApp', fault: refuse(131026, 'Message undeliverable') },
  { id: '190', label: '190 · token vencido', fault: refuse(190, 'Session has expired') },
  { id: '131031', label: '131031 · conta bloqueada', fault: refuse(131031, 'Account has been locked') },
  { id: '503', label: '503 · fora do ar', fault: { status: 503, body: 'Service Unavailable', match: onSends } },
  { id: 'drop', label: 'cair antes de aceitar', fault: { drop: true, match: onSends } },
  { id: 'accepted', label: 'aceitar e cair sem responder', fault: { afterAccepting: true, match: onSends } },
]
