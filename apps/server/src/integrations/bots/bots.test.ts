import '../../../test/environment.ts'
import { createHmac } from 'node:crypto'
import type { BotKind } from '@balcao/contract/core/integrations/bots.ts'
import { botIntegrations } from '@balcao/contract/core/integrations/bots.ts'
import {
  startDialogflowSimulator,
  startDifySimulator,
  startN8nSimulator,
  startTypebotSimulator,
  startVapiSimulator,
} from '@balcao/simulators/bots.ts'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { direct } from '../../kit/egress.ts'
import { type BotTurn, chatMarks, obeyed, paced, type SentFile } from '../bot-turn.ts'
import { loadIntegration } from '../index.ts'

const variables = {
  nome: 'Ana',
  numero: '5511988887777',
  atendimento: '01a20e63-aece-713a-a7de-26de9cc48def',
  contato: '01a20e63-aece-713a-a7de-26de9cc48d00',
  canal: 'waba',
  email: '',
}
/** An account of a simulated bot, and a conversation with it that goes on. */
const talkTo = async <K extends BotKind>(kind: K, given: Record<string, unknown>) => {
  const adapter = await loadIntegration(kind)
  const config = botIntegrations[kind].config.parse(given)
  const context = {
    tenantId: 1,
    id: `${kind}-${Math.random()}`,
    config,
    egress: direct,
    accessToken: async () => '',
  } as never
  let session: string | null = null
  const say = async (text: string, more: Partial<BotTurn> = {}) => {
    const event = session === null ? 'start' : 'message'
    const turn = {
      session,
      event,
      text,
      files: [],
      variables,
      timeZone: 'America/Manaus',
      idempotencyKey: `k-${text}`,
      deadlineMs: 5_000,
      ...more,
    } as const
    const reply = await adapter.converse?.(turn, context)
    if (!reply) throw new Error('no bot')
    session = reply.session
    return reply
  }
  return { say, test: () => adapter.test(context), session: () => session }
}
const wordsIn = (says: readonly { kind: string; body?: string }[]) => says.flatMap(({ body }) => body ?? [])

test('marks of markdown become those of a chat; a bubble with a command is for us', () => {
  expect(
    chatMarks(
      '## Preços\n**negrito** e *itálico* e ~~fora~~\n- um\n- dois\n[site](https://a.b) [https://a.b](https://a.b)',
    ),
  ).toBe('*Preços*\n*negrito* e _itálico_ e ~fora~\n• um\n• dois\nsite (https://a.b) https://a.b')
  const text = (body: string) => ({ kind: 'text' as const, body })
  expect(obeyed([text('Um momento.'), text('#transferir: Vendas')])).toEqual({
    says: [text('Um momento.')],
    handOver: { queue: 'Vendas' },
  })
  expect(obeyed([text('Tchau'), text('#encerrar')])).toEqual({ says: [text('Tchau')], isDone: true })
  expect(obeyed([text('use #transferir no texto')])).toEqual({ says: [text('use #transferir no texto')] })
})

test('a bot that answers with nothing but signs holds up nobody', () => {
  const startedAt = performance.now()
  for (const sign of ['[', '![', '[a](', '\n', '*', '~~', '# ']) chatMarks(sign.repeat(500_000))
  expect(performance.now() - startedAt).toBeLessThan(5_000)
})

test('bubbles come as people read: longer ones later, three seconds at most, and a bot that waits by itself is left alone', () => {
  const text = (body: string) => ({ kind: 'text' as const, body })
  const long = text('palavra '.repeat(40).trim())
  const wait = (seconds: number) => ({ kind: 'wait' as const, seconds })
  expect(paced([text('Oi'), text('um dois três quatro cinco seis sete oito nove dez'), long])).toEqual([
    ...[text('Oi'), wait(1.5), text('um dois três quatro cinco seis sete oito nove dez'), wait(3), long],
  ])
  expect(paced([text('Oi'), wait(2), text('a')])).toEqual([text('Oi'), wait(2), text('a')])
  expect(paced([text('a'), text('b')], false)).toEqual([text('a'), text('b')])
})

