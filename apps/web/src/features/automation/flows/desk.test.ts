import type { FlowDraft, FlowDraftChange } from '@balcao/contract/automation/flows/flows.ts'
import { blankGraph, blankNode, type FlowNode } from '@balcao/contract/automation/flows/graph.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '../../../kit/api-error.ts'
import type { FlowDraftChanged } from './api.ts'
import { createDesk, type Taken } from './desk.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('localStorage', browserStorage())
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** What it keeps are its own keys, as in a browser. */
const browserStorage = () => {
  const kept: Record<string, string> = {}
  const methods = {
    getItem: { value: (key: string) => kept[key] ?? null },
    setItem: { value: (key: string, value: string) => Object.assign(kept, { [key]: value }) },
    removeItem: { value: (key: string) => Reflect.deleteProperty(kept, key) },
  }
  return Object.defineProperties(kept, methods)
}
const message = (id: string, name = ''): FlowNode => ({ ...blankNode('message', id, { x: 0, y: 0 }), name })
const draftWith = (...nodes: FlowNode[]): FlowDraft => ({
  ...blankGraph(),
  revision: 1,
  nodes: [...blankGraph().nodes, ...nodes],
  revisions: {},
  authors: {},
  settingsRevision: 1,
  settingsUserId: null,
  media: [],
})

/** A server that keeps what it is told, and can be made to fail. */
const openDesk = (draft = draftWith(message('a', 'Oi'))) => {
  const written: FlowDraftChange[] = []
  const taken: Taken[] = []
  let revision = draft.revision
  let answer: ((change: FlowDraftChange) => FlowDraftChanged) | undefined
  let current = draft
  const desk = createDesk({
    flowId: 'f',
    draft,
    write: async (change) => {
      written.push(change)
      if (answer) return answer(change)
      revision = Math.max(revision, change.base) + 1
      return { revision, conflicts: [], settings: null, settingsUserId: null }
    },
    read: async () => current,
    onTaken: (one) => taken.push(one),
  })
  return {
    desk,
    written,
    taken,
    answerWith: (next: typeof answer) => {
      answer = next
    },
    serve: (next: FlowDraft) => {
      current = next
    },
    name: (id: string) => desk.get().nodes.get(id)?.name,
    rename: (id: string, name: string, key?: string) => desk.change({ upserts: [message(id, name)], removes: [] }, key),
  }
}

test('what is changed is saved once the hand rests, with the last of many changes', async () => {
  const { desk, written, rename } = openDesk()
  rename('a', 'Ol', 'a')
  rename('a', 'Olá', 'a')
  expect(desk.get().save.kind).toBe('saving')
  await vi.advanceTimersByTimeAsync(700)
  expect(written).toHaveLength(1)
  expect(written[0]).toMatchObject({ base: 1, upserts: [{ id: 'a', name: 'Olá' }], removes: [] })
  expect(desk.get()).toMatchObject({ revision: 2, save: { kind: 'saved' } })
})

test('what was written in one go is undone in one go, and comes back', async () => {
  const { desk, name, rename } = openDesk()
  rename('a', 'O', 'a')
  rename('a', 'Ol', 'a')
  desk.change({ upserts: [], removes: ['a'] })
  expect(name('a')).toBeUndefined()
  desk.undo()
  expect(name('a')).toBe('Ol')
  desk.undo()
  expect(name('a')).toBe('Oi')
  desk.redo()
  desk.redo()
  expect(desk.get().nodes.has('a')).toBe(false)
  expect(desk.get().canRedo).toBe(false)
})

test('without a network nothing is lost, and it is saved when there is one again', async () => {
  const { desk, written, answerWith, rename } = openDesk()
  answerWith(() => {
    throw new ApiError({ status: 0, code: 'ERR_OFFLINE' })
  })
  rename('a', 'Sem rede')
  await vi.advanceTimersByTimeAsync(700)
  expect(desk.get().save.kind).toBe('offline')
  answerWith(undefined)
  await vi.advanceTimersByTimeAsync(3_000)
  expect(desk.get().save.kind).toBe('saved')
  expect(written.at(-1)?.upserts).toMatchObject([{ name: 'Sem rede' }])
})

