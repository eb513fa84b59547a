import type { KnownFault, RecordedRequest } from '../simulator.ts'

const onSends = ({ path }: RecordedRequest) => /^\/chat\/send\/(?!edit)/.test(path)
const refuse = (code: number, error: string) => ({
  status: code,
  body: { code, error, success: false },
  match: onSends,
})

/** What the phone page offers to break. Only sends are hit. */
export const knownFaults: KnownFault[] = [
  { id: 'closed', label: '500 · telefone desconectado', fault: refuse(500, 'no session') },
  {
    id: 'exists',
    label: '500 · número sem WhatsApp',
    fault: refuse(500, 'error sending message: no LID found for 55'),
  },
  {
    id: '463',
    label: '500 · número restrito (463)',
    fault: refuse(500, 'error sending message: server returned error 463'),
  },
  { id: '401', label: '401 · token trocado', fault: refuse(401, 'unauthorized') },
  { id: '429', label: '500 · rápido demais', fault: refuse(500, 'error sending message: rate-overlimit') },
  { id: '502', label: '502 · fora do ar', fault: { status: 502, body: '<html>Bad Gateway</html>', match: onSends } },
  { id: 'drop', label: 'cair antes de aceitar', fault: { drop: true, match: onSends } },
  { id: 'accepted', label: 'aceitar e cair sem responder', fault: { afterAccepting: true, match: onSends } },
]