describe('typebot', async () => {
  const sim = await startTypebotSimulator()
  afterAll(() => sim.close())
  const open = (more: object = {}) => talkTo('typebot', { baseUrl: sim.url, publicId: 'loja', pauseS: 0, ...more })

  test('greets with what we know, offers choices, understands them as people write, asks again, and ends', async () => {
    const { say, session } = await open()
    const hello = await say('oi')
    expect(hello.says).toMatchObject([
      { kind: 'text', body: 'Olá, *Ana*!' },
      { kind: 'text', body: 'Como podemos ajudar?' },
      { kind: 'choices', body: 'Escolha uma opção:', options: [{ id: 'c1', title: 'Rastrear pedido' }, {}, {}] },
    ])
    expect(wordsIn((await say('quero outra coisa')).says)).toEqual([
      expect.stringContaining('Não encontrei essa opção'),
    ])
    expect(wordsIn((await say('2')).says)).toEqual(['Certo. Qual é o seu e-mail?'])
    expect(wordsIn((await say('ana')).says)).toEqual(['Este e-mail não parece certo. Escreva de novo.'])
    const end = await say('ana@loja.example')
    expect(end).toMatchObject({ session: null, isDone: true })
    expect(wordsIn(end.says)).toEqual(['Pronto! Enviamos para seu e-mail (https://loja.example).'])
    expect(session()).toBeNull()
    expect([...sim.sessions.values()].at(-1)?.answers).toEqual(['Segunda via', 'ana@loja.example'])
  })

  test.each(['segunda VIA', 'c2', 'Segunda  via.', 'segunda', 'a dois', '2️⃣', 'seguda via'])(
    'the choice is meant by “%s”',
    async (words) => {
      const { say } = await open()
      await say('oi')
      expect(wordsIn((await say(words)).says)).toEqual(['Certo. Qual é o seu e-mail?'])
    },
  )

  test('of several choices each is meant as people write it; a grade is its number and never its place', async () => {
    const items = ['Calça e camisa', 'Vestido', 'Saia'].map((content, at) => ({ id: `i${at}`, content }))
    sim.flows.set('gosto', [
      { says: [], asks: { id: 'm', type: 'choice input', options: { isMultipleChoice: true }, items } },
      { says: [], asks: { id: 'm2', type: 'choice input', options: { isMultipleChoice: true }, items } },
      { says: [], asks: { id: 'n', type: 'rating input', options: { length: 10, startsAt: 0 } } },
      { says: [] },
    ])
    const { say } = await open({ publicId: 'gosto' })
    await say('oi')
    await say('calça e camisa')
    await say('a primeira, vestdo e 3')
    expect(wordsIn((await say('11')).says)).toEqual([expect.stringContaining('Não encontrei essa opção')])
    expect(await say('dez')).toMatchObject({ isDone: true })
    expect([...sim.sessions.values()].at(-1)?.answers).toEqual([
      'Calça e camisa',
      'Calça e camisa, Vestido, Saia',
      '10',
    ])
  })

  test('a session that is gone, or has rested too long, begins anew', async () => {
    const { say, session } = await open()
    await say('oi')
    sim.sessions.clear()
    expect(wordsIn((await say('1')).says)[0]).toBe('Olá, *Ana*!')
    const old = JSON.stringify({ ...JSON.parse(session() ?? ''), at: Date.now() - 5 * 3_600_000 })
    expect(wordsIn((await say('1', { session: old })).says)[0]).toBe('Olá, *Ana*!')
  })

  test('files, pauses, links, several choices, files of the customer, payments and rich text', async () => {
    const link = {
      type: 'redirect',
      lastBubbleBlockId: 'x2',
      redirect: { url: 'https://loja.example/x', isNewTab: true },
    }
    sim.flows.set('tudo', [
      {
        says: [
          { id: 'x1', type: 'image', content: { url: 'https://loja.example/a.png' } },
          {
            id: 'x2',
            type: 'text',
            content: {
              type: 'richText',
              richText: [
                { type: 'p', children: [{ text: 'a' }, { type: 'a', url: 'https://b.c', children: [{ text: 'b' }] }] },
              ],
            },
          },
          { id: 'x3', type: 'embed', content: { url: 'https://loja.example/mapa' } },
        ],
        actions: [
          { type: 'wait', lastBubbleBlockId: 'x1', wait: { secondsToWaitFor: 2 } },
          link,
          { type: 'codeToExecute', codeToExecute: { content: 'x' } },
        ],
        asks: {
          id: 'm',
          type: 'choice input',
          options: { isMultipleChoice: true },
          items: [
            { id: 'a', content: 'Azul' },
            { id: 'b', content: 'Verde' },
          ],
        },
      },
      { says: [], asks: { id: 'f', type: 'file input' } },
      { says: [], asks: { id: 'n', type: 'rating input', options: { length: 3, startsAt: 1 } } },
      { says: [], asks: { id: 'p', type: 'payment input' } },
    ])
    const { say } = await open({ publicId: 'tudo' })
    expect((await say('oi')).says).toEqual([
      { kind: 'file', url: 'https://loja.example/a.png', caption: '' },
      { kind: 'wait', seconds: 2 },
      { kind: 'text', body: 'ab (https://b.c)' },
      { kind: 'text', body: 'https://loja.example/x' },
      { kind: 'text', body: 'https://loja.example/mapa' },
      {
        kind: 'choices',
        body: 'Escolha uma opção:',
        options: [
          { id: 'a', title: 'Azul', description: '' },
          { id: 'b', title: 'Verde', description: '' },
        ],
      },
    ])
    expect((await say('azul e 2')).says).toEqual([])
    sim.control.maxFileMb = null
    const file: SentFile = {
      kind: 'document',
      name: 'a.pdf',
      mime: 'application/pdf',
      url: 'https://nos.example/a.pdf',
      size: 1,
      bytes: async () => Buffer.from('x'),
    }
    expect((await say('', { files: [file] })).says).toMatchObject([
      { kind: 'choices', options: [{ id: '1' }, { id: '2' }, { id: '3' }] },
    ])
    expect(await say('3')).toMatchObject({ session: null, handOver: { note: expect.stringContaining('pagamento') } })
    expect([...sim.sessions.values()].at(-1)?.answers).toEqual(['Azul, Verde', 'https://nos.example/a.pdf', '3'])
  })

  test('a server of before startChat is spoken to at its one address, in plain words', async () => {
    sim.control.isOld = true
    const { say, test: check, session } = await open()
    expect((await say('oi')).says).toMatchObject([
      { body: 'Olá, Ana!' },
      { body: 'Como podemos ajudar?' },
      { kind: 'choices', options: [{ title: 'Rastrear pedido' }, {}, {}] },
    ])
    expect(wordsIn((await say('2')).says)).toEqual(['Certo. Qual é o seu e-mail?'])
    sim.sessions.delete(JSON.parse(session() ?? '').id)
    expect(wordsIn((await say('ana@loja.example')).says)[0]).toBe('Olá, Ana!')
    expect(await check()).toEqual({ text: 'O fluxo está publicado e respondeu.' })
    await expect((await open({ publicId: 'nada' })).test()).rejects.toMatchObject({ kind: 'config' })
    sim.control.isOld = false
  })

  test('a file is carried up to the storage of the flow; what it does not take is said, and what it may skip is skipped', async () => {
    const asks = (id: string, type: string, options: object) => ({ says: [], asks: { id, type, options } })
    sim.flows.set('arquivos', [
      asks('f1', 'file input', {}),
      asks('f2', 'file input', { isRequired: false }),
      asks('t1', 'text input', { attachments: { isEnabled: true }, audioClip: { isEnabled: true } }),
      asks('t2', 'text input', {}),
      asks('t3', 'text input', {}),
    ])
    const { say, session } = await open({ publicId: 'arquivos' })
    await say('oi')
    const file = { kind: 'document' as const, name: 'nota.pdf', mime: 'application/pdf', size: 5, url: null }
    const bytes = async () => Buffer.from('12345')
    sim.control.maxFileMb = null
    expect(wordsIn((await say('', { files: [{ ...file, bytes }] })).says)).toEqual([
      'Não consegui receber este arquivo. Envie outro, menor ou de outro tipo.',
    ])
    sim.control.maxFileMb = 1
    expect(wordsIn((await say('', { files: [{ ...file, size: 2_000_000, bytes }] })).says)).toHaveLength(1)
    await say('', {
      files: [
        { ...file, bytes },
        { ...file, name: 'outra.pdf', bytes },
      ],
    })
    expect([...sim.stored.values()]).toEqual([{ name: 'nota.pdf', size: 5, fields: ['policy', 'X-Amz-Signature'] }])
    expect(JSON.parse(session() ?? '')).toMatchObject({ blockId: 'f2' })
    await say('Não')
    await say('', { files: [{ ...file, kind: 'audio', name: 'voz.ogg', url: 'https://nos.example/voz.ogg', bytes }] })
    const audio = { ...file, kind: 'audio' as const, bytes }
    expect(wordsIn((await say('', { files: [audio] })).says)).toEqual([
      'Não consigo ouvir áudios aqui. Escreva a resposta, por favor.',
    ])
    await say('com uma foto', { files: [{ ...file, url: 'https://nos.example/a.png', bytes }] })
    const [key, voice] = [...sim.stored.keys()]
    const talk = [...sim.sessions.values()].at(-1)
    expect(talk?.answers).toEqual([
      `https://s3.loja.example/${key}`,
      '',
      `https://s3.loja.example/${voice}`,
      'com uma foto',
    ])
  })

  test('what is not published, and a server that fails, are said in words; an answer is never sent twice', async () => {
    await expect((await open({ publicId: 'nada' })).test()).rejects.toMatchObject({
      kind: 'config',
      message: expect.stringContaining('Typebot not found'),
    })
    const { say } = await open()
    await say('oi')
    const before = sim.requests.length
    sim.faults.next({ status: 500, match: ({ path }) => path.includes('continueChat') })
    await expect(say('1')).rejects.toMatchObject({ kind: 'network' })
    expect(sim.requests.length).toBe(before + 1)
  })
})

