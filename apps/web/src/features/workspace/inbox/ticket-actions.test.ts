import { expect, test } from 'vitest'
import { actionOfLetter, offeredOn, type Place, type Situation, type Surface, ticketActions } from './ticket-actions.ts'

const me = 'me'
const ticket = {
  status: 'open' as const,
  isGroup: false,
  userId: me,
  username: 'Ana',
  queueId: 'vendas',
  pausedAt: null,
  bot: null,
  chatFlowId: null,
  unreadMessages: 0,
  sharedWith: [],
}
const situation = (change: Partial<Omit<Situation, 'ticket'>> & { ticket?: Partial<Situation['ticket']> } = {}) => ({
  selfId: me,
  canWork: true,
  canGrade: true,
  canCall: true,
  allowsPause: true,
  opensNext: false,
  isPinned: false,
  isFollowed: false,
  ...change,
  ticket: { ...ticket, ...change.ticket },
})
const nothing = () => undefined
const everyPlace: Place = {
  href: '/atendimento/1',
  open: nothing,
  watch: nothing,
  take: nothing,
  move: nothing,
  select: nothing,
  search: nothing,
  showContact: nothing,
  showKeys: nothing,
}
const labels = (surface: Surface, now: Situation, place = everyPlace) =>
  offeredOn(surface, now, place).map((action) => action.label)

test('no two actions share a key', () => {
  const keys = ticketActions.map((action) => action.key)

  expect(new Set(keys).size).toBe(keys.length)
})

test('a row, the header and the command bar agree on what can be done with an open conversation', () => {
  expect(labels('bar', situation())).toEqual(['Pausar', 'Transferir', 'Encerrar'])
  for (const surface of ['bar', 'row', 'commands', 'sheet'] as const)
    expect(labels(surface, situation())).toEqual(expect.arrayContaining(['Pausar', 'Transferir', 'Encerrar']))
})

test('where the company allows no pause, none is offered and its letter does nothing', () => {
  const now = situation({ allowsPause: false })

  for (const surface of ['bar', 'row', 'commands', 'sheet'] as const)
    expect(labels(surface, now)).not.toContain('Pausar')
  expect(actionOfLetter('p', now)).toBeUndefined()
})

test('a pause that stands can be ended even where none may begin', () => {
  const now = situation({ allowsPause: false, ticket: { pausedAt: '2026-01-01T00:00:00.000Z' } })

  expect(labels('row', now)).toContain('Retomar')
  expect(actionOfLetter('s', now)?.key).toBe('resume')
})

test("on a colleague's turn Aceitar says whose it is, and taking over stands beside it", () => {
  const now = situation({ ticket: { status: 'pending', userId: 'bia', username: 'Bia' } })
  const accept = actionOfLetter('a', now)

  expect(accept?.obstacle?.(now)).toBe('Este atendimento está na vez de Bia. Você pode assumir mesmo assim.')
  expect(labels('row', now)).toEqual(expect.arrayContaining(['Aceitar', 'Assumir mesmo assim']))
})

test('whoever only reads is offered what changes nothing', () => {
  const now = situation({ canWork: false })

  expect(labels('bar', now)).toEqual([])
  expect(labels('menu', now)).toEqual(['Buscar na conversa', 'Exportar conversa', 'Atalhos do teclado'])
  expect(labels('wall', now)).toEqual(['Espiar'])
  expect(actionOfLetter('e', now)).toBeUndefined()
})

test('what campaigns said to a contact is read, and nothing else is done with it', () => {
  const now = situation({ ticket: { status: 'closed', userId: null, protocol: '' } })

  expect(labels('menu', now)).toEqual(['Buscar na conversa', 'Exportar conversa', 'Atalhos do teclado'])
  expect(actionOfLetter('e', now)).toBeUndefined()
})

test('a closed conversation is reopened, not closed again', () => {
  const now = situation({ ticket: { status: 'closed', userId: null } })

  expect(labels('menu', now)).toEqual([
    'Reabrir',
    'Ligar com assistente de voz',
    'Unir com outro atendimento',
    'Protocolo',
    'Registrar avaliação',
    'Buscar na conversa',
    'Exportar conversa',
    'Atalhos do teclado',
  ])
  expect(actionOfLetter('e', now)).toBeUndefined()
})

test('what a place does not give is not offered there', () => {
  expect(labels('row', situation(), {})).not.toContain('Selecionar')
})
