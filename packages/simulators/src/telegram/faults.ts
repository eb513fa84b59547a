import type { KnownFault, RecordedRequest } from '../simulator.ts'
import { TelegramError, tooManyRequests } from './errors.ts'

const onSends = (request: RecordedRequest) => /\/(send(?!chataction)|forward|copy)/i.test(request.path)

export const refuse = (error: TelegramError) => ({ status: error.code, body: error.toBody(), match: onSends })

/** What the phone page offers to break. Only sends are hit. */
export const knownFaults: KnownFault[] = [
  { id: '429', label: '429 · aguarde 5 s', fault: refuse(tooManyRequests(5)) },
  {
    id: '403',
    label: '403 · bloqueado pelo cliente',
    fault: refuse(new TelegramError(403, 'Forbidden: bot was blocked by the user')),
  },
  {
    id: '400',
    label: '400 · conversa não encontrada',
    fault: refuse(new TelegramError(400, 'Bad Request: chat not found')),
  },
  { id: '401', label: '401 · token revogado', fault: refuse(new TelegramError(401, 'Unauthorized')) },
  {
    id: '500',
    label: '500 · erro interno do Telegram',
    fault: refuse(new TelegramError(500, 'Internal Server Error')),
  },
  { id: '502', label: '502 · fora do ar', fault: { status: 502, body: 'Bad Gateway', match: onSends } },
  { id: 'drop', label: 'cair antes de aceitar', fault: { drop: true, match: onSends } },
  { id: 'accepted', label: 'aceitar e cair sem responder', fault: { afterAccepting: true, match: onSends } },
]