describe('dify', async () => {
  const sim = await startDifySimulator()
  afterAll(() => sim.close())
  const open = (more: object = {}) => talkTo('dify', { baseUrl: `${sim.url}/v1`, apiKey: sim.control.apiKey, ...more })

  test.each(['chat', 'advanced-chat', 'agent-chat', 'new-agent'] as const)(
    'a conversation with an app of kind %s goes on',
    async (mode) => {
      sim.control.mode = mode
      const { say } = await open({ type: mode.includes('agent') ? 'agent' : 'chatBot' })
      expect((await say('qual o prazo de entrega?')).says).toEqual([
        { kind: 'text', body: '1: qual o prazo de entrega?' },
      ])
      expect((await say('obrigada')).says).toEqual([{ kind: 'text', body: '2: obrigada' }])
      sim.conversations.clear()
      expect((await say('de novo')).says).toEqual([{ kind: 'text', body: '1: de novo' }])
    },
  )

  test('an audio is its words: ours, else those the app hears, else a file', async () => {
    sim.control.mode = 'chat'
    const audio: SentFile = {
      kind: 'audio',
      name: 'voz.ogg',
      mime: 'audio/ogg',
      url: null,
      size: 3,
      bytes: async () => Buffer.from('som'),
    }
    sim.control.hears = 'qual o prazo?'
    expect((await (await open()).say('', { files: [audio] })).says).toEqual([
      { kind: 'text', body: '1: qual o prazo?' },
    ])
    expect((await (await open()).say('já escrito', { files: [audio] })).says).toEqual([
      { kind: 'text', body: '1: já escrito' },
    ])
    const before = sim.files.size
    sim.control.hears = null
    sim.control.fileUpload = { audio: { enabled: true } }
    await (await open()).say('', { files: [audio] })
    expect(sim.files.size).toBe(before + 1)
    sim.files.clear()
    sim.control.fileUpload = { image: { enabled: true, number_limits: 3 } }
  })

  test('a workflow and a text generator are given the words under their own name', async () => {
    sim.control.mode = 'workflow'
    expect((await (await open({ type: 'workflow', inputName: 'query' })).say('oi')).says).toEqual([
      { kind: 'text', body: '1: oi' },
    ])
    sim.control.mode = 'completion'
    expect((await (await open({ type: 'textGenerator', inputName: 'query' })).say('oi')).says).toEqual([
      { kind: 'text', body: '1: oi' },
    ])
    sim.control.fault = 'failedNode'
    await expect((await open({ type: 'workflow', inputName: 'query' })).say('x')).rejects.toMatchObject({
      message: expect.stringContaining('Node HTTP failed'),
    })
  })

  test('an error inside 200, a stream that is cut, silence, and a pause for a person', async () => {
    sim.control.mode = 'chat'
    const { say } = await open()
    sim.control.fault = 'errorEvent'
    await expect(say('a')).rejects.toMatchObject({
      kind: 'config',
      message: expect.stringContaining('quota has been exhausted'),
    })
    sim.control.fault = 'cut'
    await expect(say('bom dia, tudo bem?')).rejects.toMatchObject({ kind: 'network' })
    sim.control.fault = 'empty'
    await expect(say('a')).rejects.toMatchObject({ kind: 'refusal' })
    sim.control.fault = 'paused'
    expect(await say('a')).toMatchObject({ session: null, handOver: { note: expect.stringContaining('pessoa') } })
    sim.control.fault = 'asksPerson'
    expect(await say('a')).toMatchObject({ session: null, handOver: { note: expect.stringContaining('pessoa') } })
  })

  test('an answer nobody waits for any more is stopped there, by whoever it was for', async () => {
    sim.control.mode = 'chat'
    const { say } = await open()
    sim.stopped.length = 0
    sim.control.fault = 'silent'
    const taken = new AbortController()
    const isBegun = () => sim.conversations.size
    const before = isBegun()
    const asked = say('conte uma longa história', { signal: taken.signal })
    await vi.waitFor(() => expect(isBegun()).toBe(before + 1))
    setTimeout(() => taken.abort(), 100)
    await expect(asked).rejects.toMatchObject({ kind: 'network' })
    const [id] = [...sim.conversations.keys()].slice(-1)
    expect(sim.stopped).toEqual([`t${id}`])
    expect(sim.requests.at(-1)).toMatchObject({
      path: expect.stringContaining(`/v1/chat-messages/t${id}/stop`),
      body: { user: `contato-${variables.contato}` },
    })
    sim.control.fault = 'silent'
    await expect(say('outra', { deadlineMs: 300 })).rejects.toMatchObject({ kind: 'network' })
    expect(sim.stopped).toHaveLength(2)
  })

  test('a flow whose line was cut is listened to again, not asked again', async () => {
    sim.control.mode = 'advanced-chat'
    const { say, session } = await open()
    sim.control.fault = 'cut'
    const before = sim.runs.size
    const reply = await say('qual é o prazo de entrega?')
    expect(reply.says).toEqual([{ kind: 'text', body: '1: qual é o prazo de entrega?' }])
    expect(JSON.parse(session() ?? '')).toEqual({ conversationId: [...sim.conversations.keys()].at(-1) })
    sim.control.mode = 'workflow'
    sim.control.fault = 'cut'
    expect((await (await open({ type: 'workflow', inputName: 'query' })).say('oi')).says).toEqual([
      { kind: 'text', body: '1: oi' },
    ])
    expect(sim.runs.size).toBe(before + 2)
    // Whose run is gone there: the team goes on.
    sim.control.fault = 'cut'
    sim.faults.next({ status: 404, times: 2, match: ({ path }) => path.includes('/events') })
    await expect((await open({ type: 'workflow', inputName: 'query' })).say('oi')).rejects.toMatchObject({
      kind: 'network',
    })
  })

  test('too many at once may be tried again, a plan that is used up may not', async () => {
    sim.control.mode = 'chat'
    const { say } = await open()
    const refuse = (code: string) =>
      sim.faults.next({ status: 429, body: { code, message: code, status: 429 }, match: '/chat-messages' })
    refuse('too_many_requests')
    await expect(say('a')).rejects.toMatchObject({ kind: 'speed' })
    refuse('rate_limit_error')
    await expect(say('a')).rejects.toMatchObject({ kind: 'money', message: expect.stringContaining('plano') })
  })

  test('files that the app does not take are told of in words, by its kinds, its numbers and its sizes', async () => {
    sim.control.mode = 'chat'
    const asked = async (...files: Partial<SentFile>[]) => {
      const { say } = await open()
      const whole = files.map((one) => ({
        ...{ kind: 'image' as const, name: 'a.png', mime: 'image/png', url: null, size: 3 },
        ...{ bytes: async () => Buffer.from('xyz'), ...one },
      }))
      await say('', { files: whole })
      const { query, files: sent } = (sim.requests.at(-1)?.body ?? {}) as { query?: string; files?: object[] }
      return [query, sent?.length]
    }
    sim.control.fileUpload = { image: { enabled: true, number_limits: 2, transfer_methods: ['local_file'] } }
    expect(await asked({}, {}, { name: 'c.png' })).toEqual([
      'Veja o que enviei. (Enviou também uma imagem, “c.png”, que não pôde ser repassada.)',
      2,
    ])
    expect(await asked({ kind: 'document', name: 'nota.pdf', mime: 'application/pdf' })).toEqual([
      '(Enviou um documento, “nota.pdf”, que não pôde ser repassado.)',
      0,
    ])
    expect(await asked({ size: 11 * 1_048_576 })).toEqual([expect.stringContaining('não pôde ser repassada'), 0])
    sim.control.fileUpload = { image: { enabled: false } }
    expect(await asked({})).toEqual([expect.stringContaining('não pôde ser repassada'), 0])
    // As chatflows say it: kinds, ways and endings for all.
    sim.control.fileUpload = {
      ...{ enabled: true, image: { enabled: false }, number_limits: 5 },
      ...{ allowed_file_types: ['document', 'custom'], allowed_file_extensions: ['.XYZ'] },
      allowed_file_upload_methods: ['local_file'],
    }
    expect(await asked({ kind: 'document', name: 'a.pdf', url: 'https://nos.example/a.pdf' })).toEqual([
      'Veja o que enviei.',
      1,
    ])
    expect(sim.requests.at(-1)?.body).toMatchObject({ files: [{ type: 'document', transfer_method: 'local_file' }] })
    expect(await asked({ kind: 'image', name: 'a.xyz' })).toEqual(['Veja o que enviei.', 1])
    expect(sim.requests.at(-1)?.body).toMatchObject({ files: [{ type: 'custom' }] })
    expect(await asked({})).toEqual([expect.stringContaining('não pôde ser repassada'), 0])
    sim.files.clear()
    sim.control.fileUpload = { image: { enabled: true, number_limits: 3 } }
    // Its disk knows better than what it says.
    sim.faults.next({ status: 413, body: { code: 'file_too_large', status: 413 }, match: '/files/upload' })
    expect(await asked({})).toEqual([expect.stringContaining('não pôde ser repassada'), 0])
  })

  test('files go up where we have no address; the test tells the kind of app; a wrong key is said', async () => {
    const { say, test: check } = await open()
    const bytes = async () => Buffer.from('imagem')
    await say('veja', { files: [{ kind: 'image', name: 'foto.png', mime: 'image/png', size: 6, url: null, bytes }] })
    expect([...sim.files.values()]).toMatchObject([{ name: 'foto.png', size: 6, user: `contato-${variables.contato}` }])
    expect(await check()).toEqual({ text: 'O aplicativo “Loja Aurora” respondeu.' })
    sim.control.mode = 'workflow'
    await expect(check()).rejects.toMatchObject({ message: expect.stringContaining('outro tipo') })
    await expect((await open({ apiKey: 'app-errada-errada' })).say('a')).rejects.toMatchObject({
      kind: 'config',
      isOfAccount: true,
    })
  })
})

