import { abilitiesOf } from '@balcao/contract/channels/index.ts'
import { wallTimeOf } from '@balcao/contract/core/wall-time.ts'
import { notificationTitles } from '@balcao/contract/operations/notifications.ts'
import { scaleMessage } from '@balcao/contract/service/rating-scale.ts'
import { v7 } from 'uuid'
import type { Tx } from '../db/database.ts'
import { mentions, messages } from '../db/schema/conversations/messages.ts'
import { ticketLogs } from '../db/schema/conversations/ticket-history.ts'
import { ticketMarks } from '../db/schema/conversations/tickets.ts'
import { notifications } from '../db/schema/operations/notifications.ts'
import { schedules } from '../db/schema/operations/schedules.ts'
import { ratings } from '../db/schema/service/ratings.ts'
import { demoFields, demoRating, idIn, personIn } from './office.ts'
import type { Cast, DemoConversation } from './seed.ts'

const timeZone = 'America/Sao_Paulo'
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const later = (at: Date, ms: number) => new Date(at.getTime() + ms)
const cycle = <T>(list: readonly T[], n: number): T => list[n % list.length] as T // lists here are never empty
/** Nine in the morning, so many days from now, on the company's clock. */
const morningIn = (days: number) =>
  new Date(`${wallTimeOf(new Date(Date.now() + days * day), timeZone).slice(0, 10)}T12:00:00Z`)

/** Before they are stored: what presses, what it is worth, what rests, and who the customers are. */
export const dressTickets = (rows: DemoConversation[], cast: Cast) => {
  for (const [n, { ticket, contact }] of rows.entries()) {
    const isSale = ticket.reasonId === idIn(cast.reasonIds, 'Venda concluída')
    if (ticket.status === 'closed' && isSale) ticket.value = 4_990 + ((n * 7_919) % 90_000)
    if (ticket.status === 'open' && n % 5 === 1) ticket.value = 12_000 + n * 1_350
    if (ticket.status !== 'closed' && n % 7 === 4) ticket.priority = cycle(['high', 'urgent', 'low'], n)
    if (n % 2 === 0) contact.extraInfo = fieldsOf(n)
    if (n % 4 === 1) contact.birthdayDate = birthdayIn(n === 1 ? 0 : (n * 131) % 365, n)
    if (n % 3 === 0) contact.email = `${contact.number.slice(-6)}@cliente.example`
  }
  const [first, second, third] = openOf(rows, cast, 'ana').filter(({ ticket }) => ticket.answered)
  rest(first, { pauseReason: 'Aguardando o fornecedor confirmar a reposição', pausedUntil: null })
  rest(second, { pauseReason: 'Pediu retorno amanhã cedo', pausedUntil: morningIn(1) })
  if (third) Object.assign(third.ticket, { priority: 'urgent', value: 289_900 })
  const [given] = openOf(rows, cast, 'bruno')
  if (given) given.ticket.sharedWith = [personIn(cast, 'ana').id]
}

const openOf = (rows: DemoConversation[], cast: Cast, login: string) => {
  const { id } = personIn(cast, login)
  return rows.filter(({ ticket }) => ticket.status === 'open' && ticket.userId === id)
}
const rest = (row: DemoConversation | undefined, given: { pauseReason: string; pausedUntil: Date | null }) => {
  if (!row) return
  row.ticket.pausedAt = later(row.ticket.updatedAt, minute)
  row.ticket.pausedUntil = given.pausedUntil
  row.ticket.pauseReason = given.pauseReason
}
const fieldsOf = (n: number) => [
  { name: demoFields.list.key, value: cycle(demoFields.list.options, n) },
  { name: demoFields.date.key, value: new Date(Date.now() - (n * 3 + 2) * day).toISOString().slice(0, 10) },
  { name: demoFields.number.key, value: String(1 + (n % 9)) },
  { name: demoFields.boolean.key, value: n % 6 === 0 ? 'Não' : 'Sim' },
]
const birthdayIn = (days: number, n: number) => {
  const [, month, date] = wallTimeOf(new Date(Date.now() + days * day), timeZone)
    .slice(0, 10)
    .split('-')
  return `${1952 + 4 * (Math.floor(n / 4) % 14)}-${month}-${date}` // leap years, so that the 29th of February exists
}

