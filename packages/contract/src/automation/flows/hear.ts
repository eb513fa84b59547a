import { blankPart } from '../../conversations/parts.ts'
import { readNumber } from '../../core/number.ts'
import { plainWords } from '../../core/plain-words.ts'
import { readGrade } from '../../service/rating-scale.ts'
import { answerWords, invalidTexts, readAnswer } from './answers.ts'
import { pressedOf } from './choices.ts'
import { ask, askCalendar, waitForAnswer } from './enter.ts'
import { timeLabel, timeWords } from './free-times.ts'
import { type FlowGraph, type FlowNode, startId } from './graph.ts'
import type { Said } from './run.ts'
import { asksFor, understand } from './understand.ts'
import { answered, finish, goTo, here, keep, leave, nodeOf, say, set, step, type Walk } from './walk.ts'

/** The customer wrote. */
export const hear = (walk: Walk, graph: FlowGraph, said: readonly Said[]): undefined => {
  const { wait } = walk.state
  const node = nodeOf(graph, walk.state.nodeId)
  if (!node) return finish(walk, 'broken')
  set(walk, { automatic: 0 })
  if (node.kind === 'menu' && choose(walk, graph, node, said)) return
  if (command(walk, graph, said)) return
  if (wait?.for === 'time') {
    if (node.next.answer) {
      keep(walk, { mensagem: textOf(said) })
      return leave(walk, graph, 'answer', textOf(said))
    }
    return step(walk, null, `O cliente escreveu: ${textOf(said)}`)
  }
  if (node.kind === 'menu') return refuse(walk, graph, node, said, graph.settings.notUnderstood.message)
  if (node.kind === 'calendar') return book(walk, graph, node, said)
  if (node.kind === 'rating') return rate(walk, graph, node, said)
  if (node.kind === 'request') return take(walk, graph, node, said)
  if (node.kind !== 'ask') return
  const answer = readAnswer(node.data.as, said, walk.world)
  if (answer === undefined) return refuse(walk, graph, node, said, node.data.invalid || invalidTexts[node.data.as])
  if (node.data.variable) keep(walk, { [node.data.variable]: answer })
  if (node.data.saveTo) {
    walk.effects.push({ ...here(walk), kind: 'save', field: node.data.saveTo, value: answer })
    walk.isWorldOld = true
  }
  const words = answerWords(node.data.as, answer, said)
  answered(walk, node, words)
  leave(walk, graph, 'next', words)
}

/** Words that mean the same wherever one is. */
export const command = (walk: Walk, graph: FlowGraph, said: readonly Said[]): boolean => {
  const { closeWords, personWords, menuWords, backWords, person } = graph.settings
  const isSaid = (words: readonly string[]) => said.some(({ text }) => asksFor(text, words))
  if (isSaid(closeWords)) goTo(walk, { kind: 'close', id: '' }, 'words')
  else if (isSaid(personWords)) goTo(walk, person, 'asked')
  else if (isSaid(menuWords)) restart(walk)
  else if (isSaid(backWords)) goBack(walk)
  else return false
  return true
}

/** From the beginning, of the flow it began with. */
const restart = (walk: Walk): undefined => {
  const first = walk.state.above[0]?.versionId ?? walk.state.versionId
  step(walk, null, 'Voltou ao início')
  set(walk, { versionId: first, nodeId: startId, above: [], before: [], tries: 0, wait: null })
}

const goBack = (walk: Walk): undefined => {
  const before = walk.state.before.at(-1)
  step(walk, null, 'Voltou')
  // At the first question it comes once more.
  set(walk, {
    ...(before ?? {}),
    before: walk.state.before.slice(0, -1),
    tries: 0,
    wait: null,
  })
}

const choose = (walk: Walk, graph: FlowGraph, node: FlowNode<'menu'>, said: readonly Said[]): boolean => {
  for (const { choiceId, text } of said.toReversed()) {
    const pressed = choiceId ? pressedOf(graph, choiceId) : undefined
    // A button of an earlier question: that one is answered.
    const asked = pressed?.node ?? node
    const id = pressed?.optionId ?? understand(text, asked.data.options)
    const option = asked.data.options.find((one) => one.id === id)
    if (!option) continue
    if (asked.id !== node.id) set(walk, { nodeId: asked.id })
    if (asked.data.variable) keep(walk, { [asked.data.variable]: option.title })
    answered(walk, asked, option.title)
    leave(walk, graph, option.id, option.title)
    return true
  }
  return false
}

