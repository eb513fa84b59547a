import { randomUUID } from 'node:crypto'
import { createSimulator, recordOf, type SimulatorOptions } from '../simulator.ts'

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
  options?: {
    isMultipleChoice?: boolean
    length?: number
    startsAt?: number
    retryMessageContent?: string
    isRequired?: boolean
    isMultipleAllowed?: boolean
    attachments?: { isEnabled: boolean }
    audioClip?: { isEnabled: boolean }
  }
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
  const control = {
    /** A server of before startChat: one address for all, plain words in and rich text out. */
    isOld: false,
    /** The most its storage takes, in megabytes; null: it has none. */
    maxFileMb: 10 as number | null,
  }
  const stored = new Map<string, { name: string; size: number; fields: string[] }>()

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

  core.app.addHook('preHandler', async (req, reply) => {
    const isKnown = req.url.endsWith('/sendMessage') || !/startChat|continueChat|generate-upload-url/.test(req.url)
    if (control.isOld && !isKnown) return reply.code(404).send({ code: 'NOT_FOUND', message: 'Not found' })
  })
  const start = (publicId: string, variables: Record<string, string> = {}) => {
    const flow = flows.get(publicId)
    if (!flow) return undefined
    const session: Session = { flow, at: 0, variables, answers: [] }
    const sessionId = randomUUID()
    sessions.set(sessionId, session)
    return {
      sessionId,
      resultId: randomUUID(),
      typebot: { id: publicId, version: '6.1', theme: {}, settings: {} },
      ...show(session),
    }
  }
  core.app.post<{ Params: { id: string }; Body: { prefilledVariables?: Record<string, string> } }>(
    '/api/v1/typebots/:id/startChat',
    (req, reply) =>
      start(req.params.id, req.body.prefilledVariables) ??
      reply.code(404).send({ ...missing, message: 'Typebot not found' }),
  )
  type Old = {
    sessionId?: string
    message?: string
    startParams?: { typebot: string; prefilledVariables?: Record<string, string> }
  }
  core.app.post<{ Body: Old }>('/api/v1/sendMessage', ({ body: { sessionId, message, startParams } }, reply) => {
    if (message !== undefined && typeof message !== 'string')
      return reply.code(400).send({ code: 'BAD_REQUEST', message: 'Input validation failed', status: 400 })
    const told = sessionId
      ? proceed(sessionId, message)
      : start(startParams?.typebot ?? '', startParams?.prefilledVariables)
    if (!told)
      return reply.code(404).send({ ...missing, message: sessionId ? 'Session not found' : 'Typebot not found' })
    return { ...told, messages: (told.messages as TypebotBubble[]).map(asRichText) }
  })
  core.app.post<{ Body: { sessionId: string; blockId: string; fileName: string; fileSize?: number } }>(
    '/api/v3/generate-upload-url',
    ({ body }, reply) => {
      if (control.maxFileMb === null || !sessions.has(body.sessionId))
        return reply.code(400).send({ code: 'BAD_REQUEST', message: 'S3 not properly configured', status: 400 })
      const key = `${randomUUID()}/${body.fileName}`
      return {
        presignedUrl: `${core.url}/s3`,
        formData: { key, policy: 'p', 'X-Amz-Signature': 's' },
        fileUrl: `https://s3.loja.example/${key}`,
        maxFileSize: control.maxFileMb,
      }
    },
  )
  core.app.post('/s3', (req, reply) => {
    const { body, files } = recordOf(req)
    const { key = '', ...fields } = body as Record<string, string>
    if (!files.file) return reply.code(400).send()
    stored.set(key, { name: files.file.filename, size: files.file.bytes.length, fields: Object.keys(fields) })
    return reply.code(204).send()
  })
  core.app.post<{ Params: { id: string }; Body: { message?: unknown } }>(
    '/api/v1/sessions/:id/continueChat',
    (req, reply) =>
      proceed(req.params.id, req.body.message) ?? reply.code(404).send({ ...missing, message: 'Session not found' }),
  )
  const proceed = (sessionId: string, message: unknown) => {
    const session = sessions.get(sessionId)
    if (!session) return undefined
    const asks = session.flow[session.at]?.asks
    const said = answerOf(message)
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
  }
  await core.listen()
  return Object.assign(core, { flows, sessions, control, stored })
}

/** As servers that know no markdown say it. */
const asRichText = ({ content, ...one }: TypebotBubble): TypebotBubble => {
  const { markdown } = content
  const richText = [{ type: 'p', children: [{ text: String(markdown).replaceAll('*', '') }] }]
  return { ...one, content: markdown === undefined ? content : { type: 'richText', richText } }
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
    case 'file input':
      return /^https?:\/\//.test(said) || (said === '' && options?.isRequired === false)
    case 'url input':
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
