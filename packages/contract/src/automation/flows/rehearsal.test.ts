import { expect, test } from 'vitest'
import { abilitiesOf } from '../../channels/index.ts'
import { readyFlowOf } from './gallery/index.ts'
import { blankNode, type FlowNode, flowGraph } from './graph.ts'
import { type RehearsalSetup, rehearse, startRehearsal } from './rehearsal.ts'
import type { Said } from './run.ts'

const said = (text: string, choiceId: string | null = null): Said => ({
  text,
  type: 'text',
  choiceId,
  fileId: null,
  location: null,
})
const contact = {
  ...{
    name: 'Maria Lima',
    email: null,
    businessName: '',
    documentKind: null,
    number: '5511987654321',
    birthdayDate: null,
  },
  ...{
    city: '',
    state: '',
    createdAt: '2026-11-01T12:00:00Z',
    extraInfo: [],
    isGroup: false,
    isBlocked: false,
    laneId: null,
  },
  ...{ importId: null, tagIds: [], walletIds: [], identityKinds: [], consents: {}, lastInAt: null, lastOutAt: null },
  ...{ connectionIds: [], reasonIds: [], tickets: 1, hasOpenTicket: true, lastClosedAt: null, grades: [] },
}
const fileId = '01980000-0000-7000-8000-0000000000f1'
const setupOf = (graph = readyFlowOf('clinica')?.graph()): RehearsalSetup => ({
  ...{
    versionId: 'v',
    runId: 'r',
    abilities: abilitiesOf('waba', {}),
    contact,
    timezone: 'America/Sao_Paulo',
    now: new Date('2026-11-23T12:00:00Z'),
    segments: new Map(),
  },
  ticket: {
    queueId: null,
    connectionId: 'c',
    channel: 'waba',
    priority: 'normal',
    tagIds: [],
    isFirst: true,
  },
  rating: { question: 'Nota?', retry: '', grades: [] },
  graphOf: () => graph,
  publishedOf: () => undefined,
  isOpen: () => true,
  assistantName: () => 'Aurora',
  fileName: (id) => (id === fileId ? 'cardápio.pdf' : undefined),
  describe: ({ kind }) => kind,
})

test('it is gone through as on the server, with what was passed and what can be pressed', () => {
  const setup = setupOf()
  let one = startRehearsal(setup, said('oi'))
  expect(one.lines.map(({ from, text }) => [from, text])).toEqual([
    ['customer', 'oi'],
    ['us', 'Bom dia! Como a clínica pode ajudar?'],
  ])
  const [first] = one.lines[1]?.options ?? []
  one = rehearse(setup, one, { kind: 'said', said: [said(first?.title ?? '', first?.id)] })
  expect(one.lines.at(-1)?.text).toBe('Qual é o nome completo do paciente?')
  expect(one.lit).toEqual(['start:next', 'menu:o1'])
  one = rehearse(setup, one, { kind: 'said', said: [said('Maria Souza')] })
  expect(one.contact.name).toBe('Maria Souza')
  expect(one.lines.map(({ from }) => from)).toContain('note')
})

test('the clock is moved by hand, and what falls due comes at its time', () => {
  const setup = setupOf()
  const begun = startRehearsal(setup, said('oi'))
  const warned = rehearse(setup, begun, { kind: 'clock', minutes: 20 })
  expect(warned.lines.at(-1)?.text).toBe('Maria, você ainda está por aí? É só responder por aqui.')
  const over = rehearse(setup, warned, { kind: 'clock', minutes: 60 * 24 })
  expect(over.end).toMatchObject({ why: 'silence', to: 'person' })
  expect(rehearse(setup, over, { kind: 'said', said: [said('oi')] })).toBe(over)
})

test('where it would not begin outside of the hours, the rehearsal says so and goes on', () => {
  const closed = { ...setupOf(), isOpen: () => false }
  const one = startRehearsal(closed, said('oi'))
  expect(one.lines.map(({ from }) => from)).toEqual(['customer', 'note', 'us'])
  expect(one.lines[1]?.text).toMatch(/^Fora do horário este fluxo não começa sozinho/)
  const always = { ...setupOf(readyFlowOf('restaurante')?.graph()), isOpen: () => false }
  expect(startRehearsal(always, said('oi')).lines.map(({ from }) => from)).not.toContain('note')
})

