import type { Abilities } from '../../channels/abilities.ts'
import { segmentRules } from '../../contacts/segments/segments.ts'
import { action } from '../../conversations/actions/index.ts'
import { carriedAs, insteadOf, needsRequests, requestProblems } from '../../conversations/interactive.ts'
import { partProblems } from '../../conversations/parts.ts'
import { placeholdersIn } from '../../variables.ts'
import { menuPart } from './choices.ts'
import type { FlowProblem } from './flows.ts'
import {
  type Destination,
  type FlowGraph,
  type FlowNode,
  type FlowTest,
  isDrawing,
  type NodeData,
  nodeLabels,
  portsOf,
  variableName,
} from './graph.ts'
import { namesIn } from './numbers.ts'
import { loopsIn, reachableFrom } from './paths.ts'
import { requestOf } from './requests.ts'

/** A channel on which the flow starts, or may come to one day: as long as it starts on none, it may come to any. */
export type FlowChannel = Pick<Abilities, 'supports' | 'buttonLimits' | 'textLimits'> & {
  label: string
  isPossible?: boolean
}
type Found = { path: string; message: string; level?: FlowProblem['level'] }

/**
 * What is wrong with a flow, at its steps, as far as it can be known without the company's rows: errors keep it from being
 * published, warnings are told. `channels`: where it starts, for what they cannot do. `isCalled`: another flow passes
 * through it, and brings its variables.
 */
export const problemsIn = (
  graph: FlowGraph,
  channels: readonly FlowChannel[] = [],
  isCalled = false,
): FlowProblem[] => {
  const { nodes, settings } = graph
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const reached = reachableFrom(graph)
  const variables = variablesOf(graph)
  const mayHaveMore =
    isCalled ||
    nodes.some((node) => node.kind === 'flow' || node.kind === 'assistant' || (node.kind === 'wait' && node.data.event))
  const at = (nodeId: string | null, found: Found[]): FlowProblem[] =>
    found.map(({ level = 'error', ...one }) => ({ nodeId, level, ...one }))
  const ofNodes = nodes.flatMap((node) =>
    at(node.id, [
      ...dataProblems(node),
      ...lineProblems(node, byId),
      ...textProblems(node.data, '', variables, mayHaveMore),
      ...(isDrawing(node.kind) || reached.has(node.id)
        ? []
        : [{ path: '', message: 'Nenhum caminho chega a este passo.', level: 'warning' as const }]),
      ...channelsProblems(node, channels),
      ...styleProblems(node, channels),
    ]),
  )
  const ofLoops = loopsIn(graph).flatMap(({ path, isSlow }) =>
    at(path[0] ?? null, [
      {
        path: '',
        message: `${isSlow ? 'Repete-se sem o cliente escrever' : 'Volta sem fim, sem o cliente escrever'}: ${[
          ...path,
          path[0] ?? '',
        ]
          .map((id) => titleOf(byId.get(id)))
          .join(' → ')}.`,
        level: isSlow ? 'warning' : 'error',
      },
    ]),
  )
  return [
    ...ofNodes,
    ...ofLoops,
    ...at(null, [...settingsProblems(settings, byId), ...textProblems(settings, '', variables, mayHaveMore)]),
  ]
}

/** What a step is called in a sentence. */
export const titleOf = (node: FlowNode | undefined): string =>
  node ? node.name || nodeLabels[node.kind] : 'passo excluído'

/** Every variable the flow itself sets, by its name. */
export const variablesOf = ({ nodes }: Pick<FlowGraph, 'nodes'>): string[] => [
  ...new Set(['mensagem', ...nodes.flatMap(setBy)].filter(Boolean)),
]
const setBy = (node: FlowNode): string[] => {
  switch (node.kind) {
    case 'menu':
    case 'ask':
    case 'request':
    case 'calendar':
    case 'assistant':
      return [node.data.variable]
    case 'rating':
      return ['nota']
    case 'set':
      return node.data.sets.map(({ name }) => name)
    case 'http':
      return node.data.saves.map(({ name }) => name)
    default:
      return []
  }
}