/** What happened around the stored conversations. */
export const seedAttendance = async (tx: Tx, rows: DemoConversation[], cast: Cast) => {
  await seedRatings(tx, rows, cast)
  await seedMarks(tx, rows, cast)
  await seedMentions(tx, rows, cast)
  await seedPauseStories(tx, rows, cast)
  await seedSchedules(tx, rows, cast)
  await seedNotifications(tx, rows, cast)
}

const grades = [5, 5, 4, null, 5, 3, 5, 5, null, 4, 2, 5, 4, 5, null, 1, 5, 4, 5, 3]
const comments: Record<number, string[]> = {
  5: ['Atendimento rápido e muito gentil!', '', 'Adorei, resolveram tudo na hora.', '', 'Parabéns pela equipe 👏'],
  4: ['Só demorou um pouco para responder.', ''],
  3: ['Resolveu, mas precisei explicar duas vezes.', ''],
  2: ['A troca passou do prazo combinado.'],
  1: ['Fiquei sem resposta por horas.'],
}

/** Every closed conversation of the number that asks: answered, not answered in time, and the last one still open. */
const seedRatings = async (tx: Tx, rows: DemoConversation[], cast: Cast) => {
  const { tenantId } = tx
  const asking = cast.channels.find((channel) => channel.kind === 'waba')
  const closed = rows
    .filter(({ ticket }) => ticket.status === 'closed' && ticket.connectionId === asking?.id)
    .toSorted((a, b) => b.ticket.updatedAt.getTime() - a.ticket.updatedAt.getTime())
  const asked = closed.map(({ ticket }, n) => {
    const grade = n === 0 ? null : cycle(grades, n)
    const at = ticket.updatedAt
    return {
      ticket,
      rating: {
        tenantId,
        ticketId: ticket.id,
        contactId: ticket.contactId,
        connectionId: ticket.connectionId,
        userId: ticket.userId ?? null,
        queueId: ticket.queueId ?? null,
        status: grade !== null ? ('answered' as const) : n === 0 ? ('pending' as const) : ('expired' as const),
        grade,
        comment: grade === null ? '' : cycle(comments[grade] ?? [''], n),
        attempts: n % 11 === 5 ? 1 : 0,
        expiresAt: later(at, demoRating.expiresIn * minute),
        answeredAt: grade === null ? null : later(at, (4 + ((n * 13) % 180)) * minute),
        createdAt: at,
      },
    }
  })
  await tx.db.insert(ratings).values(asked.map(({ rating }) => rating))
  await tx.db.insert(messages).values(asked.flatMap(wordsOfRating))
  await tx.db.insert(ticketLogs).values(
    asked.flatMap(({ rating: { ticketId, grade, answeredAt } }) =>
      grade === null || !answeredAt
        ? []
        : [
            {
              tenantId,
              ticketId,
              type: 'rating' as const,
              note: nameOf(grade),
              to: { grade },
              createdAt: answeredAt,
            },
          ],
    ),
  )
}
const optionOf = (grade: number) => demoRating.options.find(({ value }) => value === grade)
const nameOf = (grade: number) => `${grade} – ${optionOf(grade)?.label ?? ''}`

type Said = Partial<typeof messages.$inferInsert> & Pick<typeof messages.$inferInsert, 'fromMe' | 'type' | 'body'>
/** A message of a stored conversation. */
const said = (ticket: DemoConversation['ticket'], at: Date, words: Said): typeof messages.$inferInsert => ({
  tenantId: ticket.tenantId,
  id: v7(),
  ticketId: ticket.id,
  contactId: ticket.contactId,
  connectionId: ticket.connectionId,
  status: 'received',
  timestamp: at,
  createdAt: at,
  ...words,
})

