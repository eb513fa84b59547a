import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { abilitiesOf } from '../../channels/index.ts'
import { advance, dueOf, isListening, mostAutomatic, newRun } from './engine.ts'
import {
  blankGraph,
  blankNode,
  type FlowGraph,
  type FlowNode,
  flowGraph,
  type NodeData,
  type NodeKind,
} from './graph.ts'
import type { Advanced, FlowEvent, FlowState, FlowWorld, Said } from './run.ts'

const start = new Date('2026-11-23T15:00:00Z')
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
    createdAt: start.toISOString(),
    extraInfo: [],
    isGroup: false,
    isBlocked: false,
    laneId: null,
  },
  ...{
    importId: null,
    tagIds: [] as string[],
    walletIds: [],
    identityKinds: [],
    consents: {},
    lastInAt: null,
    lastOutAt: null,
  },
  ...{ connectionIds: [], reasonIds: [], tickets: 1, hasOpenTicket: true, lastClosedAt: null, grades: [] },
}
const node = <K extends NodeKind>(
  kind: K,
  id: string,
  data: Partial<NodeData<K>> = {},
  next: Record<string, string> = {},
) => {
  const blank = blankNode(kind, id, { x: 0, y: 0 })
  return { ...blank, data: { ...blank.data, ...data }, next } as FlowNode
}
const graphOf = (nodes: FlowNode[], settings: object = {}): FlowGraph => {
  const [first] = nodes
  const begin = { ...node('start', 'start'), next: first ? { next: first.id } : {} } as FlowNode
  return flowGraph.parse({ nodes: [begin, ...nodes], settings: { ...blankGraph().settings, ...settings } })
}
const said = (text: string, more: Partial<Said> = {}): Said => ({
  ...{ text, type: 'text', choiceId: null, fileId: null, location: null },
  ...more,
})

/** A conversation with a flow, its clock in hand. */
const talk = (versions: Record<string, FlowGraph> | FlowGraph, given: Partial<FlowWorld> = {}) => {
  const graphs: Record<string, FlowGraph> = 'nodes' in versions ? { v1: versions as FlowGraph } : versions
  const world = {
    ...{ now: start, timezone: 'America/Sao_Paulo', runId: 'run', contact, segments: new Map() },
    ...{ graphOf: (id: string) => graphs[id], publishedOf: (id: string) => (graphs[id] ? id : undefined) },
    ticket: {
      queueId: null,
      connectionId: 'c1',
      channel: 'waba',
      priority: 'normal',
      tagIds: [],
      isFirst: false,
    },
    rating: {
      question: 'Que nota?',
      retry: 'Uma nota, por favor.',
      grades: [1, 2, 3].map((value) => ({ value, label: `Nota ${value}` })),
    },
    abilities: abilitiesOf('waba', {}),
    isOpen: () => true,
    fill: (text: string, vars: FlowState['vars']) => text.replace(/\{\{var\.(\w+)\}\}/g, (_, name) => vars[name] ?? ''),
    ...given,
  } as FlowWorld
  const log: Advanced[] = []
  let state = newRun('v1')
  const go = (event: FlowEvent) => {
    let done = advance(state, event, world)
    const all = [done]
    while (done.status === 'more') {
      done = advance(done.state, { kind: 'on' }, world)
      all.push(done)
    }
    state = done.state
    log.push(...all)
    return all
  }
  const heardOf = (all: Advanced[]) =>
    all.flatMap(({ effects }) =>
      effects.flatMap((one) => (one.kind === 'say' ? world.fill(one.part.body, one.vars) : [])),
    )
  return {
    world,
    log,
    state: () => state,
    end: () => log.at(-1)?.end,
    begin: (text = 'oi') => heardOf(go({ kind: 'begin', said: [said(text)] })),
    say: (...texts: (string | Said)[]) =>
      heardOf(go({ kind: 'said', said: texts.map((one) => (typeof one === 'string' ? said(one) : one)) })),
    go: (event: FlowEvent) => heardOf(go(event)),
    after: (minutes: number) => {
      world.now = new Date(world.now.getTime() + minutes * 60_000)
      return heardOf(go({ kind: 'due' }))
    },
    effects: () => log.flatMap(({ effects }) => effects),
    path: () => log.flatMap(({ steps }) => steps.map(({ nodeId, port }) => `${nodeId}${port ? `:${port}` : ''}`)),
  }
}
const option = (id: string, title: string, words: string[] = []) => ({ id, title, words, description: '' })
const menu = (next: Record<string, string>, id = 'm') =>
  node('menu', id, { body: 'Escolha:', options: [option('v', 'Vendas'), option('s', 'Suporte técnico')] }, next)
