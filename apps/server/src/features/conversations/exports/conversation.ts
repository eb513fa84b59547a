import { channels } from '@balcao/contract/channels/index.ts'
import type { ExportFormat } from '@balcao/contract/conversations/exports.ts'
import { numberedText } from '@balcao/contract/conversations/interactive.ts'
import { messageLabels } from '@balcao/contract/conversations/message-labels.ts'
import type { Interactive, MessageType } from '@balcao/contract/conversations/messages.ts'
import type { Ticket, TicketStatus } from '@balcao/contract/conversations/tickets.ts'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { AppError } from '../../../kit/errors.ts'
import { pageTurn } from '../../../kit/fair-turn.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import { readStretch } from '../messages/read-messages.ts'
import { getVisibleTicket } from '../tickets/tickets.service.ts'
import type { MessageRow } from '../timeline/messages.present.ts'

/** A conversation as it leaves the house: its head, and its messages page by page. */
export type Conversation = {
  company: string
  title: string
  facts: { label: string; value: string }[]
  timeZone: string
  messages: AsyncIterable<ExportedMessage>
}
export type ExportedFile = { id: string; key: string; name: string; mime: string; size: number; kind: string }
export type ExportedMessage = {
  side: 'theirs' | 'ours' | 'note' | 'system'
  who: string
  /** Day and time in the company's time zone. */
  day: string
  time: string
  body: string
  /** "editada", "encaminhada", "apagada". */
  marks: string[]
  quoted: string | null
  place: { text: string; url: string } | null
  cards: string[]
  reactions: string
  file: ExportedFile | null
}

const pageSize = 200
const maxFileBytes = 500 * 1024 * 1024
/** What one file of each kind can sensibly hold. */
const mostMessages: Record<ExportFormat, number> = { pdf: 20_000, html: 50_000, text: 100_000 }

/** Whose eyes it is read with. */
export type Reader = Pick<Actor, 'tenantId' | 'userId' | 'name' | 'permissions'>
/** Opens a conversation for export: refused before anything is sent when it does not fit. */
export const openConversation = async (
  actor: Reader,
  ticketId: string,
  { format, includeNotes }: { format: ExportFormat; includeNotes: boolean },
): Promise<Conversation & { ticket: Ticket; size: number }> => {
  if (includeNotes && !actor.permissions.has('notes.read')) throw new AppError('ERR_NO_PERMISSION')
  const directory = await getDirectory(actor.tenantId)
  const { ticket, size } = await withTenant(actor.tenantId, async (tx) => {
    const ticket = await getVisibleTicket(tx, actor, ticketId)
    const [size] = await tx.rows<{ messages: number; bytes: number }>(sizeOf, [tx.tenantId, ticketId])
    return { ticket, size }
  })
  refuseTooLarge(format, size?.messages ?? 0, size?.bytes ?? 0)
  const write = clock(directory.timezone)
  const facts = [
    { label: 'Protocolo', value: ticket.protocol },
    {
      label: 'Contato',
      value: [ticket.name, ticket.contact.number && `+${ticket.contact.number}`].filter(Boolean).join(' · '),
    },
    { label: 'Canal', value: `${channels[ticket.channel].label} · ${ticket.whatsapp.name}` },
    { label: 'Fila', value: ticket.queue?.name ?? '' },
    { label: 'Atendente', value: ticket.username ?? '' },
    { label: 'Situação', value: statusText[ticket.status] },
    { label: 'Aberto em', value: write.whole(ticket.createdAt) },
    { label: 'Encerrado em', value: ticket.closedAt ? write.whole(ticket.closedAt) : '' },
    { label: 'Notas internas', value: includeNotes ? 'Incluídas' : 'Não incluídas' },
    {
      label: 'Exportado',
      value: `${write.whole(new Date().toISOString())} por ${actor.name} (horário de ${directory.timezone})`,
    },
  ]
  return {
    ticket,
    size: size?.messages ?? 0,
    company: plain(directory.name),
    title: plain(`Conversa com ${ticket.name}`),
    facts: facts.filter((fact) => fact.value).map(({ label, value }) => ({ label, value: plain(value) })),
    timeZone: directory.timezone,
    messages: readMessages(actor, directory, ticket, includeNotes),
  }
}

const statusText: Record<TicketStatus, string> = { open: 'Em atendimento', pending: 'Aguardando', closed: 'Encerrado' }

const refuseTooLarge = (format: ExportFormat, messages: number, bytes: number) => {
  const most = mostMessages[format]
  const number = (value: number) => value.toLocaleString('pt-BR')
  if (messages > most) {
    const instead = { pdf: 'Exporte em HTML ou em texto.', html: 'Exporte em texto.', text: 'Fale com o suporte.' }[
      format
    ]
    const message = `Esta conversa tem ${number(messages)} mensagens, e o limite é ${number(most)}. ${instead}`
    throw new AppError('ERR_TOO_LARGE', { message })
  }
  if (format === 'html' && bytes > maxFileBytes) {
    const message = `Os arquivos desta conversa somam ${number(Math.round(bytes / 1024 / 1024))} MB, e o limite é 500 MB. Exporte em PDF ou em texto.`
    throw new AppError('ERR_TOO_LARGE', { message })
  }
}