const rate = (walk: Walk, graph: FlowGraph, node: FlowNode<'rating'>, said: readonly Said[]): undefined => {
  const { grades, retry } = walk.world.rating
  const pressed = said
    .map(({ choiceId }) => grades.find(({ value }) => String(value) === choiceId?.split(':').at(-1)))
    .find((one) => one !== undefined)
  const written = () =>
    said
      .toReversed()
      .map(({ text }) => chosenGrade(text, grades))
      .find((one) => one !== undefined)
  const grade = pressed ?? written()
  if (!grade) return refuse(walk, graph, node, said, retry)
  keep(walk, { nota: String(grade.value) })
  walk.effects.push({ ...here(walk), kind: 'rate', grade: grade.value })
  answered(walk, node, String(grade.value))
  leave(walk, graph, 'next', grade.label)
}

const book = (walk: Walk, graph: FlowGraph, node: FlowNode<'calendar'>, said: readonly Said[]): undefined => {
  const { timezone } = walk.world
  const choices = (walk.state.times ?? []).map((id) => ({
    ...{ id, title: timeLabel(id, timezone), words: timeWords(id, timezone) },
  }))
  const chosen = said
    .toReversed()
    .map(({ choiceId, text }) => {
      const pressed = choiceId?.split(':').at(-1)?.replaceAll('_', ':')
      return choices.find(({ id }) => id === (pressed ?? understand(text, choices)))
    })
    .find((one) => one !== undefined)
  if (!chosen) return refuse(walk, graph, node, said, graph.settings.notUnderstood.message)
  if (node.data.variable) keep(walk, { [node.data.variable]: chosen.title })
  answered(walk, node, chosen.title)
  step(walk, null, `Escolheu ${chosen.title}`)
  askCalendar(walk, node, chosen.id)
}

/** A place is kept as its point, everything else as its words: who writes instead of touching has answered too. */
const take = (walk: Walk, graph: FlowGraph, node: FlowNode<'request'>, said: readonly Said[]): undefined => {
  const answer = readAnswer('location', said, walk.world) ?? readAnswer('text', said, walk.world)
  if (answer === undefined)
    return refuse(walk, graph, node, said, 'Toque no botão da mensagem para responder, por favor.')
  if (node.data.variable) keep(walk, { [node.data.variable]: answer })
  answered(walk, node, answer)
  leave(walk, graph, 'next', answer)
}

/** Not understood: said so, and asked again; elsewhere when it was too often. */
const refuse = (
  walk: Walk,
  graph: FlowGraph,
  node: FlowNode<'menu' | 'ask' | 'request' | 'rating' | 'calendar'>,
  said: readonly Said[],
  message: string,
): undefined => {
  const { retries, notUnderstood } = graph.settings
  const text = textOf(said)
  if (node.kind === 'menu' && node.next.other) {
    keep(walk, { mensagem: text, ...(node.data.variable && { [node.data.variable]: text }) })
    answered(walk, node, text)
    return leave(walk, graph, 'other', text)
  }
  if (saysKeyword(graph, said)) return restart(walk)
  const tries = walk.state.tries + 1
  step(walk, null, `Não entendido: ${text}`)
  if (tries >= retries.most) {
    set(walk, { tries: 0 })
    if (node.kind === 'ask' && node.next.invalid) return leave(walk, graph, 'invalid', text)
    return goTo(walk, retries.to, 'retries')
  }
  if (message) say(walk, { ...blankPart('text'), body: message })
  if (node.kind === 'menu' && notUnderstood.returnTo === 'start') {
    set(walk, { nodeId: startId, tries, wait: null })
    return
  }
  set(walk, { tries })
  if (node.kind !== 'ask' && node.kind !== 'request') ask(walk, node)
  waitForAnswer(walk, graph)
}

/** The word that began it, once more: a link with words in it that was opened again. */
const saysKeyword = ({ settings }: FlowGraph, said: readonly Said[]): boolean =>
  said.some(({ text }) =>
    settings.keywords.some((keyword) => {
      const [words, sought] = [plainWords(text), plainWords(keyword.text)]
      if (!sought) return false
      return keyword.mode === 'exact' ? words === sought : ` ${words} `.includes(` ${sought} `)
    }),
  )

const textOf = (said: readonly Said[]) => said.map(({ text }) => text).join('\n')

type Grade = { value: number; label: string }
/** By its number or its words; a number alone is never the place of a grade in the scale. */
const chosenGrade = (text: string, grades: readonly Grade[]): Grade | undefined => {
  const read = readGrade(grades, text)
  if (read) return grades.find(({ value }) => value === read.value)
  if (readNumber(text) !== undefined) return undefined
  const most = Math.max(...grades.map(({ value }) => value))
  const byValue = Array.from({ length: most + 1 }, (_, at) =>
    grades.find(({ value }) => value === (at + 1) % (most + 1)),
  )
  const choices = byValue.map((one, at) => ({ id: String((at + 1) % (most + 1)), title: one?.label ?? '', words: [] }))
  const id = understand(text, choices)
  return grades.find(({ value }) => String(value) === id)
}