const text = (id: string, body: string, next: Record<string, string> = {}) =>
  node('message', id, { parts: [{ kind: 'text', body, mediaId: null, interactive: null }] }, next)
const person = node('handOver', 'p')

describe('answers', () => {
  test('a menu is asked, answered as people write, and leads on; the end is a person with what was answered', () => {
    const flow = graphOf([menu({ v: 'a', s: 'p' }), text('a', 'Vamos vender.', { next: 'p' }), person])
    const one = talk(flow)
    expect(one.begin()).toEqual(['Escolha:'])
    expect(isListening(one.state())).toBe(true)
    expect(one.say('quero a 1')).toEqual(['Vamos vender.'])
    expect(one.end()).toMatchObject({ to: 'person', why: 'step', summary: true })
    expect(one.state().answers).toEqual([{ question: 'Escolha:', answer: 'Vendas' }])
    expect(one.path()).toEqual(['start:next', 'm', 'm:v', 'a:next', 'p'])
  })

  test('not understood it is asked again, and after three times a person comes', () => {
    const one = talk(
      graphOf([menu({ v: 'p', s: 'p' }), person], { retries: { most: 3, to: { kind: 'queue', id: 'q1' } } }),
    )
    one.begin()
    expect(one.say('banana')).toEqual(['Não entendi. Escolha uma das opções, por favor.', 'Escolha:'])
    expect(one.say('abacaxi')).toHaveLength(2)
    expect(one.say('uva')).toEqual([])
    expect(one.end()).toMatchObject({ to: 'person', why: 'retries', queueId: 'q1' })
  })

  test('another answer has its own way where it is drawn', () => {
    const one = talk(graphOf([menu({ v: 'p', s: 'p', other: 'a' }), text('a', 'Você disse {{var.mensagem}}.'), person]))
    one.begin()
    expect(one.say('banana')).toEqual(['Você disse banana.'])
    expect(one.end()).toMatchObject({ why: 'through' })
  })

  test('a question takes the newest word that is an answer, keeps it, and says what is wrong otherwise', () => {
    const ask = node('ask', 'a', { body: 'Seu CPF?', as: 'cpf', variable: 'cpf', saveTo: 'document' }, { next: 'b' })
    const one = talk(graphOf([ask, text('b', 'CPF {{var.cpf}}')]))
    one.begin()
    expect(one.say('111.111.111-11')).toEqual(['Esse CPF não confere. Escreva os 11 números, por favor.'])
    expect(one.say('é', '529.982.247-25')).toEqual(['CPF 52998224725'])
    expect(one.effects()).toContainEqual({
      stepId: '5',
      nodeId: 'a',
      kind: 'save',
      field: 'document',
      value: '52998224725',
    })
  })

  test('a request waits for what comes back, a place as its point; a link waits for nothing', () => {
    const place = node('request', 'l', { asks: 'place', body: 'Onde?', variable: 'onde' }, { next: 'k' })
    const asks = { asks: 'link', body: 'Veja', button: 'Abrir', url: 'https://loja.com/{{var.onde}}' } as const
    const one = talk(graphOf([place, node('request', 'k', asks, { next: 't' }), text('t', 'Em {{var.onde}}')]))
    expect(one.begin()).toEqual(['Onde?'])
    const here = said('', { location: { latitude: -23.5, longitude: -46.6 } })
    expect(one.say(here)).toEqual(['Veja', 'Em -23.5,-46.6'])
    expect(
      one.effects().flatMap((effect) => (effect.kind === 'say' ? (effect.part.interactive?.kind ?? []) : [])),
    ).toEqual(['place', 'link'])
  })

  test('a button of an earlier question answers that one', () => {
    const one = talk(graphOf([menu({ v: 'n', s: 'p' }), menu({ v: 'p', s: 'a' }, 'n'), text('a', 'A'), person]))
    one.begin()
    one.say('vendas')
    expect(one.say(said('Suporte técnico', { choiceId: 'flow:m:s' }))).toEqual([])
    expect(one.end()).toMatchObject({ to: 'person', nodeId: 'p' })
  })

  test('menu, voltar, atendente and the words that close mean the same everywhere', () => {
    const flow = graphOf([menu({ v: 'n', s: 'p' }), menu({ v: 'p', s: 'p' }, 'n'), person], { closeWords: ['sair'] })
    const one = talk(flow)
    one.begin()
    one.say('vendas')
    expect(one.say('Voltar')).toEqual(['Escolha:'])
    expect(one.state().nodeId).toBe('m')
    expect(one.say('MENU')).toEqual(['Escolha:'])
    const other = talk(flow)
    other.begin()
    other.say('atendente')
    expect(other.end()).toMatchObject({ to: 'person', why: 'asked' })
    const third = talk(flow)
    third.begin()
    third.say('sair')
    expect(third.end()).toMatchObject({ to: 'closed', why: 'words' })
  })

  test('a grade is taken by its number or its words', () => {
    const one = talk(graphOf([node('rating', 'r', {}, { next: 'p' }), person]))
    expect(one.begin()).toEqual(['Que nota?'])
    expect(one.say('9')).toEqual(['Uma nota, por favor.', 'Que nota?'])
    one.say('nota 3')
    expect(one.effects()).toContainEqual(expect.objectContaining({ kind: 'rate', grade: 3 }))
  })

  test('the word that began it begins it anew where it is no answer', () => {
    const settings = { keywords: [{ text: 'Catálogo', mode: 'contains' as const }] }
    const ask = node('ask', 'q', { body: 'Quantos?', as: 'number' }, { next: 'p' })
    const one = talk(graphOf([text('a', 'Oi!', { next: 'q' }), ask, person], settings))
    expect(one.begin('quero o catalogo')).toEqual(['Oi!', 'Quantos?'])
    expect(one.say('não sei')).toEqual(['Escreva só o número, por favor.'])
    expect(one.say('Quero o catálogo!')).toEqual(['Oi!', 'Quantos?'])
    expect(one.state().tries).toBe(0)
  })

  test('what was asked and answered is kept as whoever takes over reads it', () => {
    const flow = graphOf([
      node('ask', 'n', { body: 'Seu nome?', variable: 'nome' }, { next: 'd' }),
      node('ask', 'd', { body: 'Quando nasceu, {{var.nome}}?', as: 'date', variable: 'dia' }, { next: 'r' }),
      node('rating', 'r', {}, { next: 'p' }),
      person,
    ])
    const one = talk(flow)
    one.begin()
    for (const text of ['Ana', '5/3/1990', '3']) one.say(text)
    expect(one.state().vars.dia).toBe('1990-03-05')
    expect(one.state().answers.map(({ question, answer }) => [question, answer])).toEqual([
      ['Seu nome?', 'Ana'],
      ['Quando nasceu, Ana?', '05/03/1990'],
      ['Que nota?', '3'],
    ])
  })

  test.each([
    ['1', 1],
    ['⭐⭐⭐⭐', 4],
    ['5, adorei', 5],
    ['otmo', 5],
    ['uma', 1],
    ['quero o 2', 2],
  ])('on a channel without lists the best grade first is read by its number: %j', (text, grade) => {
    const labels = ['Péssimo', 'Ruim', 'Regular', 'Bom', 'Ótimo']
    const grades = [5, 4, 3, 2, 1].map((value) => ({ value, label: labels[value - 1] ?? '' }))
    const rating = { question: 'Que nota?', retry: '', grades }
    const one = talk(graphOf([node('rating', 'r', {}, { next: 'p' }), person]), {
      rating,
      abilities: abilitiesOf('sms', {}),
    })
    expect(one.begin()).toEqual(['Que nota?\n\n5 – Ótimo\n4 – Bom\n3 – Regular\n2 – Ruim\n1 – Péssimo'])
    one.say(text)
    expect(one.effects()).toContainEqual(expect.objectContaining({ kind: 'rate', grade }))
  })
})