/** Page after page, each asked for with the person's rights of that moment: no transaction and no list stays open. */
async function* readMessages(actor: Reader, directory: Directory, ticket: Ticket, includeNotes: boolean) {
  const describe = describer(directory, ticket)
  for (let after = 0; ; ) {
    const readPage = async (tx: Tx) => {
      await getVisibleTicket(tx, actor, ticket.id)
      const rows = await readStretch(tx, ticket.id, after, pageSize)
      const ids = rows.flatMap((row) => (row.file && !row.isDeleted ? [row.file.id] : []))
      const keys = ids.length ? await tx.rows<{ id: string; key: string }>(fileKeys, [tx.tenantId, ids]) : []
      return { rows, keys: new Map(keys.map(({ id, key }) => [id, key])) }
    }
    const { rows, keys } = await pageTurn(actor.tenantId, () => withTenant(actor.tenantId, readPage))
    for (const row of rows) {
      if (row.type === 'reaction' || (!includeNotes && isOfTheTeam(row))) continue
      yield describe(row, row.file ? keys.get(row.file.id) : undefined)
    }
    const last = rows.at(-1)
    if (!last || rows.length < pageSize) return
    after = last.seq
  }
}

/** Who took it, why it was paused: what the conversation says of itself is the team's as notes are. */
const isOfTheTeam = ({ type }: MessageRow) => type === 'note' || type === 'system'

const describer = (directory: Directory, ticket: Ticket) => {
  const write = clock(directory.timezone)
  const nameOf = (userId: string) => directory.people.get(userId)?.name ?? 'Usuário removido'
  return (row: MessageRow, key: string | undefined): ExportedMessage => {
    const author = row.userId ? nameOf(row.userId) : directory.name
    const side = row.type === 'system' ? 'system' : row.type === 'note' ? 'note' : row.fromMe ? 'ours' : 'theirs'
    const marks = [
      row.type === 'note' ? 'nota interna' : '',
      row.isForwarded ? 'encaminhada' : '',
      row.isDeleted ? 'apagada' : row.editedAt ? 'editada' : '',
      row.status === 'failed' ? 'não enviada' : '',
      row.status === 'uncertain' ? 'entrega incerta' : '',
    ]
    const { file, location } = row
    return {
      side,
      // In a group everybody speaks for themself.
      who: plain(side === 'theirs' ? row.author?.name || ticket.name : author),
      ...write.parts(row.timestamp),
      body: row.isDeleted ? 'Mensagem apagada' : plain(wordsOf(row, author)),
      marks: marks.filter(Boolean),
      quoted: row.quoted && plain(row.quoted.body || typeText(row.quoted.type)),
      place: location && !row.isDeleted ? placeOf(location) : null,
      cards: row.isDeleted
        ? []
        : (row.contacts ?? []).map((card) => plain([card.name, ...card.phones, ...card.emails].join(' · '))),
      reactions: (row.reactions ?? []).flatMap(({ emoji }) => emoji || []).join(' '),
      file: file && key && !row.isDeleted ? { ...file, key, name: plain(file.name) } : null,
    }
  }
}

const wordsOf = (row: MessageRow, author: string): string => {
  const signature = `*${author}*:\n`
  const body = row.fromMe && row.body.startsWith(signature) ? row.body.slice(signature.length) : row.body
  if (row.payload?.interactive?.kind === 'poll') return pollText(row, row.payload.interactive)
  if (row.payload?.interactive) return numberedText(row.payload.interactive, body)
  if (row.type === 'unsupported' && !body) return 'Mensagem que só o aplicativo do canal mostra'
  return row.mediaState === 'failed' ? [body, '(arquivo não recebido)'].filter(Boolean).join('\n') : body
}

/** Its question and options, each with how many chose it and who. */
const pollText = ({ body, votes }: MessageRow, { options }: Interactive): string => {
  const lines = options.map(({ title }, at) => {
    const chosen = votes?.options.find(({ option }) => option === at)
    if (!chosen) return `${at + 1}. ${title}: 0 votos`
    const who = chosen.who.map(({ fromMe, name }) => (fromMe ? 'Equipe' : (name ?? 'Cliente')))
    const others = chosen.count > who.length ? ['outros'] : []
    const names = new Intl.ListFormat('pt-BR').format([...who, ...others])
    return `${at + 1}. ${title}: ${chosen.count} ${chosen.count === 1 ? 'voto' : 'votos'} (${names})`
  })
  return [`Enquete: ${body}`, ...lines].join('\n')
}

const placeOf = ({ latitude, longitude, name, address }: NonNullable<MessageRow['location']>) => ({
  text: plain([name, address, `${latitude}, ${longitude}`].filter(Boolean).join(' · ')),
  url: `https://www.google.com/maps/search/?api=1&query=${latitude},${longitude}`,
})

const typeText = (type: MessageType) => messageLabels[type] ?? 'Mensagem'

/** As text one can trust: no control signs, none that turn the direction of what follows. */
export const plain = (text: string) =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, (sign) =>
      /[\n\t]/.test(sign) ? sign : '',
    )

const clock = (timeZone: string) => {
  const day = new Intl.DateTimeFormat('pt-BR', { timeZone, day: '2-digit', month: '2-digit', year: 'numeric' })
  const time = new Intl.DateTimeFormat('pt-BR', { timeZone, hour: '2-digit', minute: '2-digit' })
  return {
    whole: (moment: string) => `${day.format(new Date(moment))} ${time.format(new Date(moment))}`,
    parts: (moment: Date) => ({ day: day.format(moment), time: time.format(moment) }),
  }
}

const sizeOf: Prepared = {
  name: 'export_size',
  text: `select count(*) as messages, coalesce(sum(f.size), 0)::float8 as bytes from messages m
    left join files f on f.tenant_id = m.tenant_id and f.id = m.media_id and not m.is_deleted
    where m.tenant_id = $1 and m.ticket_id = $2`,
}
const fileKeys: Prepared = {
  name: 'export_file_keys',
  text: 'select id, key from files where tenant_id = $1 and id = any($2::uuid[])',
}
