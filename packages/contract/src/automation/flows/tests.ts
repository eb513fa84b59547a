import { matches, readRules } from '../../contacts/segments/segments.ts'
import { readNumber } from '../../core/number.ts'
import type { FlowTest } from './graph.ts'
import type { FlowWorld } from './run.ts'
import { isOneOf } from './understand.ts'
import type { Walk } from './walk.ts'

/** Whether a branch of a condition holds now. */
export const holds = (walk: Walk, { match, tests }: { match: 'all' | 'any'; tests: readonly FlowTest[] }): boolean => {
  const holds = (one: FlowTest) => passes(walk, one)
  return match === 'any' ? tests.some(holds) : tests.length > 0 && tests.every(holds)
}

const passes = (walk: Walk, test: FlowTest): boolean => {
  const { world } = walk
  const at = { now: world.now, timezone: world.timezone, me: null }
  switch (test.on) {
    case 'contact':
      return matches(readRules(test.rules), world.contact, at)
    case 'segment': {
      const rules = world.segments.get(test.segmentId)
      return rules !== undefined && matches(rules, world.contact, at) !== test.isNot
    }
    case 'ticket':
      return isTicket(world.ticket, test) !== test.isNot
    case 'variable': {
      const held = Object.hasOwn(walk.state.vars, test.name) ? (walk.state.vars[test.name] ?? '') : ''
      return compares(held, test.op, world.fill(test.value, walk.state.vars))
    }
  }
}

const isTicket = (ticket: FlowWorld['ticket'], { field, values }: Extract<FlowTest, { on: 'ticket' }>): boolean => {
  switch (field) {
    case 'queue':
      return ticket.queueId !== null && values.includes(ticket.queueId)
    case 'connection':
      return values.includes(ticket.connectionId)
    case 'channel':
      return values.includes(ticket.channel)
    case 'priority':
      return values.includes(ticket.priority)
    case 'tag':
      return ticket.tagIds.some((id) => values.includes(id))
    case 'isFirst':
      return ticket.isFirst
  }
}

const compares = (held: string, op: Extract<FlowTest, { on: 'variable' }>['op'], value: string): boolean => {
  const [one, other] = [readNumber(held), readNumber(value)]
  const isEqual = one !== undefined && other !== undefined ? one === other : isOneOf(held, [value]) || held === value
  switch (op) {
    case 'is':
      return isEqual
    case 'isNot':
      return !isEqual
    case 'contains':
      return value !== '' && fold(held).includes(fold(value))
    case 'above':
      return one !== undefined && other !== undefined ? one > other : isDay(held) && isDay(value) && held > value
    case 'below':
      return one !== undefined && other !== undefined ? one < other : isDay(held) && isDay(value) && held < value
    case 'isSet':
      return held !== ''
    case 'isNotSet':
      return held === ''
  }
}
const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text)