type Asked = { ticket: DemoConversation['ticket']; rating: typeof ratings.$inferInsert }
const wordsOfRating = ({ ticket, rating: { grade, comment, answeredAt } }: Asked) => {
  const { body, interactive } = scaleMessage(demoRating, abilitiesOf('waba', {}))
  const ours = { fromMe: true, sendType: 'rating', status: 'read' } as const
  const question = said(ticket, ticket.updatedAt, {
    ...ours,
    type: interactive ? 'buttons' : 'text',
    body,
    payload: interactive ? { interactive } : null,
  })
  if (typeof grade !== 'number' || !answeredAt) return [question]
  return [
    question,
    said(ticket, answeredAt, { fromMe: false, type: 'text', body: comment ? `${grade}, ${comment}` : nameOf(grade) }),
    said(ticket, answeredAt, {
      fromMe: true,
      type: 'system',
      body: `O cliente avaliou o atendimento: ${nameOf(grade)}.`,
    }),
    said(ticket, answeredAt, { ...ours, type: 'text', body: optionOf(grade)?.message || demoRating.thanks }),
  ]
}

const seedMarks = async (tx: Tx, rows: DemoConversation[], cast: Cast) => {
  const { tenantId } = tx
  const ana = personIn(cast, 'ana').id
  const hers = openOf(rows, cast, 'ana').filter(({ ticket }) => !ticket.pausedAt)
  const closed = rows.find(({ ticket }) => ticket.status === 'closed' && ticket.userId === ana)
  const [pinned, both, followed] = hers
  const mark = (row: DemoConversation | undefined, isPinned: boolean, isFollowed: boolean) =>
    row ? [{ tenantId, userId: ana, ticketId: row.ticket.id, isPinned, isFollowed }] : []
  await tx.db
    .insert(ticketMarks)
    .values([
      ...mark(pinned, true, false),
      ...mark(both, true, true),
      ...mark(followed, false, true),
      ...mark(closed, false, true),
    ])
}

/** Notes of colleagues that call Ana: two she has not read, one she has. */
const seedMentions = async (tx: Tx, rows: DemoConversation[], cast: Cast) => {
  const { tenantId } = tx
  const ana = personIn(cast, 'ana')
  const called = [{ id: ana.id, kind: 'user' as const, name: ana.name }]
  const hers = openOf(rows, cast, 'ana').filter(({ ticket }) => !ticket.pausedAt)
  const texts = [
    { by: 'supervisor', ago: 25 * minute, isRead: false, text: 'consegue priorizar? É cliente do atacado há anos.' },
    { by: 'bruno', ago: 2 * hour, isRead: false, text: 'o estoque confirmou: chegam 12 pares na quinta.' },
    { by: 'supervisor', ago: 26 * hour, isRead: true, text: 'pode dar 10% de desconto se fechar hoje.' },
  ]
  const notes = texts.flatMap(({ by, ago, isRead, text }, n) => {
    const ticket = hers[n + 1]?.ticket
    if (!ticket) return []
    const at = new Date(Date.now() - ago)
    const note = said(ticket, at, {
      id: v7(),
      fromMe: true,
      type: 'note',
      body: `@${ana.name} ${text}`,
      payload: { mentions: called },
      userId: personIn(cast, by).id,
    })
    return [{ note, readAt: isRead ? later(at, 10 * minute) : null }]
  })
  await tx.db.insert(messages).values(notes.map(({ note }) => note))
  await tx.db.insert(mentions).values(
    notes.map(({ note, readAt }) => ({
      tenantId,
      userId: ana.id,
      messageId: note.id ?? '',
      ticketId: note.ticketId,
      readAt,
      createdAt: note.createdAt,
    })),
  )
}

