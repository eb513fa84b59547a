import { longestChoice, mostChoices } from '../../conversations/interactive.ts'
import { blankPart, type Part } from '../../conversations/parts.ts'
import type { FlowGraph, FlowNode } from './graph.ts'
import { nodeOf } from './walk.ts'

/** What comes back when a choice of this step is pressed. */
export const choiceIdOf = (nodeId: string, optionId: string) => `flow:${nodeId}:${optionId}`
/** The question and the option that such an id is of, as far as this version has them. */
export const pressedOf = (graph: FlowGraph, choiceId: string) => {
  const [mark, nodeId = '', optionId = ''] = choiceId.split(':')
  const node = mark === 'flow' ? nodeOf(graph, nodeId) : undefined
  return node?.kind === 'menu' && node.data.options.some(({ id }) => id === optionId) ? { node, optionId } : undefined
}

/** The question of a menu as it is said: with buttons or a list where they fit, else numbered. */
export const menuPart = ({ id, data }: FlowNode<'menu'>): Part =>
  choicesPart(data.body, {
    kind: data.style,
    button: data.button || 'Opções',
    options: data.options.map((one) => ({
      id: choiceIdOf(id, one.id),
      title: one.title,
      description: one.description,
    })),
  })

type Choices = {
  kind: 'buttons' | 'list' | 'text'
  button: string
  options: { id: string; title: string; description: string }[]
}
/** A question with choices, numbered where they do not fit into buttons or a list. */
export const choicesPart = (body: string, { kind, button, options }: Choices): Part => {
  const fits = options.length <= mostChoices && options.every(({ title }) => title.length <= longestChoice)
  if (kind !== 'text' && fits && options.length > 0)
    return {
      ...blankPart('choices'),
      body,
      interactive: {
        kind,
        header: '',
        footer: '',
        button: kind === 'list' ? button : '',
        options: kind === 'list' ? options : options.map((one) => ({ ...one, description: '' })),
      },
    }
  const lines = options.map((one, at) => `${at + 1}. ${one.title}${one.description ? `: ${one.description}` : ''}`)
  return { ...blankPart('text'), body: [body, lines.join('\n')].filter(Boolean).join('\n\n') }
}
