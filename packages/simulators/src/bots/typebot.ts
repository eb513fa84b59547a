import { randomUUID } from 'node:crypto'
import { createSimulator, type SimulatorOptions } from '../simulator.ts'

type Item = {
  id: string
  content?: string
  title?: string
  description?: string
  value?: string
  imageUrl?: string
  paths?: { id: string; text: string }[]
}
export type TypebotInput = {
  id: string
  type: string
  items?: Item[]
  options?: { isMultipleChoice?: boolean; length?: number; startsAt?: number; retryMessageContent?: string }
}
export type TypebotBubble = { id: string; type: string; content: Record<string, unknown> }
/** A flow as steps: what is said, with what happens beside, and what is asked then. */
export type TypebotStep = { says: TypebotBubble[]; actions?: Record<string, unknown>[]; asks?: TypebotInput }
type Session = { flow: TypebotStep[]; at: number; variables: Record<string, string>; answers: string[] }

const text = (id: string, markdown: string): TypebotBubble => ({
  id,
  type: 'text',
  content: { type: 'markdown', markdown },
})
/** Greets by name, asks what it is about, then for an e-mail, and ends. */
export const shopFlow: TypebotStep[] = [
  {
    says: [text('b1', 'Olá, **{{nome}}**!'), text('b2', 'Como podemos ajudar?')],
    asks: {
      id: 'i1',
      type: 'choice input',
      items: [
        { id: 'c1', content: 'Rastrear pedido' },
        { id: 'c2', content: 'Segunda via' },
        { id: 'c3', content: 'Falar com alguém' },
      ],
    },
  },
  {
    says: [text('b3', 'Certo. Qual é o seu e-mail?')],
    asks: {
      id: 'i2',
      type: 'email input',
      options: { retryMessageContent: 'Este e-mail não parece certo. Escreva de novo.' },
    },
  },
  { says: [text('b4', 'Pronto! Enviamos para [seu e-mail](https://loja.example).')] },
]

/**
 * Typebot's viewer: startChat and continueChat over flows by public id. Answers are compared as the server does: a single
 * choice letter by letter, several ones also by their number; what is not valid is asked again.
 */
export const startTypebotSimulator = async (options: SimulatorOptions = {}) => {
  const core = await createSimulator(options)
  const flows = new Map<string, TypebotStep[]>([['loja', shopFlow]])
  const sessions = new Map<string, Session>()

  const filled = (session: Session, bubbles: TypebotBubble[]) =>
    JSON.parse(
      JSON.stringify(bubbles).replace(/\{\{(\w+)\}\}/g, (_, name: string) => session.variables[name] ?? ''),
    ) as unknown[]
  const show = (session: Session) => {
    const step = session.flow[session.at]
    return {
      messages: filled(session, step?.says ?? []),
      ...(step?.asks && { input: step.asks }),
      clientSideActions: step?.actions ?? [],
      logs: [],
      progress: 0,
    }
  }
  const missing = { defined: false, code: 'NOT_FOUND', status: 404 }

  core.app.post<{ Params: { id: string }; Body: Record<string, unknown> }>(
    '/api/v1/typebots/:id/startChat',
    (req, reply) => {
      const flow = flows.get(req.params.id)
      if (!flow) return reply.code(404).send({ ...missing, message: 'Typebot not found' })
      const session: Session = {
        flow,
        at: 0,
        variables: (req.body.prefilledVariables ?? {}) as Record<string, string>,
        answers: [],
      }
      const sessionId = randomUUID()
      sessions.set(sessionId, session)
      return {
        sessionId,
        resultId: randomUUID(),
        typebot: { id: req.params.id, version: '6.1', theme: {}, settings: {} },
        ...show(session),
      }
    },
  )
  core.app.post<{ Params: { id: string }; Body: { message?: unknown } }>(
    '/api/v1/sessions/:id/continueChat',
    (req, reply) => {
      const session = sessions.get(req.params.id)
      if (!session) return reply.code(404).send({ ...missing, message: 'Session not found' })
      const asks = session.flow[session.at]?.asks
      const said = answerOf(req.body.message)
      if (asks && !isAccepted(asks, said)) {
        const again = asks.options?.retryMessageContent ?? 'Resposta inválida.'
        return { messages: [text(`r-${asks.id}`, again)], input: asks, clientSideActions: [], logs: [] }
      }
      session.answers.push(said.text)
      // What has ended begins anew.
      session.at = session.at + 1 < session.flow.length ? session.at + 1 : 0
      const shown = show(session)
      if (!shown.input && !shown.clientSideActions.some((one) => one.expectsDedicatedReply))
        session.at = session.flow.length - 1
      return shown
    },
  )
  await core.listen()
  return Object.assign(core, { flows, sessions })
}

type Said = { text: string; replyId?: string; kind: string }
const answerOf = (message: unknown): Said => {
  if (typeof message === 'string') return { text: message, kind: 'text' }
  const one = (message ?? {}) as { type?: string; text?: string; url?: string; metadata?: { replyId?: string } }
  return { text: one.text ?? one.url ?? '', replyId: one.metadata?.replyId, kind: one.type ?? 'text' }
}
const isAccepted = ({ type, items = [], options }: TypebotInput, { text: said, replyId }: Said) => {
  const words = ({ id, content, title, value }: Item) => [id, value?.trim(), content?.trim(), title?.trim()]
  switch (type) {
    case 'choice input':
    case 'picture choice input':
      if (options?.isMultipleChoice)
        return said
          .split(', ')
          .every((one) => items.some((item, at) => [...words(item), String(at + 1)].includes(one.trim())))
      return items.some((item) => item.id === replyId || words(item).includes(said))
    case 'cards':
      return items.some(({ paths = [] }) => paths.some((path) => path.id === replyId || path.text === said))
    case 'email input':
      return /^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(said)
    case 'number input':
      return said.trim() !== '' && Number.isFinite(Number(said.replace(',', '.')))
    case 'url input':
    case 'file input':
      return /^https?:\/\//.test(said)
    case 'phone number input':
      return said.replace(/\D/g, '').length >= 8
    case 'date input':
      return /\d/.test(said)
    case 'time input':
      return /^\d{1,2}:\d{2}$/.test(said)
    case 'rating input':
      return Number(said) >= (options?.startsAt ?? 0) && Number(said) <= (options?.length ?? 10)
    default:
      return said.trim() !== ''
  }
}