const lineProblems = (node: FlowNode, byId: ReadonlyMap<string, FlowNode>): Found[] =>
  portsOf(node).flatMap(({ id, label, isOptional }) => {
    const to = node.next[id]
    if (to !== undefined)
      return byId.has(to) ? [] : [{ path: `next.${id}`, message: `“${label}” leva a um passo que não existe mais.` }]
    // Where nothing follows, the flow is through and a person goes on.
    if (isOptional || (id === 'next' && node.kind !== 'start')) return []
    return [
      {
        path: `next.${id}`,
        message: node.kind === 'start' ? 'Ligue o início ao primeiro passo.' : `“${label}” não leva a lugar nenhum.`,
      },
    ]
  })

const dataProblems = (node: FlowNode): Found[] => {
  switch (node.kind) {
    case 'message':
      return node.data.parts.length
        ? partProblems(node.data.parts).filter(isNotOfVariables)
        : [{ path: 'parts', message: 'Escreva um texto ou escolha um arquivo.' }]
    case 'menu':
      return [
        ...empty('body', node.data.body, 'Escreva a pergunta.'),
        ...menuProblems(node),
        ...named('variable', node.data.variable),
      ]
    case 'ask':
      return [...empty('body', node.data.body, 'Escreva a pergunta.'), ...named('variable', node.data.variable)]
    case 'request':
      return [
        ...empty('body', node.data.body, 'Escreva a mensagem.'),
        ...askedProblems(node.data),
        ...named('variable', node.data.variable),
      ]
    case 'condition':
      return [
        ...(node.data.branches.length ? [] : [{ path: 'branches', message: 'Adicione pelo menos um caminho.' }]),
        ...node.data.branches.flatMap(({ tests }, n) => testProblems(tests, `branches.${n}.tests`)),
      ]
    case 'split':
      return node.data.branches.some(({ weight }) => weight > 0)
        ? []
        : [{ path: 'branches', message: 'Dê peso a pelo menos um caminho.' }]
    case 'set':
      return [
        ...(node.data.sets.length ? [] : [{ path: 'sets', message: 'Adicione uma variável.' }]),
        ...node.data.sets.flatMap(({ name, as, value }, n) => [
          ...(name ? named(`sets.${n}.name`, name) : [{ path: `sets.${n}.name`, message: 'Dê um nome à variável.' }]),
          ...(as === 'number' && !namesIn(value)
            ? [{ path: `sets.${n}.value`, message: 'Esta conta não está certa.' }]
            : []),
        ]),
      ]
    case 'action':
      return node.data.actions.length
        ? node.data.actions.flatMap((one, n) =>
            (action.safeParse(one).error?.issues ?? [])
              .map(({ path, message }) => ({ path: ['actions', n, ...path].join('.'), message }))
              .filter(isNotOfVariables),
          )
        : [{ path: 'actions', message: 'Escolha pelo menos uma ação.' }]
    case 'http':
      return [
        ...(/^https?:\/\/[^\s]+$/i.test(node.data.url)
          ? []
          : [{ path: 'url', message: 'Informe o endereço, começando por https://.' }]),
        ...node.data.saves.flatMap(({ name, path }, n) => [
          ...empty(`saves.${n}.path`, path, 'Diga qual campo da resposta.'),
          ...(name ? named(`saves.${n}.name`, name) : [{ path: `saves.${n}.name`, message: 'Dê um nome à variável.' }]),
        ]),
      ]
    case 'calendar':
      return [
        ...empty('calendarId', node.data.calendarId, 'Escolha a agenda.'),
        ...empty('body', node.data.body, 'Escreva a pergunta.'),
        ...empty('title', node.data.title, 'Dê um título ao evento.'),
        ...named('variable', node.data.variable),
      ]
    case 'assistant':
      return [
        ...empty('assistantId', node.data.assistantId, 'Escolha o assistente.'),
        ...named('variable', node.data.variable),
      ]
    case 'flow':
      return empty('flowId', node.data.flowId, 'Escolha o fluxo.')
    case 'jump':
      return empty('to', node.data.to, 'Escolha o passo.')
    case 'pix':
      return [
        ...empty('key', node.data.key, 'Informe a chave Pix.'),
        ...empty('name', node.data.name, 'Informe quem recebe.'),
        ...empty('city', node.data.city, 'Informe a cidade de quem recebe.'),
        ...(node.data.amount.trim() && !namesIn(node.data.amount)
          ? [{ path: 'amount', message: 'Este valor não está certo.' }]
          : []),
      ]
    case 'foreign':
      return [
        {
          path: '',
          message: `Este passo veio de outro sistema (${node.data.type}) e é pulado. Troque-o por um dos nossos.`,
          level: 'warning',
        },
      ]
    default:
      return []
  }
}