/** The lines and the history of what rests. */
const seedPauseStories = async (tx: Tx, rows: DemoConversation[], cast: Cast) => {
  const { tenantId } = tx
  const { id: userId, name } = personIn(cast, 'ana')
  const resting = rows.flatMap(({ ticket }) => (ticket.pausedAt ? [{ ticket, at: ticket.pausedAt }] : []))
  await tx.db.insert(messages).values(
    resting.map(({ ticket, at }) => {
      const until = ticket.pausedUntil
        ? `até ${wallTimeOf(ticket.pausedUntil, timeZone).replace(/^(\d+)-(\d+)-(\d+)T/, '$3/$2/$1 às ')} ou `
        : ''
      const body = `${name} pausou o atendimento ${until}até o cliente responder. Motivo: ${ticket.pauseReason}`
      return said(ticket, at, { fromMe: true, type: 'system', body })
    }),
  )
  await tx.db.insert(ticketLogs).values(
    resting.map(({ ticket, at }) => ({
      tenantId,
      ticketId: ticket.id,
      type: 'pause' as const,
      userId,
      note: ticket.pauseReason,
      createdAt: at,
    })),
  )
}

const seedSchedules = async (tx: Tx, rows: DemoConversation[], cast: Cast) => {
  const { tenantId } = tx
  const texts = [
    'Bom dia, {{primeiro_nome}}! O seu pedido já está separado na loja.',
    'Oi, {{primeiro_nome}}! Conseguiu ver o link que mandei? Posso ajudar a finalizar.',
  ]
  const hers = openOf(rows, cast, 'ana').filter(({ ticket }) => !ticket.pausedAt)
  await tx.db.insert(schedules).values(
    texts.flatMap((body, n) => {
      const ticket = hers[n]?.ticket
      if (!ticket) return []
      const dueAt = morningIn(n + 1)
      return [
        {
          tenantId,
          contactId: ticket.contactId,
          connectionId: ticket.connectionId,
          body,
          dueAt,
          attemptAt: dueAt,
          wallTime: wallTimeOf(dueAt, timeZone),
          timeZone,
          createdBy: personIn(cast, 'ana').id,
        },
      ]
    }),
  )
}

/** What Ana and Bruno were told in the last days: the older read, the latest not yet. */
const seedNotifications = async (tx: Tx, rows: DemoConversation[], cast: Cast) => {
  const { tenantId } = tx
  const told = [
    { kind: 'message', body: 'Consegue me mandar o código de rastreio?', times: 2 },
    { kind: 'slaBreach', body: 'O prazo da primeira resposta venceu.', times: 1 },
    { kind: 'distributed', body: 'Uma conversa da fila é sua agora.', times: 1 },
    { kind: 'woke', body: 'A pausa terminou: o cliente espera o retorno combinado.', times: 1 },
    { kind: 'message', body: 'Obrigada, chegou direitinho!', times: 1 },
    { kind: 'followed', body: 'O atendimento que você segue foi encerrado.', times: 1 },
  ] as const
  const lines = ['ana', 'bruno'].flatMap((login) => {
    const own = openOf(rows, cast, login)
    return told.flatMap(({ kind, body, times }, n) => {
      const row = own[n % Math.max(own.length, 1)]
      if (!row) return []
      const at = new Date(Date.now() - (12 * minute + n * n * 95 * minute))
      const about = kind === 'slaBreach' || kind === 'woke' ? ` Conversa com ${row.contact.name}.` : ''
      const title = kind === 'message' ? row.contact.name : notificationTitles[kind]
      const { id: ticketId } = row.ticket
      const ofTicket = { subject: ticketId, ticketId, link: `/atendimento/${ticketId}` }
      const readAt = n < 2 ? null : later(at, 9 * minute)
      return [
        { tenantId, userId: personIn(cast, login).id, kind, ...ofTicket, title, body: body + about, times, at, readAt },
      ]
    })
  })
  if (lines.length) await tx.db.insert(notifications).values(lines)
}