describe('time', () => {
  const silent = {
    silence: { minutes: 10, warning: 'Ainda está aí?', message: 'Até logo.', to: { kind: 'close', id: '' } },
  }
  test('silence is warned of at half its time, and then leads where it is to', () => {
    const one = talk(graphOf([menu({ v: 'p', s: 'p' }), person], silent))
    one.begin()
    expect(dueOf(one.state())).toBe('2026-11-23T15:05:00.000Z')
    expect(one.after(4)).toEqual([])
    expect(one.after(1)).toEqual(['Ainda está aí?'])
    expect(dueOf(one.state())).toBe('2026-11-23T15:10:00.000Z')
    expect(one.after(5)).toEqual(['Até logo.'])
    expect(one.end()).toMatchObject({ to: 'closed', why: 'silence' })
  })

  test('it waits for a time of the day, an event or the customer, whichever comes first', () => {
    const wait = node(
      'wait',
      'w',
      { minutes: 60, clock: '09:00', event: 'pago' },
      { next: 'a', answer: 'b', event: 'c' },
    )
    const flow = graphOf([wait, text('a', 'A'), text('b', 'B'), text('c', 'C {{var.valor}}')])
    const byTime = talk(flow)
    byTime.begin()
    expect(dueOf(byTime.state())).toBe('2026-11-24T12:00:00.000Z')
    expect(byTime.after(60 * 21)).toEqual(['A'])
    const byWord = talk(flow)
    byWord.begin()
    expect(byWord.say('oi?')).toEqual(['B'])
    const byEvent = talk(flow)
    byEvent.begin()
    expect(byEvent.go({ kind: 'told', event: 'outro', vars: {} })).toEqual([])
    expect(byEvent.go({ kind: 'told', event: 'pago', vars: { valor: '10' } })).toEqual(['C 10'])
  })

  test('a pause keeps what the customer writes for later', () => {
    const one = talk(graphOf([node('delay', 'd', { seconds: 3 }, { next: 'm' }), menu({ v: 'p', s: 'p' }), person]))
    one.begin()
    expect(isListening(one.state())).toBe(false)
    expect(one.say('vendas')).toEqual([])
    expect(one.after(1)).toEqual(['Escolha:'])
  })
})