/** Those are looked for in every text alike, with what the flow itself sets. */
const isNotOfVariables = ({ message }: Found) => !message.startsWith('A variável')
const empty = (path: string, value: string, message: string): Found[] => (value.trim() ? [] : [{ path, message }])
const named = (path: string, name: string): Found[] =>
  name && !variableName.test(name)
    ? [{ path, message: 'Use letras sem acento, números e _ no nome da variável, começando por letra.' }]
    : []

/** A variable of a link stands for what it will be. */
const askedProblems = (data: NodeData<'request'>): Found[] => {
  const asked = requestOf({ ...data, url: data.url.replace(/\{\{[^{}]*\}\}/g, 'x') })
  return requestProblems({ ...asked, kind: data.asks }, data.body).map(({ path, message }) => ({
    path: path.replace('interactive.', ''),
    message,
  }))
}

const menuProblems = ({ data: { options } }: FlowNode<'menu'>): Found[] => {
  if (!options.length) return [{ path: 'options', message: 'Escreva pelo menos uma opção.' }]
  const titles = options.map(({ title }) => title.trim().toLowerCase())
  return options.flatMap(({ title }, n) => {
    if (!title.trim()) return [{ path: `options.${n}.title`, message: 'Escreva a opção.' }]
    return titles.indexOf(titles[n] ?? '') < n
      ? [{ path: `options.${n}.title`, message: 'Escreva opções diferentes.' }]
      : []
  })
}

const testProblems = (tests: readonly FlowTest[], at: string): Found[] => {
  if (!tests.length) return [{ path: at, message: 'Adicione uma condição a este caminho.' }]
  return tests.flatMap((test, n) => testProblem(test, `${at}.${n}`))
}
const testProblem = (test: FlowTest, path: string): Found[] => {
  switch (test.on) {
    case 'variable':
      return empty(`${path}.name`, test.name, 'Escolha a variável.')
    case 'segment':
      return empty(`${path}.segmentId`, test.segmentId, 'Escolha o segmento.')
    case 'ticket': {
      const isChosen = test.field === 'isFirst' || test.values.length > 0
      return isChosen ? [] : [{ path: `${path}.values`, message: 'Escolha pelo menos um valor.' }]
    }
    case 'contact': {
      const { data, error } = segmentRules.safeParse(test.rules)
      if (!data) return [{ path: `${path}.rules`, message: error.issues[0]?.message ?? 'Condição inválida.' }]
      return data.rules.length ? [] : [{ path: `${path}.rules`, message: 'Adicione uma condição.' }]
    }
  }
}

const settingsProblems = (settings: FlowGraph['settings'], byId: ReadonlyMap<string, FlowNode>): Found[] => {
  const { retries, silence, outOfHours, firstContact, person } = settings
  const goals: [string, Destination | null][] = [
    ['retries.to', retries.to],
    ['silence.to', silence.to],
    ['outOfHours.to', outOfHours.to],
    ['firstContact', firstContact],
    ['person', person],
  ]
  return [
    ...goals.flatMap(([path, to]) => {
      if (!to || to.kind === 'close') return []
      if (!to.id) return [{ path, message: 'Escolha o destino.' }]
      return to.kind === 'node' && !byId.has(to.id) ? [{ path, message: 'O passo de destino não existe mais.' }] : []
    }),
    ...(outOfHours.does === 'destination' && !outOfHours.to
      ? [{ path: 'outOfHours.to', message: 'Escolha o destino.' }]
      : []),
  ]
}

