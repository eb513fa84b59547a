import type { KnownFault } from '../simulator.ts'
import { PageError, windowClosed } from './errors.ts'

/** What the phone page offers to break. Only sends are hit. */
const match = (request: { method: string; path: string; body: unknown }) =>
  request.method === 'POST' && request.path.endsWith('/messages') && JSON.stringify(request.body).includes('"message"')

const refuse = (error: PageError) => ({ status: error.status, body: error.toBody(), match })

export const knownFaults: KnownFault[] = [
  { id: '10', label: '10 · fora da janela de 24 h', fault: refuse(windowClosed()) },
  { id: '190', label: '190 · token revogado', fault: refuse(new PageError(190, 'Invalid OAuth access token')) },
  { id: '200', label: '200 · sem permissão', fault: refuse(new PageError(200, 'Requires pages_messaging permission')) },
  { id: '551', label: '551 · pessoa indisponível', fault: refuse(new PageError(551, 'This person isn’t available')) },
  {
    id: '613',
    label: '613 · chamadas demais',
    fault: refuse(new PageError(613, 'Calls have exceeded the rate limit')),
  },
  { id: '503', label: '503 · fora do ar', fault: { status: 503, body: 'Service Unavailable', match } },
  { id: 'drop', label: 'cair antes de aceitar', fault: { drop: true, match } },
  { id: 'accepted', label: 'aceitar e cair sem responder', fault: { afterAccepting: true, match } },
]
