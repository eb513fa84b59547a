import type { KnownFault, RecordedRequest } from '../simulator.ts'

const onSends = ({ path }: RecordedRequest) => path.startsWith('/send/')
const refuse = (status: number, error: string) => ({ status, body: { error }, match: onSends })

/** What the phone page offers to break. Only sends are hit. */
export const knownFaults: KnownFault[] = [
  { id: 'closed', label: '401 · telefone desconectado', fault: refuse(401, 'No session') },
  { id: 'exists', label: '500 · número sem WhatsApp', fault: refuse(500, 'the number is not on WhatsApp') },
  { id: '463', label: '500 · número restrito (463)', fault: refuse(500, 'server returned error 463') },
  { id: '401', label: '401 · token trocado', fault: refuse(401, 'Invalid token') },
  { id: '429', label: '429 · rápido demais', fault: refuse(429, 'Rate limit exceeded') },
  { id: '502', label: '502 · fora do ar', fault: { status: 502, body: '<html>Bad Gateway</html>', match: onSends } },
  { id: 'drop', label: 'cair antes de aceitar', fault: { drop: true, match: onSends } },
  { id: 'accepted', label: 'aceitar e cair sem responder', fault: { afterAccepting: true, match: onSends } },
]