/** Placeholders in any text of a step that stand for nothing. */
const textProblems = (value: unknown, path: string, variables: readonly string[], mayHaveMore: boolean): Found[] => {
  if (typeof value === 'string')
    return placeholdersIn(value).flatMap(({ name, isKnown }): Found[] => {
      if (!name.startsWith('var.')) return isKnown ? [] : [{ path, message: `A variável {{${name}}} não existe.` }]
      if (variables.includes(name.slice(4))) return []
      return [
        {
          path,
          message: `A variável {{${name}}} não é definida neste fluxo.`,
          level: mayHaveMore ? 'warning' : 'error',
        },
      ]
    })
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) =>
    textProblems(one, path ? `${path}.${key}` : key, variables, mayHaveMore),
  )
}

/** What is the same on several channels is told once; of channels it may never come to, it only warns. */
const channelsProblems = (node: FlowNode, channels: readonly FlowChannel[]): Found[] => {
  const all = channels.flatMap((channel) =>
    channelProblems(node, channel).map((found) => ({ found, label: channel.label })),
  )
  const alike = Map.groupBy(all, ({ found: { path, message, level } }) => `${path} ${level} ${message}`)
  return [...alike.values()].flatMap((some) => {
    const [first] = some
    if (!first) return []
    const { level, message, ...found } = first.found
    const mayBeElsewhere = some.length < channels.length && channels.every(({ isPossible }) => isPossible)
    const labels = listed(some.map(({ label }) => label))
    return { ...found, level: mayBeElsewhere ? ('warning' as const) : level, message: `${labels}: ${message}` }
  })
}
const listed = (labels: readonly string[]) => new Intl.ListFormat('pt-BR').format(labels)

const channelProblems = (node: FlowNode, { supports, textLimits }: FlowChannel): Found[] => {
  const tooLong = (path: string, body: string, most: number): Found[] =>
    body.length > most
      ? [{ path, message: `o texto passa dos ${most.toLocaleString('pt-BR')} caracteres que o canal leva.` }]
      : []
  if (node.kind === 'message')
    return node.data.parts.flatMap((part, n) => {
      const path = `parts.${n}`
      const type = part.kind === 'voice' ? 'audio' : 'document'
      const isCarried =
        part.kind === 'text' || part.kind === 'choices' || supports.includes(type) || supports.includes('image')
      return [
        ...(isCarried ? [] : [{ path, message: 'o canal não leva arquivos.' }]),
        ...tooLong(`${path}.body`, part.body, part.kind === 'file' ? textLimits.caption : textLimits.text),
      ]
    })
  if (node.kind === 'ask') return tooLong('body', node.data.body, textLimits.text)
  if (node.kind === 'request') {
    if (supports.includes('requests')) return []
    const isSaid = !needsRequests(requestOf(node.data))
    const message = isSaid ? 'sem este botão, vai como texto.' : 'o canal não tem formulários nem catálogo.'
    return [{ path: 'asks', message, level: isSaid ? 'warning' : 'error' }]
  }
  return node.kind === 'menu' ? tooLong('body', menuPart(node).body, textLimits.text) : []
}

/** What a menu becomes on some channels, told once for all on which it becomes the same. */
const styleProblems = (node: FlowNode, channels: readonly FlowChannel[]): Found[] => {
  if (node.kind !== 'menu') return []
  const { interactive, body } = menuPart(node)
  const ways = Map.groupBy(channels, (channel) => (interactive ? carriedAs(channel, interactive, body) : 'text'))
  return [...ways].flatMap(([way, those]) => {
    const names = listed(those.map(({ label }) => label))
    return way === node.data.style
      ? []
      : [{ path: 'style', message: `${names}: ${insteadOf(way)}`, level: 'warning' as const }]
  })
}
