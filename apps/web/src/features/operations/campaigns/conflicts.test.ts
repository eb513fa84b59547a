import { expect, test } from 'vitest'
import { conflictsOf } from './conflicts.ts'

const run = (id: string, given: Partial<Parameters<typeof conflictsOf>[0][number]>) => ({
  ...{ id, name: `Campanha ${id}`, state: 'scheduled' as const, startsAt: '2026-12-01T12:00:00.000Z', startedAt: null },
  ...{ endsAt: null, endsAbout: null, connections: [{ id: 'c', name: 'Vendas', kind: 'waba' as const, receipts: [] }] },
  ...given,
})

test('two that share a channel at the same time are told, with the channel and since when', () => {
  const [found, ...more] = conflictsOf([
    run('1', { endsAbout: '2026-12-03T12:00:00.000Z' }),
    run('2', { startsAt: '2026-12-02T12:00:00.000Z' }),
  ])
  expect(more).toEqual([])
  expect(found).toMatchObject({
    one: { id: '1' },
    other: { id: '2' },
    connection: 'Vendas',
    from: '2026-12-02T12:00:00.000Z',
  })
})

test('another channel, another time and what is over disturb nobody', () => {
  const other = [{ id: 'd', name: 'Suporte', kind: 'waba' as const, receipts: [] }]
  expect(
    conflictsOf([
      run('1', {}),
      run('2', { connections: other }),
      run('3', { startsAt: '2026-12-20T12:00:00.000Z' }),
      run('4', { state: 'finished' }),
    ]),
  ).toEqual([])
})