describe('by itself', () => {
  test('conditions see what the steps before them changed', () => {
    const tag = node('action', 'a', { actions: [{ kind: 'addContactTags', tagIds: ['t'] }] }, { next: 'c' })
    const rules = { match: 'all', rules: [{ field: 'tags', op: 'any', value: ['t'] }] }
    const branches = [{ id: 'yes', label: '', match: 'all' as const, tests: [{ on: 'contact' as const, rules }] }]
    const condition = node('condition', 'c', { branches }, { yes: 'y', else: 'n' })
    const one = talk(graphOf([tag, condition, text('y', 'sim'), text('n', 'não')]))
    one.begin()
    expect(one.log.map(({ status }) => status)).toEqual(['more', 'ended'])
  })

  test('what the customer never interrupts ends with a person after fifty steps', () => {
    const one = talk(graphOf([text('a', 'A', { next: 'b' }), text('b', 'B', { next: 'a' })]))
    expect(one.begin()).toHaveLength(mostAutomatic - 1)
    expect(one.end()).toMatchObject({ to: 'person', why: 'loop' })
  })

  test('another flow is gone through and comes back, on the version it was entered with', () => {
    const inner = graphOf([menu({ v: 'x', s: 'x' }), text('x', 'dentro')])
    const outer = graphOf([node('flow', 'f', { flowId: 'v2' }, { next: 'b' }), text('b', 'fora')])
    const one = talk({ v1: outer, v2: inner })
    expect(one.begin()).toEqual(['Escolha:'])
    expect(one.state().versionId).toBe('v2')
    expect(one.say('1')).toEqual(['dentro', 'fora'])
    expect(one.end()).toMatchObject({ why: 'through' })
  })

  test('a charge waits for its picture where the channel takes one, and goes without it where none came', () => {
    const flow = graphOf([node('pix', 'p', { amount: '10' }, { next: 'a' }), text('a', 'fim')])
    const charged = (takesPictures: boolean, drawn: { ok: boolean; vars: Record<string, string> }) => {
      const one = talk(flow)
      if (!takesPictures) Object.assign(one.world, { abilities: abilitiesOf('sms', {}) })
      one.begin()
      const { wait } = one.state()
      if (wait?.for === 'call') one.go({ kind: 'called', id: wait.id, ...drawn })
      return one.effects().flatMap((effect) => (effect.kind === 'pix' ? [effect.pictureId] : effect.kind))
    }
    expect(charged(false, { ok: false, vars: {} })).toEqual([null, 'say'])
    expect(charged(true, { ok: true, vars: { picture: 'f1' } })).toEqual(['draw', 'f1', 'say'])
    expect(charged(true, { ok: false, vars: {} })).toEqual(['draw', null, 'say'])
  })

  test('a system is asked, and what it answers becomes variables', () => {
    const call = node('http', 'h', { url: 'https://x.example' }, { next: 'a', failed: 'b' })
    const flow = graphOf([call, text('a', 'Pedido {{var.pedido}}'), text('b', 'Fora do ar')])
    const one = talk(flow)
    one.begin()
    const { wait } = one.state()
    expect(wait).toMatchObject({ for: 'call' })
    const id = wait?.for === 'call' ? wait.id : ''
    expect(one.say('alô?')).toEqual([])
    expect(one.go({ kind: 'called', id: 'another', ok: true, vars: {} })).toEqual([])
    expect(one.go({ kind: 'called', id, ok: true, vars: { pedido: '42' } })).toEqual(['Pedido 42'])
    const other = talk(flow)
    other.begin()
    expect(other.go({ kind: 'called', id, ok: false, vars: {} })).toEqual(['Fora do ar'])
  })

  test('variables are computed, compared, and shares are kept', () => {
    const sets = [
      { name: 'total', as: 'number' as const, value: 'qtd * 12,5 + 1' },
      { name: 'frase', as: 'text' as const, value: 'São {{var.total}}' },
    ]
    const tests = [{ on: 'variable' as const, name: 'total', op: 'above' as const, value: '25' }]
    const flow = graphOf([
      node('ask', 'q', { body: 'Quantos?', as: 'number', variable: 'qtd' }, { next: 's' }),
      node('set', 's', { sets }, { next: 'c' }),
      node('condition', 'c', { branches: [{ id: 'b', label: '', match: 'all', tests }] }, { b: 'a', else: 'p' }),
      text('a', '{{var.frase}}', { next: 'ab' }),
      node(
        'split',
        'ab',
        {
          branches: [
            { id: 'x', label: '', weight: 1 },
            { id: 'y', label: '', weight: 1 },
          ],
        },
        { x: 'p', y: 'p' },
      ),
      person,
    ])
    const one = talk(flow)
    one.begin()
    expect(one.say('2')).toEqual(['São 26'])
    const ways = Array.from({ length: 400 }, (_, n) => {
      const run = talk(flow, { runId: `r${n}` })
      run.begin()
      run.say('2')
      return run.path().find((step) => step.startsWith('ab:'))
    })
    const share = ways.filter((way) => way === 'ab:x').length / ways.length
    expect(share).toBeGreaterThan(0.4)
    expect(share).toBeLessThan(0.6)
  })
})

