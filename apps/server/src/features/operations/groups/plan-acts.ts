import { mostInGroup, mostPerCall } from '@balcao/contract/channels/group-acts.ts'
import { cutText } from '@balcao/contract/core/cut-text.ts'
import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import {
  type CreateGroups,
  createdNames,
  type GroupAct,
  type GroupActBody,
  groupActLabels,
  type ListPart,
  mostCreated,
  mostOthers,
  mostPlaces,
  numberedTitle,
  numberVariable,
  type PlannedAct,
} from '@balcao/contract/operations/group-acts.ts'
import type { GroupRow } from '@balcao/contract/operations/group-list.ts'
import { sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { type Tx, withTenant } from '../../../db/database.ts'
import { groupActRows } from '../../../db/schema/operations/group-acts.ts'
import type { Actor } from '../../../kit/actor.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { madeOnce } from '../../../kit/made-once.ts'
import { findConnection } from '../../channels/connections/context.ts'
import { parsePhone } from '../../contacts/contacts/phone.ts'
import { enqueueJob, getJob } from '../../core/jobs/jobs.service.ts'
import type { StoredFile } from '../../core/media/media.present.ts'
import { sendableFile } from '../../core/media/stored-files.ts'
import { meantGroups, mostMeant } from './groups.list.ts'

/** One act on many groups as a job: one row for each group, in the order of the list. */
export const enqueueGroupAct = (actor: Actor, asked: GroupActBody): Promise<BulkJob> =>
  madeOnce(
    asked.id,
    () => enqueueAct(actor, asked),
    (id) => getJob(actor, id),
  )
const enqueueAct = (actor: Actor, { id, act, ids, all, restSeconds }: GroupActBody): Promise<BulkJob> =>
  withTenant(actor.tenantId, async (tx) => {
    if (!ids.length && !all) throw fieldErrors({ path: 'ids', message: 'Escolha ao menos um grupo.' })
    const groups = await meantGroups(tx, ids.length ? { ids } : { all: { withLeft: false, ...empty, ...all } })
    if (groups.length > mostMeant)
      throw fieldErrors({ path: 'ids', message: 'São mais de 5.000 grupos. Use a busca ou os filtros.' })
    return plan(tx, actor, { id, act, groups, restSeconds })
  })
const empty = { searchParam: '', connectionIds: [], isAdmin: false }

/** The same by the names of outside callers: groups of one connection, by their contacts. */
export const enqueueNamedAct = (
  actor: Actor,
  { whatsappId, groupIds, restSeconds }: { whatsappId: string; groupIds: string[]; restSeconds: number },
  act: GroupAct,
): Promise<BulkJob> =>
  withTenant(actor.tenantId, async (tx) => {
    const groups = await meantGroups(tx, { connectionId: whatsappId, groupIds })
    const known = new Set(groups.map(({ groupId }) => groupId))
    if (groupIds.some((one) => !known.has(one)))
      throw fieldErrors({ path: 'groupIds', message: 'Este canal não está em um dos grupos. Atualize a lista.' })
    return plan(tx, actor, { act, groups, restSeconds })
  })

type Plan = { id?: string; act: GroupAct; groups: GroupRow[]; restSeconds: number }
const plan = async (tx: Tx, actor: Actor, { id, act, groups, restSeconds }: Plan): Promise<BulkJob> => {
  const able = groups.filter(({ connection }) => connection.acts.includes(act.kind))
  if (!groups.length) throw fieldErrors({ path: 'ids', message: 'Nenhum grupo encontrado. Atualize a lista.' })
  if (!able.length)
    throw new AppError('ERR_CHANNEL_UNSUPPORTED', { message: 'O canal destes grupos não permite fazer isto.' })
  const planned = await checked(tx, actor, act)
  if ('numbers' in planned) checkSize(planned, groups.length)
  const parts = partsOf(planned)
  const rows = groups.flatMap(({ groupId, name, connection }, at) =>
    parts.map((part) => ({
      ...{ groupId, name, connectionId: connection.id, act: forGroup(part, at + 1, groups.length) },
      mediaId: planned.kind === 'picture' ? planned.mediaId : null,
      // Told at once, and the others are done.
      ...(connection.acts.includes(act.kind)
        ? {}
        : { state: 'failed' as const, reason: `O canal ${connection.name} não permite isto.`, doneAt: new Date() }),
    })),
  )
  return enqueue(tx, actor, { id, rows, restSeconds, subject: groupActLabels[act.kind], params: { act: act.kind } })
}

type ActOnPeople = Extract<GroupAct, { numbers: string[] }>
/** Whoever cannot all be in one group is not begun with: nobody knows whom to leave out. */
const checkSize = ({ kind, numbers }: ActOnPeople, groups: number) => {
  const refuse = (message: string) => fieldErrors({ path: 'act.numbers', message })
  if (kind === 'add' && numbers.length > mostOthers)
    throw refuse(
      `São ${written(numbers.length)} pessoas, e um grupo leva no máximo ${written(mostInGroup)}. Divida a lista, ou crie grupos com ela: quem não couber vai para o próximo, numerado.`,
    )
  if (numbers.length * groups > mostPlaces)
    throw refuse(
      `São ${written(numbers.length)} pessoas em ${written(groups)} grupos: mais do que cabe de uma vez. Escolha menos grupos ou divida a lista.`,
    )
}
const written = (count: number) => count.toLocaleString('pt-BR')

/** People of a long list in parts that one call takes, one after the other. */
const partsOf = (act: GroupAct): PlannedAct[] =>
  'numbers' in act ? inParts(act.numbers).map((part) => ({ ...act, ...part })) : [act]
const inParts = (numbers: string[]): { numbers: string[]; part?: ListPart }[] => {
  const of = numbers.length
  if (of <= mostPerCall) return [{ numbers }]
  return chunked(numbers, mostPerCall).map((some, at) => {
    const before = at * mostPerCall
    return { numbers: some, part: { from: before + 1, to: before + some.length, of } }
  })
}
const chunked = <T>(items: T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))

