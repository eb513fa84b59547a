import type { KnownFault, RecordedRequest } from '../simulator.ts'
import { EvolutionError } from './state.ts'

const onSends = ({ path }: RecordedRequest) => /\/message\/send(?!Reaction)/.test(path)
const refuse = (status: number, ...details: unknown[]) => ({
  status,
  body: new EvolutionError(status, ...details).toBody(),
  match: onSends,
})

/** What the phone page offers to break. Only sends are hit. */
export const knownFaults: KnownFault[] = [
  { id: 'closed', label: '400 · telefone reconectando', fault: refuse(400, 'Error: Connection Closed') },
  { id: 'exists', label: '400 · número sem WhatsApp', fault: refuse(400, { exists: false }) },
  {
    id: '463',
    label: '400 · número restrito (463)',
    fault: refuse(400, 'Error: 463 Your account has been restricted'),
  },
  { id: '401', label: '401 · chave trocada', fault: refuse(401, 'Unauthorized') },
  { id: '502', label: '502 · fora do ar', fault: { status: 502, body: '<html>Bad Gateway</html>', match: onSends } },
  { id: 'drop', label: 'cair antes de aceitar', fault: { drop: true, match: onSends } },
  { id: 'accepted', label: 'aceitar e cair sem responder', fault: { afterAccepting: true, match: onSends } },
]