describe('random flows and random customers', () => {
  const ids = Array.from({ length: 8 }, (_, n) => `n${n}`)
  const target = fc.option(fc.constantFrom(...ids), { nil: undefined })
  const ports = (...names: string[]) =>
    fc
      .tuple(...names.map(() => target))
      .map((to) => Object.fromEntries(names.flatMap((name, at) => (to[at] ? [[name, to[at]]] : []))))
  const shaped = (id: string): fc.Arbitrary<FlowNode> =>
    fc.oneof(
      ports('next').map((next) => text(id, id, next)),
      ports('v', 's', 'other', 'silence').map((next) => menu(next, id)),
      ports('next', 'invalid', 'silence').map((next) =>
        node('ask', id, { body: '?', as: 'number', variable: 'n' }, next),
      ),
      ports('next').map((next) => node('delay', id, {}, next)),
      ports('next', 'answer', 'event').map((next) => node('wait', id, { event: 'e' }, next)),
      ports('next', 'failed').map((next) => node('http', id, {}, next)),
      ports('next', 'none').map((next) => node('calendar', id, { calendarId: 'c' }, next)),
      ports('next', 'handOver', 'failed', 'silence').map((next) => node('assistant', id, { assistantId: 'a' }, next)),
      ports('next', 'failed').map((next) => node('action', id, { actions: [{ kind: 'markRead' }] }, next)),
      ports('x', 'y').map((next) =>
        node('split', id, { branches: ['x', 'y'].map((one) => ({ id: one, label: '', weight: 1 })) }, next),
      ),
      fc.constantFrom(...ids).map((to) => node('jump', id, { to })),
      fc.constant(node('handOver', id)),
      fc.constant(node('close', id)),
      ports('next').map((next) => node('flow', id, { flowId: 'v1' }, next)),
      ports('next').map((next) => node('rating', id, {}, next)),
    )
  const destination = fc.option(
    fc.constantFrom(...ids).map((id) => ({ kind: 'node' as const, id })),
    { nil: null },
  )
  const flows = fc.tuple(fc.tuple(...ids.map(shaped)), destination, destination, fc.boolean())
  const events = fc.array(
    fc.oneof(
      fc
        .constantFrom('1', 'vendas', 'xyz', 'voltar', 'menu', '7', 'sair', 'atendente')
        .map((words) => ({ is: 'said' as const, words })),
      fc.constant({ is: 'time' as const }),
      fc.boolean().map((ok) => ({ is: 'called' as const, ok })),
      fc
        .constantFrom('handOver', 'budget', 'silence', 'words', 'taken')
        .map((port) => ({ is: 'called' as const, ok: true, port })),
      fc.constantFrom([], ['2026-11-24T12:00:00.000Z']).map((times) => ({ is: 'called' as const, ok: true, times })),
      fc.constant({ is: 'told' as const }),
    ),
    { maxLength: 40 },
  )

  test('never stuck: it waits for the customer, a moment or an answer, or it is over; what it does has its own name', () => {
    fc.assert(
      fc.property(flows, events, ([nodes, retriesTo, silenceTo, warns], customer) => {
        const one = talk(
          graphOf([...nodes], {
            retries: { most: 2, to: retriesTo },
            silence: { minutes: 10, to: silenceTo, message: '', warning: warns ? 'Oi?' : '' },
            closeWords: ['sair'],
          }),
        )
        one.begin()
        for (const event of customer) {
          if (one.end()) break
          const { wait } = one.state()
          expect(wait).not.toBeNull()
          if (wait?.for !== 'call') expect(dueOf(one.state())).not.toBeNull()
          if (event.is === 'said') one.say(event.words)
          else if (event.is === 'time') one.after(6)
          else if (event.is === 'told') one.go({ kind: 'told', event: 'e', vars: {} })
          else one.go({ ...event, kind: 'called', id: wait?.for === 'call' ? wait.id : 'none', vars: {} })
        }
        const names = one.effects().map(({ stepId }) => stepId)
        expect(new Set(names).size).toBe(names.length)
        expect(one.state().automatic).toBeLessThanOrEqual(mostAutomatic)
        const ended = one.log.findIndex(({ end }) => end)
        expect(ended === -1 || ended === one.log.length - 1).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test('the same run, event and world come to the same', () => {
    fc.assert(
      fc.property(flows, ([nodes]) => {
        const graph = graphOf([...nodes])
        const { world } = talk(graph)
        const event = { kind: 'begin' as const, said: [said('oi')] }
        expect(advance(newRun('v1'), event, world)).toEqual(advance(newRun('v1'), event, world))
      }),
      { numRuns: 100 },
    )
  })
})

describe('an assistant is lent the conversation', () => {
  const lending = (next: Record<string, string>, settings: object = {}) =>
    talk(
      graphOf(
        [
          node('assistant', 'ia', { assistantId: 'a1', variable: 'resposta' }, next),
          node('message', 'fim', {
            parts: [{ kind: 'text', body: 'Disse {{var.resposta}}.', mediaId: null, interactive: null }],
          }),
          node('close', 'tchau'),
        ],
        settings,
      ),
    )
  const back = (one: ReturnType<typeof talk>, port: string, vars = {}) => {
    const { wait } = one.state()
    return one.go({ kind: 'called', id: wait?.for === 'call' ? wait.id : '', ok: port === 'next', port, vars })
  }

  test('and goes on by what comes of it, with what the bot has kept', () => {
    const one = lending({ next: 'fim', failed: 'tchau' })
    one.begin()
    expect(one.effects()).toMatchObject([
      { kind: 'lend', loan: { assistantId: 'a1', now: true, silenceMinutes: 10, handsOver: true } },
    ])
    expect(one.say('quanto custa?')).toEqual([])
    expect(back(one, 'next', { resposta: 'dez', cidade: 'Santos' })).toEqual(['Disse dez.'])
    expect(one.state().vars).toMatchObject({ cidade: 'Santos' })
    const other = lending({ next: 'fim', failed: 'tchau' })
    other.begin()
    back(other, 'failed')
    expect(other.end()).toMatchObject({ to: 'closed', why: 'step' })
  })

  test('a person goes on where no way is drawn for what came of it', () => {
    for (const [port, why] of [
      ['handOver', 'assistant'],
      ['budget', 'assistant'],
      ['failed', 'assistant'],
      ['silence', 'silence'],
    ] as const) {
      const one = lending({ next: 'fim' })
      one.begin()
      back(one, port)
      expect(one.end()).toMatchObject({ to: 'person', why })
      expect(one.path().at(-1)).toBe(`ia:${port}`)
    }
  })

  test('words that mean the same everywhere take it back', () => {
    const one = lending({ next: 'fim' })
    one.begin()
    one.say('menu')
    expect(one.effects().filter(({ kind }) => kind === 'lend')).toHaveLength(2)
    one.say('atendente')
    expect(one.end()).toMatchObject({ to: 'person', why: 'asked' })
    const other = lending({ next: 'fim' })
    other.begin()
    back(other, 'words', { mensagem: 'Humano!' })
    expect(other.end()).toMatchObject({ to: 'person', why: 'asked' })
  })
})

test('a calendar offers its times, books the chosen one and goes on by what comes of it', () => {
  const times = ['2026-11-24T12:00:00.000Z', '2026-11-24T17:30:00.000Z']
  const calendar = () =>
    talk(
      graphOf([
        node('calendar', 'c', { calendarId: 'g', body: 'Qual?', variable: 'hora' }, { next: 'ok', none: 'n' }),
        node('message', 'ok', {
          parts: [{ kind: 'text', body: 'Até {{var.hora}}', mediaId: null, interactive: null }],
        }),
        node('close', 'n'),
      ]),
    )
  const told = (one: ReturnType<typeof talk>, more: object) => {
    const { wait } = one.state()
    return one.go({ kind: 'called', id: wait?.for === 'call' ? wait.id : '', ok: true, vars: {}, ...more })
  }
  const one = calendar()
  one.begin()
  expect(told(one, { times })).toEqual(['Qual?'])
  expect(one.say('amanhã não posso')).toContain('Qual?')
  one.say('14h30')
  expect(one.effects().at(-1)).toMatchObject({ kind: 'calendar', at: times[1] })
  expect(told(one, { port: 'taken' })).toEqual(['Esse horário acabou de ser ocupado.'])
  told(one, { times: times.slice(0, 1) })
  one.say(said('seg', { choiceId: 'flow:c:2026-11-24T12_00_00.000Z' }))
  expect(told(one, { port: 'next' })).toEqual(['Até ter 24/11, 09:00'])
  const full = calendar()
  full.begin()
  told(full, { times: [] })
  expect(full.end()).toMatchObject({ to: 'closed' })
  const broken = calendar()
  broken.begin()
  told(broken, { ok: false, port: 'failed' })
  expect(broken.end()).toMatchObject({ to: 'person', why: 'calendar' })
})