/** Names that ask for a number have one each, in the order of the list. */
const forGroup = (act: PlannedAct, at: number, count: number): PlannedAct =>
  act.kind === 'title' && act.title.includes(numberVariable)
    ? { ...act, title: cutText(numberedTitle(act.title, at, count), 100) }
    : act

/**
 * New groups: one of each name, or several of one, numbered. Each is made with as many people as one call takes, and the
 * others are added once it is there; who finds no place in it is in the next.
 */
export const enqueueCreation = (actor: Actor, asked: CreateGroups): Promise<BulkJob> =>
  madeOnce(
    asked.id,
    () => enqueueGroups(actor, asked),
    (id) => getJob(actor, id),
  )
const enqueueGroups = async (actor: Actor, asked: CreateGroups): Promise<BulkJob> => {
  const connection = await findConnection(asked.whatsappId)
  if (connection?.tenantId !== actor.tenantId) throw new AppError('ERR_NO_WAPP_FOUND')
  if (!connection.abilities.groupActs.includes('create'))
    throw new AppError('ERR_CHANNEL_UNSUPPORTED', { message: `O canal ${connection.name} não cria grupos.` })
  const numbers = phonesOf(asked.numbers, 'numbers')
  const { description, mediaId, restSeconds } = asked
  const places = chunked(numbers, mostOthers)
  const names = createdNames(asked, places.length)
  checkCreation(numbers.length, names.length, places.length)
  if (numbers.length > mostPerCall && !connection.abilities.groupActs.includes('add'))
    throw fieldErrors({
      path: 'numbers',
      message: `O canal ${connection.name} cria grupos de até ${mostPerCall} pessoas, e não adiciona outras.`,
    })
  if (mediaId && !connection.abilities.groupActs.includes('picture'))
    throw fieldErrors({ path: 'mediaId', message: `O canal ${connection.name} não troca a foto de grupos.` })
  return withTenant(actor.tenantId, async (tx) => {
    if (mediaId) await requirePicture(tx, actor, mediaId, 'mediaId')
    const rows = names.flatMap((title, at): NewRow[] => {
      const [first, ...later] = inParts(places[at % places.length] ?? [])
      if (!first) return []
      const id = v7()
      const group = { groupId: null, name: title, connectionId: asked.whatsappId }
      return [
        { ...group, id, act: { kind: 'create', title, description, mediaId, ...first }, mediaId },
        ...later.map((part) => ({
          ...{ ...group, mediaId: null, dueAt: onceMade },
          act: { kind: 'add' as const, invites: true, madeBy: id, ...part },
        })),
      ]
    })
    return enqueue(tx, actor, {
      id: asked.id,
      rows,
      restSeconds,
      subject: `${groupActLabels.create} · ${shortNames(names)}`,
      params: { act: 'create' },
    })
  })
}

