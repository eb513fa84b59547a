import { expect, test } from 'vitest'
import { abilitiesOf } from '../../../channels/index.ts'
import { advance, newRun } from '../engine.ts'
import { type FlowNode, isDrawing, portsOf } from '../graph.ts'
import { problemsIn } from '../problems.ts'
import type { FlowWorld, Said } from '../run.ts'
import { readyFlows } from './index.ts'

const channel = {
  label: 'WhatsApp',
  supports: ['text' as const, 'buttons' as const, 'list' as const, 'image' as const],
  buttonLimits: undefined,
  textLimits: { text: 4_096, caption: 1_024 },
}
const asText = (text: string): Said => ({ text, type: 'text', choiceId: null, fileId: 'file', location: null })
const answers: Record<string, string> = {
  ...{
    text: 'Bairro Centro',
    name: 'Ana Maria',
    email: 'ana@exemplo.com',
    cpf: '529.982.247-25',
    cnpj: '11.222.333/0001-81',
  },
  ...{ phone: '(11) 98765-4321', date: '25/12/2026', number: '7', file: '', location: '' },
}

test('there are at least ten, each under its own name', () => {
  expect(readyFlows.length).toBeGreaterThanOrEqual(10)
  expect(new Set(readyFlows.map(({ key }) => key)).size).toBe(readyFlows.length)
})

test.each(readyFlows)('$name is drawn from left to right, no step upon another', ({ graph }) => {
  const { nodes } = graph()
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const leftward = nodes.flatMap((node) =>
    Object.values(node.next).flatMap((to) => ((byId.get(to)?.x ?? 0) > node.x ? [] : `${node.id} → ${to}`)),
  )
  expect(leftward).toEqual([])
  const heightOf = (node: FlowNode) => 90 + portsOf(node).length * 26
  const covered = nodes.flatMap((a) =>
    nodes.flatMap((b) =>
      a.id !== b.id && a.x === b.x && a.y <= b.y && a.y + heightOf(a) > b.y ? `${a.id} ${b.id}` : [],
    ),
  )
  expect(covered).toEqual([])
})

test.each(readyFlows)('$name runs as it is, whichever options are chosen', ({ graph }) => {
  const flow = graph()
  expect(problemsIn(flow, [channel as never])).toEqual([])
  const world = {
    ...{
      now: new Date('2026-11-23T15:00:00Z'),
      timezone: 'America/Sao_Paulo',
      runId: 'r',
      segments: new Map(),
      contact: {},
    },
    ...{ graphOf: () => flow, publishedOf: () => undefined, isOpen: () => true, fill: (text: string) => text },
    abilities: abilitiesOf('waba', {}),
    ticket: {
      queueId: null,
      connectionId: 'c',
      channel: 'waba',
      priority: 'normal',
      tagIds: [],
      isFirst: true,
    },
    rating: { question: 'Nota?', retry: '', grades: [1, 2, 3, 4, 5].map((value) => ({ value, label: `${value}` })) },
  } as unknown as FlowWorld
  const byId = new Map(flow.nodes.map((node) => [node.id, node]))
  const seen = new Set<string>()
  for (let way = 0; way < 24; way += 1) {
    let run = advance(newRun('v'), { kind: 'begin', said: [asText('oi')] }, world)
    for (let words = 0; words < 30 && run.status !== 'ended'; words += 1) {
      const node = byId.get(run.state.nodeId)
      const title =
        node?.kind === 'menu' ? node.data.options[(way >> (words % 3)) % node.data.options.length]?.title : undefined
      const text = title ?? (node?.kind === 'ask' ? answers[node.data.as] : String(1 + (way % 5))) ?? ''
      run =
        run.status === 'more'
          ? advance(run.state, { kind: 'on' }, world)
          : advance(run.state, { kind: 'said', said: [asText(text)] }, world)
      for (const { note } of run.steps) expect(note).not.toMatch(/^Não entendido/)
    }
    expect(run.end?.why).toBe('step')
  }
  // Every step by some way: each answer of each question, nobody's answer, and nonsense; while it is open, and while it is not.
  for (const isOpen of [true, false])
    for (const isFirst of [true, false]) {
      const here = { ...world, isOpen: () => isOpen, ticket: { ...world.ticket, isFirst } }
      const stood = new Set<string>()
      const left = [advance(newRun('v'), { kind: 'begin', said: [asText('oi')] }, here)]
      for (let run = left.pop(); run; run = left.pop()) {
        for (const { nodeId } of run.steps) seen.add(nodeId)
        const { state, status } = run
        if (status === 'ended') continue
        if (status === 'more') {
          left.push(advance(state, { kind: 'on' }, here), advance(state, { kind: 'on', failed: true }, here))
          continue
        }
        const key = `${state.nodeId} ${state.tries}`
        if (stood.has(key)) continue
        stood.add(key)
        const node = byId.get(state.nodeId)
        const titles = node?.kind === 'menu' ? node.data.options.map(({ title }) => title) : []
        const good = node?.kind === 'ask' ? answers[node.data.as] : undefined
        for (const text of [...titles, ...(good === undefined ? ['1', '5'] : [good]), 'xyzw'])
          left.push(advance(state, { kind: 'said', said: [asText(text)] }, here))
        const later = { ...here, now: new Date('2027-11-23T15:00:00Z') }
        left.push(advance(state, { kind: 'due' }, later))
        const { wait } = state
        if (wait?.for === 'call')
          for (const ok of [true, false]) left.push(advance(state, { kind: 'called', id: wait.id, ok, vars: {} }, here))
      }
    }
  const steps = flow.nodes.filter(({ kind }) => !isDrawing(kind)).map(({ id }) => id)
  expect(steps.filter((id) => !seen.has(id))).toEqual([])
})
