import type { WallAgent, WallCard } from '@balcao/contract/conversations/wall.ts'
import { expect, test } from 'vitest'
import { columnsOf, expectedCard, patchFor } from './columns.ts'

const agent = (id: string, more: Partial<WallAgent> = {}): WallAgent => ({
  id,
  name: id,
  isOnline: true,
  awaySince: null,
  awayReason: null,
  capacity: null,
  ...more,
})
const figures = (key: string) => ({ key, open: 1, pending: 0, late: 0, waitingSince: null })
const queues = [
  { id: 'v', name: 'Vendas', color: '#111111', isActive: true },
  { id: 's', name: 'Suporte', color: '#222222', isActive: true },
]
const card = { userId: 'ana', queueId: 'v', status: 'open', pausedAt: null, bot: null, chatFlowId: null } as WallCard // what is asked here

test('first what nobody has, then who is here, away, gone with work, and gone', () => {
  const heads = {
    agents: [
      agent('zé', { isOnline: false }),
      agent('bia', { isOnline: false }),
      agent('rui', { awaySince: '2026-01-01T00:00:00.000Z' }),
      agent('ana'),
    ],
    columns: [figures('queue:v'), figures('user:bia'), figures('user:x')],
  }
  expect(columnsOf(heads, 'user', queues).map((column) => column.key)).toEqual([
    'queue:v',
    'user:ana',
    'user:rui',
    'user:bia',
    'user:zé',
    'user:x',
  ])
  expect(columnsOf(heads, 'queue', queues).map((column) => column.title)).toEqual(['Vendas', 'Suporte'])
  expect(columnsOf(heads, 'status', queues).filter((column) => column.takes)).toHaveLength(2)
})

test('a card is brought to a column by what the server knows already', () => {
  expect(patchFor(card, 'user:ana', 'user', 'eu')).toBeUndefined()
  expect(patchFor(card, 'user:rui', 'user', 'eu')).toEqual({ isTransference: true, userId: 'rui' })
  expect(patchFor(card, 'queue:v', 'user', 'eu')).toEqual({ isTransference: true, queueId: 'v' })
  expect(patchFor(card, 'queue:s', 'queue', 'eu')).toEqual({ queueId: 's' })
  expect(patchFor(card, 'queue:none', 'user', 'eu')).toEqual({ status: 'pending', userId: null, queueId: null })
  expect(patchFor(card, 'status:pending', 'status', 'eu')).toEqual({ status: 'pending', userId: null })
  expect(patchFor(card, 'status:paused', 'status', 'eu')).toBeUndefined()
  expect(expectedCard(card, { isTransference: true, queueId: 's' }, [])).toMatchObject({
    userId: null,
    status: 'pending',
  })
  expect(expectedCard(card, { isTransference: true, userId: 'rui' }, [])).toMatchObject({
    userId: 'rui',
    status: 'open',
  })
})
