import {
  type AnswerKind,
  compareLabels,
  type FlowNode,
  type FlowTest,
  nodeLabels,
  portsOf,
  type SavedField,
} from '@balcao/contract/automation/flows/graph.ts'
import { variablesOf } from '@balcao/contract/automation/flows/problems.ts'
import { fold } from '@balcao/contract/contacts/segments/fold.ts'
import { describeAction } from '@balcao/contract/conversations/actions/index.ts'
import { wordsOf } from '@balcao/contract/conversations/parts.ts'
import { spanOf } from '@balcao/contract/core/span.ts'
import type { Nodes } from './patch.ts'

/** The name of a row that a step names. */
export type NameOf = (id: string) => string | undefined

export const answerLabels: Record<AnswerKind, string> = {
  text: 'Qualquer texto',
  name: 'Nome',
  email: 'E-mail',
  cpf: 'CPF',
  cnpj: 'CNPJ',
  phone: 'Telefone',
  date: 'Data',
  number: 'Número',
  file: 'Arquivo',
  location: 'Localização',
}
export const savedLabels: Record<SavedField, string> = {
  name: 'Nome',
  email: 'E-mail',
  businessName: 'Empresa',
  document: 'CPF ou CNPJ',
  birthdayDate: 'Aniversário',
}
export const ticketTestLabels: Record<Extract<FlowTest, { on: 'ticket' }>['field'], string> = {
  queue: 'Fila',
  connection: 'Canal',
  channel: 'Tipo de canal',
  priority: 'Prioridade',
  tag: 'Etiqueta do atendimento',
  isFirst: 'É o primeiro atendimento',
}

/** The first words of a step: what it says or does, as its card shows it. */
export const wordsOfNode = (node: FlowNode, nameOf: NameOf, titleOf: (id: string) => string | undefined): string => {
  switch (node.kind) {
    case 'message':
      return wordsOf(node.data.parts) || (node.data.parts.length ? 'Arquivo' : '')
    case 'menu':
    case 'request':
    case 'rating':
    case 'calendar':
      return node.data.body
    case 'pix':
      return node.data.body || (node.data.amount && `Valor: ${node.data.amount}`)
    case 'ask':
      return node.data.body || answerLabels[node.data.as]
    case 'delay':
      return `${node.data.seconds} ${node.data.seconds === 1 ? 'segundo' : 'segundos'}`
    case 'wait':
      return [
        spanOf(node.data.minutes),
        node.data.clock && `não antes das ${node.data.clock}`,
        node.data.event && `ou o evento ${node.data.event}`,
      ]
        .filter(Boolean)
        .join(', ')
    case 'condition':
      return node.data.branches.flatMap(({ tests }) => tests.map((one) => describeTest(one, nameOf))).join('; ')
    case 'hours':
      return node.data.queueId ? `Da fila ${nameOf(node.data.queueId) ?? '…'}` : 'Da fila da conversa'
    case 'split':
      return node.data.branches.map(({ label, weight }, at) => `${label || letter(at)} ${weight}`).join(' · ')
    case 'set':
      return node.data.sets.map(({ name, value }) => `${name} = ${value}`).join('; ')
    case 'action':
      return node.data.actions.map((one) => describeAction(one, nameOf)).join('; ')
    case 'http':
      return node.data.url && `${node.data.method} ${node.data.url}`
    case 'flow':
      return nameOf(node.data.flowId) ?? ''
    case 'assistant':
      return nameOf(node.data.assistantId) ?? ''
    case 'jump':
      return titleOf(node.data.to) ?? ''
    case 'handOver':
      return node.data.body || (nameOf(node.data.userId || node.data.queueId) ?? 'Para a fila em que a conversa está')
    case 'close':
      return node.data.body || (nameOf(node.data.reasonId) ?? 'Sem motivo')
    case 'foreign':
      return node.data.text || node.data.type
    case 'comment':
      return node.data.text
    default:
      return ''
  }
}
const letter = (at: number) => String.fromCharCode(65 + at)

export const describeTest = (test: FlowTest, nameOf: NameOf): string => {
  switch (test.on) {
    case 'variable':
      return `${test.name || 'variável'} ${compareLabels[test.op]}${test.op.endsWith('Set') ? '' : ` ${test.value}`}`
    case 'ticket':
      return test.field === 'isFirst'
        ? `${test.isNot ? 'não é' : 'é'} o primeiro atendimento`
        : `${ticketTestLabels[test.field].toLowerCase()} ${test.isNot ? 'não é' : 'é'} ${test.values.map((id) => nameOf(id) ?? id).join(' ou ')}`
    case 'contact':
      return 'regras do contato'
    case 'segment':
      return `${test.isNot ? 'fora do segmento' : 'no segmento'} ${nameOf(test.segmentId) ?? ''}`
  }
}

/** Where a text occurs: in names, words, choices and everything else a step holds. */
export const findIn = (nodes: Nodes, text: string): string[] => {
  const wanted = fold(text.trim())
  if (!wanted) return []
  return [...nodes.values()].flatMap((node) => (textOf(node).includes(wanted) ? node.id : []))
}
const textOf = (node: FlowNode) => {
  const known = texts.get(node)
  if (known !== undefined) return known
  const labels = [node.name, nodeLabels[node.kind], ...portsOf(node).map(({ label }) => label)]
  const text = fold([...labels, ...leavesOf(node.data)].join('\n'))
  texts.set(node, text)
  return text
}
const texts = new WeakMap<FlowNode, string>()
const leavesOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : []
}

/** The variables this flow gives a value to. */
export const variablesIn = (nodes: Nodes): { name: string; label: string }[] =>
  variablesOf({ nodes: [...nodes.values()] }).map((name) => ({
    name: `var.${name}`,
    label: name === 'mensagem' ? 'O que o cliente escreveu por último' : 'Deste fluxo',
  }))