const checkCreation = (people: number, groups: number, parts: number) => {
  const refuse = (message: string) => fieldErrors({ path: 'numbers', message })
  if (groups > mostCreated)
    throw refuse(
      `São ${written(people)} pessoas, ${written(parts)} grupos cheios para cada nome: ao todo ${written(groups)} grupos. Crie no máximo ${mostCreated} de cada vez.`,
    )
  if ((people / parts) * groups > mostPlaces)
    throw refuse('São pessoas demais em grupos demais. Crie menos grupos ou divida a lista.')
}

/** "Turma 01", "Turma 01 a Turma 20". */
const shortNames = (names: string[]) => [...new Set([names[0], names.at(-1)])].join(' a ')

type Row = typeof groupActRows.$inferInsert
export type NewRow = Pick<Row, 'groupId' | 'name' | 'connectionId' | 'act' | 'mediaId' | 'state'> & {
  id?: string
  dueAt?: typeof onceMade
}
/** When whoever is added to a group that is to be made has their turn. */
export const onceMade = sql`'infinity'::timestamptz`
type Enqueued = { id?: string; rows: NewRow[]; restSeconds: number; subject: string; params: { act: string } }
const enqueue = async (
  tx: Tx,
  actor: Actor,
  { id, rows, restSeconds, subject, params }: Enqueued,
): Promise<BulkJob> => {
  const total = rows.length
  const isInParts = rows.some(({ act }) => 'part' in act && act.part)
  const asked = { ...params, restSeconds, ...(isInParts && { isInParts }) }
  const job = await enqueueJob(tx, actor, { id, kind: 'groupAct', params: asked, total, subject })
  await insertRows(tx, job.id, rows)
  return job
}

export const insertRows = async (tx: Tx, jobId: string, rows: NewRow[]) => {
  const { tenantId } = tx
  for (let at = 0; at < rows.length; at += 500)
    await tx.db
      .insert(groupActRows)
      .values(
        rows.slice(at, at + 500).map((row, n) => ({ ...row, id: row.id ?? v7(), tenantId, jobId, place: at + n })),
      )
}

/** Throws where a picture is none of this person's, or a number cannot exist. */
const checked = async (tx: Tx, actor: Actor, act: GroupAct): Promise<GroupAct> => {
  if (act.kind === 'picture') {
    await requirePicture(tx, actor, act.mediaId, 'act.mediaId')
    return act
  }
  if (!('numbers' in act)) return act
  // Members may be named as their group calls them.
  const isOfGroup = (one: string) => one.includes('@') || /^\d{8,}$/.test(one)
  const read = (one: string) => parsePhone(one) ?? (act.kind !== 'add' && isOfGroup(one) ? one : undefined)
  return { ...act, numbers: phonesOf(act.numbers, 'act.numbers', read) }
}
const requirePicture = async (tx: Tx, actor: Actor, mediaId: string, path: string) => {
  const [file] = await tx.rows<StoredFile>(sendableFile, [tx.tenantId, mediaId, actor.userId, actor.queueIds])
  if (file?.kind !== 'image') throw fieldErrors({ path, message: 'Escolha uma foto JPG ou PNG.' })
}
/** Throws with all that are none, each by its place: a list is corrected at once. */
const phonesOf = (numbers: string[], path: string, read = parsePhone): string[] => {
  const parsed = numbers.map((typed) => ({ typed, phone: read(typed) }))
  const wrong = parsed.flatMap(({ typed, phone }, at) =>
    phone ? [] : { path: `${path}.${at}`, message: `“${cutText(typed, 30)}” não é um telefone: informe DDD e número.` },
  )
  if (wrong.length) throw fieldErrors(...wrong)
  return [...new Set(parsed.flatMap(({ phone }) => phone ?? []))]
}