test('actions change what conditions see; a system is answered for by hand', () => {
  const step = (kind: FlowNode['kind'], id: string, data: object, next: Record<string, string>) => {
    const blank = blankNode(kind, id, { x: 0, y: 0 })
    return { ...blank, data: { ...blank.data, ...data }, next }
  }
  const tagId = '01980000-0000-7000-8000-000000000001'
  const rules = { match: 'all', rules: [{ field: 'tags', op: 'any', value: [tagId] }] }
  const graph = flowGraph.parse({
    nodes: [
      step('start', 'start', {}, { next: 'a' }),
      step('action', 'a', { actions: [{ kind: 'addContactTags', tagIds: [tagId] }] }, { next: 'c' }),
      step(
        'condition',
        'c',
        { branches: [{ id: 'y', label: '', match: 'all', tests: [{ on: 'contact', rules }] }] },
        { y: 'h' },
      ),
      step('http', 'h', { url: 'https://exemplo.com' }, { failed: 'f' }),
      step('close', 'f', { body: 'Fora do ar, {{primeiro_nome}}.' }, {}),
    ],
  })
  const setup = setupOf(graph)
  const one = startRehearsal({ ...setup, describe: () => 'Nota: {{primeiro_nome}}' }, said('oi'))
  expect(one.lines[1]?.text).toBe('Nota: Maria')
  expect(one.asked?.request.url).toBe('https://exemplo.com')
  const over = rehearse(setup, one, { kind: 'called', id: one.asked?.id ?? '', ok: false, vars: {} })
  expect(over.lines.slice(-2).map(({ text }) => text)).toEqual(['Fora do ar, Maria.', 'Atendimento encerrado'])
})

test('how an assistant gives the conversation back is said by hand, and nothing leaves', () => {
  const step = (kind: FlowNode['kind'], id: string, data: object, next: Record<string, string>) => {
    const blank = blankNode(kind, id, { x: 0, y: 0 })
    return { ...blank, data: { ...blank.data, ...data }, next }
  }
  const graph = flowGraph.parse({
    nodes: [
      step('start', 'start', {}, { next: 'ia' }),
      step('assistant', 'ia', { assistantId: 'a1' }, { budget: 'b' }),
      step('close', 'b', { body: 'Hoje não, {{primeiro_nome}}.' }, {}),
    ],
  })
  const setup = setupOf(graph)
  const one = startRehearsal(setup, said('oi'))
  expect(one.lines.at(-1)?.text).toBe('Passa para o assistente Aurora')
  expect(one.outcome?.ways.map(({ id }) => id)).toEqual(['next', 'handOver', 'failed', 'budget', 'silence'])
  const talked = rehearse(setup, one, { kind: 'said', said: [said('tudo bem?')] })
  expect(talked.outcome).toEqual(one.outcome)
  const over = rehearse(setup, talked, {
    kind: 'called',
    id: one.outcome?.id ?? '',
    ok: false,
    port: 'budget',
    vars: {},
  })
  expect(over.lines.slice(-2).map(({ text }) => text)).toEqual(['Hoje não, Maria.', 'Atendimento encerrado'])
  expect(over.lit).toContain('ia:budget')
})

