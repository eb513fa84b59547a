import type { KnownFault, RecordedRequest } from '../simulator.ts'

const onSends = ({ path }: RecordedRequest) => /\/send-(?!reaction|remove-reaction)/.test(path)
const refuse = (status: number, error: string) => ({ status, body: { error }, match: onSends })

/** What the phone page offers to break. Only sends are hit. */
export const knownFaults: KnownFault[] = [
  { id: 'token', label: '403 · token de segurança trocado', fault: refuse(403, 'Client-Token not allowed') },
  {
    id: 'unpaid',
    label: '400 · assinatura vencida',
    fault: refuse(400, 'To continue sending a message, you must subscribe to this instance again'),
  },
  { id: 'exists', label: '400 · número sem WhatsApp', fault: refuse(400, 'Phone number does not exist') },
  { id: '502', label: '502 · fora do ar', fault: { status: 502, body: '<html>Bad Gateway</html>', match: onSends } },
  { id: 'drop', label: 'cair antes de aceitar', fault: { drop: true, match: onSends } },
  { id: 'accepted', label: 'aceitar e cair sem responder', fault: { afterAccepting: true, match: onSends } },
]