test('what another window changes is seen at once, and undoing here leaves it alone', () => {
  const { desk, name, rename, taken } = openDesk(draftWith(message('a', 'Oi'), message('b', 'Tchau')))
  rename('a', 'Meu')
  desk.hear({ revision: 2, userId: 'ana', upserts: [message('b', 'Dela'), message('c')], removes: [] })
  expect([name('a'), name('b')]).toEqual(['Meu', 'Dela'])
  expect(taken).toEqual([])
  desk.undo()
  expect([name('a'), name('b'), desk.get().nodes.has('c')]).toEqual(['Oi', 'Dela', true])
})

test('who was first with a step keeps it; ours is one press away and is saved over theirs then', async () => {
  const { desk, name, rename, taken, answerWith, serve, written } = openDesk()
  const theirs = message('a', 'Dela')
  serve({ ...draftWith(theirs), revision: 2, revisions: { a: 2 } })
  answerWith(({ base }) => {
    const conflict = {
      ...{ revision: 2, settings: null, settingsUserId: null },
      conflicts: [{ id: 'a', node: theirs, userId: 'ana' }],
    }
    if (base < 2) throw new ApiError({ status: 409, code: 'ERR_CONFLICT', details: conflict })
    return { revision: base + 1, conflicts: [], settings: null, settingsUserId: null }
  })
  rename('a', 'Minha')
  await vi.advanceTimersByTimeAsync(700)
  expect(name('a')).toBe('Dela')
  expect(taken).toMatchObject([{ ids: ['a'], settings: false, userIds: ['ana'] }])
  taken[0]?.takeOurs()
  await vi.advanceTimersByTimeAsync(700)
  expect(name('a')).toBe('Minha')
  expect(written.at(-1)).toMatchObject({ base: 2, upserts: [{ name: 'Minha' }] })
  expect(desk.get()).toMatchObject({ revision: 3, save: { kind: 'saved' } })
})

test('where somebody saved other steps meanwhile, they come in and our own last change is not taken for theirs', async () => {
  const { desk, name, rename, taken, answerWith, serve } = openDesk()
  answerWith(() => ({ revision: 3, conflicts: [], settings: null, settingsUserId: null }))
  serve({ ...draftWith(message('a', 'Minha'), message('c', 'Nova')), revision: 3, revisions: { a: 3, c: 2 } })
  rename('a', 'Minha')
  await vi.advanceTimersByTimeAsync(600)
  rename('a', 'Minha outra')
  await vi.advanceTimersByTimeAsync(700)
  expect([name('a'), name('c'), taken.length]).toEqual(['Minha outra', 'Nova', 0])
  expect(desk.get().revision).toBe(3)
})

test('what could not be saved before the page was closed is there when the flow is opened again', async () => {
  const first = openDesk()
  const stop = first.desk.start()
  first.answerWith(() => {
    throw new ApiError({ status: 0, code: 'ERR_OFFLINE' })
  })
  first.rename('a', 'Guardado')
  await vi.advanceTimersByTimeAsync(700)
  stop()
  const second = openDesk()
  second.desk.start()
  expect(second.name('a')).toBe('Guardado')
  await vi.advanceTimersByTimeAsync(700)
  expect(second.written.at(-1)?.upserts).toMatchObject([{ name: 'Guardado' }])
})

test('what gave way to somebody else is offered again after a reload, until somebody decides', async () => {
  const first = openDesk()
  const stop = first.desk.start()
  first.answerWith(() => {
    throw new ApiError({ status: 0, code: 'ERR_OFFLINE' })
  })
  first.rename('a', 'Minha')
  await vi.advanceTimersByTimeAsync(700)
  const heard = { upserts: [message('a', 'Dela')], removes: [], revision: 2, userId: 'ana' }
  first.desk.hear(heard)
  expect(first.taken).toMatchObject([{ ids: ['a'], userIds: ['ana'] }])
  stop()

  const now = { ...draftWith(message('a', 'Dela')), revision: 2, revisions: { a: 2 }, authors: { a: 'ana' } }
  const second = openDesk(now)
  second.desk.start()
  expect([second.name('a'), second.taken.length]).toEqual(['Dela', 1])
  second.taken[0]?.takeOurs()
  await vi.advanceTimersByTimeAsync(700)
  expect(second.written.at(-1)).toMatchObject({ base: 2, upserts: [{ name: 'Minha' }] })
  const third = openDesk(now)
  third.desk.start()
  expect(third.taken).toEqual([])
})