test('a place is answered with a place, and seen as one', () => {
  const blank = (kind: FlowNode['kind'], id: string, data: object, next: Record<string, string>) => {
    const one = blankNode(kind, id, { x: 0, y: 0 })
    return { ...one, data: { ...one.data, ...data }, next }
  }
  const graph = flowGraph.parse({
    nodes: [
      blank('start', 'start', {}, { next: 'q' }),
      blank('ask', 'q', { body: 'Onde você está?', as: 'location', variable: 'lugar' }, { next: 'f' }),
      blank('close', 'f', { body: 'Anotado: {{var.lugar}}' }, {}),
    ],
  })
  const setup = setupOf(graph)
  const one = rehearse(setup, startRehearsal(setup, said('oi')), { kind: 'said', said: [said('Rua das Flores')] })
  expect(one.lines.at(-1)?.text).toBe('Envie sua localização pelo clipe do aplicativo, por favor.')
  const place = { ...said(''), type: 'location' as const, location: { latitude: -23.5, longitude: -46.6 } }
  const over = rehearse(setup, one, { kind: 'said', said: [place] })
  expect(over.lines.slice(-3).map(({ text }) => text)).toEqual([
    'Localização',
    'Anotado: -23.5,-46.6',
    'Atendimento encerrado',
  ])
})

const step = (kind: FlowNode['kind'], id: string, data: object, next: Record<string, string>) => {
  const blank = blankNode(kind, id, { x: 0, y: 0 })
  return { ...blank, data: { ...blank.data, ...data }, next }
}
test('choices look as the chosen channel carries them, and a file has its name', () => {
  const options = ['Vendas', 'Suporte'].map((title, at) => ({ id: `o${at}`, title }))
  const file = { kind: 'file', body: 'Veja:', mediaId: fileId, interactive: null }
  const graph = flowGraph.parse({
    nodes: [
      step('start', 'start', {}, { next: 'f' }),
      step('message', 'f', { parts: [file] }, { next: 'm' }),
      step('menu', 'm', { body: 'Com quem?', options }, {}),
    ],
  })
  const onWaba = startRehearsal(setupOf(graph), said('oi')).lines.slice(1)
  expect(onWaba.map(({ text }) => text)).toEqual(['[cardápio.pdf]\nVeja:', 'Com quem?'])
  expect(onWaba[1]?.options.map(({ title }) => title)).toEqual(['Vendas', 'Suporte'])
  const bySms = startRehearsal({ ...setupOf(graph), abilities: abilitiesOf('sms', {}) }, said('oi'))
  expect(bySms.lines.at(-1)).toMatchObject({ text: 'Com quem?\n\n1. Vendas\n2. Suporte', options: [] })
})

test('each way of a split can be asked for', () => {
  const branches = ['a', 'b'].map((id) => ({ id, label: '', weight: id === 'a' ? 100 : 0 }))
  const message = (id: string) =>
    step('message', id, { parts: [{ kind: 'text', body: id, mediaId: null, interactive: null }] }, {})
  const graph = flowGraph.parse({
    nodes: [
      step('start', 'start', {}, { next: 's' }),
      step('split', 's', { branches }, { a: 'A', b: 'B' }),
      message('A'),
      message('B'),
    ],
  })
  const wordsBy = (branch: number | null) =>
    startRehearsal({ ...setupOf(graph), branch }, said('oi')).lines.find(({ from }) => from === 'us')?.text
  expect([wordsBy(null), wordsBy(0), wordsBy(1)]).toEqual(['A', 'A', 'B'])
})

test('a step of another flow that bears the same name is not lit here', () => {
  const ask = (body: string) => step('ask', 'q', { body }, {})
  const outer = flowGraph.parse({
    nodes: [
      step('start', 'start', {}, { next: 'f' }),
      step('flow', 'f', { flowId: 'other' }, { next: 'q' }),
      ask('Aqui?'),
    ],
  })
  const inner = flowGraph.parse({ nodes: [step('start', 'start', {}, { next: 'q' }), ask('Lá?')] })
  const graphs: Record<string, typeof outer> = { v: outer, other: inner }
  const setup = { ...setupOf(outer), graphOf: (id: string) => graphs[id], publishedOf: (id: string) => id }
  const one = startRehearsal(setup, said('oi'))
  expect(one.lines.at(-1)).toMatchObject({ text: 'Lá?', nodeId: null })
  expect(one.passed).toEqual(['start', 'f'])
  const back = rehearse(setup, one, { kind: 'said', said: [said('sim')] })
  expect(back.lines.at(-1)).toMatchObject({ text: 'Aqui?', nodeId: 'q' })
  expect(back.passed).toEqual(['start', 'f', 'q'])
})