describe('n8n', async () => {
  const sim = await startN8nSimulator()
  afterAll(() => sim.close())
  const open = (more: object = {}) => talkTo('n8n', { url: `${sim.url}/webhook/atendimento`, ...more })

  test('a token of the account’s own secret opens it, and no other', async () => {
    sim.control.auth = { jwt: 'segredo-do-fluxo' }
    const open = (jwtSecret: string) => talkTo('n8n', { url: `${sim.url}/webhook/atendimento`, auth: 'jwt', jwtSecret })
    expect((await (await open('segredo-do-fluxo')).say('oi')).says).toEqual([{ kind: 'text', body: 'eco: oi' }])
    await expect((await open('outro-segredo')).say('oi')).rejects.toMatchObject({ kind: 'config', isOfAccount: true })
    sim.control.auth = undefined
  })

  test('is given who writes, where and what; answers in every shape are understood', async () => {
    const { say } = await open()
    sim.control.mode = 'respond'
    expect((await say('oi')).says).toEqual([{ kind: 'text', body: 'eco: oi' }])
    expect(sim.runs.at(-1)).toMatchObject({
      headers: { 'idempotency-key': 'k-oi' },
      body: {
        chatInput: 'oi',
        sessionId: variables.atendimento,
        messageId: 'k-oi',
        contact: { name: 'Ana' },
        event: 'start',
      },
    })
    expect(JSON.stringify(sim.runs.at(-1))).not.toContain('apiKey')
    sim.control.mode = 'lastNode'
    expect((await say('oi')).says).toEqual([{ kind: 'text', body: 'eco: oi' }])
    sim.control.mode = 'text'
    expect((await say('oi')).says).toEqual([{ kind: 'text', body: 'só texto' }])
    for (const mode of ['immediately', 'empty'] as const) {
      sim.control.mode = mode
      expect((await say('oi')).says).toEqual([])
    }
    sim.control.mode = 'respond'
    sim.control.answer = () => ({
      output: ['um', 'dois'],
      media: [{ url: 'https://a.b/c.png' }],
      actions: [{ type: 'transfer', queue: 'Vendas' }],
    })
    expect(await say('oi')).toMatchObject({
      says: [{ body: 'um' }, { body: 'dois' }, { kind: 'file', url: 'https://a.b/c.png' }],
      handOver: { queue: 'Vendas' },
    })
    sim.control.mode = 'html'
    expect((await say('oi')).says).toEqual([{ kind: 'text', body: 'Olá, Ana & cia.' }])
    sim.control.mode = 'respond'
    sim.control.answer = () => ({ output: 'ok', actions: [{ type: 'tag', tag: 'VIP' }] })
    expect(await say('oi')).toMatchObject({ tags: ['VIP'] })
    const signed = await open({ signingSecret: 'segredo-da-assinatura' })
    await signed.say('assinada')
    const { headers, text } = sim.runs.at(-1) ?? expect.fail('none')
    const of = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`
    const expected = createHmac('sha256', 'segredo-da-assinatura').update(of).digest('base64')
    expect(headers).toMatchObject({ 'webhook-id': 'k-assinada', 'webhook-signature': `v1,${expected}` })
    sim.control.answer = () => ({ output: 'tchau', actions: [{ type: 'close' }] })
    expect(await say('oi')).toMatchObject({ session: null, isDone: true })
  })

  test('an inactive workflow, the address of tests and a wrong password are said, without a trace of the stack', async () => {
    sim.control.isActive = false
    await expect((await open()).say('a')).rejects.toMatchObject({
      kind: 'config',
      message: expect.not.stringContaining('LiveWebhooks'),
    })
    sim.control.isActive = true
    await expect(open({ url: `${sim.url}/webhook-test/atendimento` })).rejects.toThrow('de teste')
    sim.control.auth = { basic: 'ana:senha' }
    await expect((await open()).say('a')).rejects.toMatchObject({ kind: 'config' })
    sim.control.answer = () => ({ output: 'ok' })
    expect((await (await open({ auth: 'basic', user: 'ana', password: 'senha' })).say('a')).says).toHaveLength(1)
    sim.control.auth = { header: 'x-chave', value: 'valor-secreto' }
    expect(
      (await (await open({ auth: 'header', headerName: 'X-Chave', headerValue: 'valor-secreto' })).say('a')).says,
    ).toHaveLength(1)
    sim.control.auth = undefined
    sim.control.mode = 'fails'
    await expect((await open()).say('a')).rejects.toMatchObject({ kind: 'network' })
  })
})

describe('dialogflow', async () => {
  const sim = await startDialogflowSimulator()
  afterAll(() => sim.close())
  const open = (more: object = {}) => talkTo('dialogflow', { credentials: sim.credentials, baseUrl: sim.url, ...more })

  test('ES: greets, answers, offers replies by number, counts what it does not understand, hands over and ends', async () => {
    const { say } = await open()
    expect(wordsIn((await say('')).says)).toEqual(['Olá! Sou o robô da loja.'])
    expect(sim.requests.at(-1)?.body).toMatchObject({ queryParams: { timeZone: 'America/Manaus' } })
    expect((await say('quero o boleto')).says).toMatchObject([
      { body: 'Qual boleto?' },
      { kind: 'choices', body: 'Escolha', options: [{ title: 'Este mês' }, { title: 'Mês passado' }] },
    ])
    expect(wordsIn((await say('o segundo')).says)).toEqual(['Anotado: Mês passado'])
    expect((await say('cartao')).says).toMatchObject([
      { kind: 'choices', body: 'Plano\nR$ 10', options: [{ title: 'Quero' }] },
    ])
    expect(wordsIn((await say('1')).says)).toEqual(['Anotado: contratar'])
    await say('xyz')
    await say('xyz')
    expect(await say('xyz')).toMatchObject({ session: null, handOver: { note: expect.stringContaining('3 vezes') } })
    expect(await say('humano')).toMatchObject({ handOver: { queue: 'Vendas' } })
    expect(await say('tchau')).toMatchObject({ session: null, isDone: true })
    expect(await say('a'.repeat(257))).toMatchObject({ says: [], handOver: { note: expect.stringContaining('256') } })
  })

  test('CX: the same by its own messages', async () => {
    const { say } = await open({ edition: 'cx', agentId: 'ag-1', location: 'us-central1' })
    expect(wordsIn((await say('quero o boleto')).says)).toEqual(['Qual boleto?'])
    expect(await say('humano')).toMatchObject({ says: [{ body: 'Vou chamar alguém.' }], handOver: { queue: 'Vendas' } })
    expect(await say('tchau')).toMatchObject({ session: null, isDone: true })
    expect(sim.requests.at(-1)?.path).toContain('/v3/projects/loja-aurora/locations/us-central1/agents/ag-1/sessions/')
  })

  test('one token serves many turns; one that ended early is asked for again; a broken key is said', async () => {
    const { say } = await open()
    const tokensAsked = () => sim.requests.filter(({ path }) => path === '/token').length
    const before = tokensAsked()
    await say('boleto')
    await say('boleto')
    expect(tokensAsked()).toBe(before + 1)
    sim.living.clear()
    expect((await say('boleto')).says).toHaveLength(2)
    expect(tokensAsked()).toBe(before + 2)
    await expect((await open({ credentials: 'x'.repeat(120) })).test()).rejects.toMatchObject({
      message: expect.stringContaining('conta de serviço'),
    })
    const broken = JSON.stringify({
      ...JSON.parse(sim.credentials),
      private_key: '-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----',
    })
    await expect((await open({ credentials: broken })).test()).rejects.toMatchObject({
      message: expect.stringContaining('incompleta'),
    })
  })
})

describe('vapi', async () => {
  const sim = await startVapiSimulator()
  afterAll(() => sim.close())
  const open = (more: object = {}) =>
    talkTo('vapi', {
      baseUrl: sim.url,
      apiKey: sim.control.apiKey,
      assistantId: 'as-1',
      ...more,
    })

  test('the assistant that calls also writes, in one conversation', async () => {
    const { say, test: check } = await open()
    expect(await check()).toEqual({ text: 'O assistente “Cobrança” está lá.' })
    expect(wordsIn((await say('oi')).says)).toEqual(['1: oi'])
    expect(wordsIn((await say('e agora?')).says)).toEqual(['2: e agora?'])
    await expect((await open({ assistantId: 'outro' })).test()).rejects.toMatchObject({
      message: expect.stringContaining('Assistant not found'),
    })
  })
})
