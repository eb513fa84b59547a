import { z } from 'zod'
import { memberActs, mostInGroup } from '../channels/group-acts.ts'
import { chosenId, id, moment, namedRef, pageQuery, queryList } from '../common.ts'
import { cutText } from '../core/cut-text.ts'
import { placeholdersIn } from '../variables.ts'
import { scheduleCreate } from './schedules.ts'

/** Where a name says it, each of several groups has its number. */
export const numberVariable = '{{numero}}'
const longTitle = 'O nome de um grupo leva no máximo 100 caracteres.'
const title = z
  .string()
  .trim()
  .min(1, 'Escreva o nome.')
  .max(100, longTitle)
  .superRefine((text, context) => {
    const unknown = placeholdersIn(text).find(({ name }) => `{{${name}}}` !== numberVariable)
    if (unknown)
      context.addIssue({
        code: 'custom',
        message: `Aqui só existe ${numberVariable}: “{{${unknown.name}}}” ficaria no nome.`,
      })
  })
const description = z.string().trim().max(2_048, 'A descrição leva no máximo 2.048 caracteres.')
export const mostNumbers = 20_000
const numbers = z
  // Which of them are telephones is told of all at once, by whoever knows the numbering plans.
  .array(z.string().trim().max(60, 'Há um número longo demais: use uma linha para cada um.'))
  .min(1, 'Informe ao menos um número.')
  .max(mostNumbers, 'Informe no máximo 20.000 números de cada vez.')
/** People times groups of one job: each is an answer of its own. */
export const mostPlaces = 1_000_000
/** So many others has a group that one of our numbers made. */
export const mostOthers = mostInGroup - 1

/** What is done to each group. `picture` is a stored file, or an address it is fetched from. */
export const groupAct = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('title'), title }),
  z.strictObject({ kind: z.literal('description'), description }),
  z.strictObject({ kind: z.literal('picture'), mediaId: z.uuid('Escolha a foto.') }),
  z.strictObject({ kind: z.literal('adminsOnly'), isOn: z.boolean() }),
  z.strictObject({
    kind: z.enum(memberActs),
    numbers,
    /** Who lets nobody add them is written to, with the group's link. */
    invites: z.boolean().default(true),
  }),
  /** `isRenewed`: the old link leads nowhere any more. */
  z.strictObject({ kind: z.literal('inviteLink'), isRenewed: z.boolean().default(false) }),
])
export type GroupAct = z.output<typeof groupAct>
/** Which people of a longer list a row is about: the first is 1. */
export const listPart = z.object({ from: z.int(), to: z.int(), of: z.int() })
export type ListPart = z.output<typeof listPart>
type MemberAct = Extract<GroupAct, { numbers: string[] }>
/**
 * What one row of a job does: an act, of a long list with what one call takes; or a group that is to be made with the first
 * of its people. `madeBy`: the row that makes the group the others of them are added to.
 */
export type PlannedAct =
  | Exclude<GroupAct, MemberAct>
  | (MemberAct & { part?: ListPart; madeBy?: string })
  | { kind: 'create'; title: string; description: string; numbers: string[]; part?: ListPart; mediaId?: string | null }

/** Seconds between two groups of one connection; each rest is up to 40 % shorter or longer. */
const restSeconds = z
  .int('Informe um número inteiro.')
  .min(3, 'O menor intervalo é 3 segundos.')
  .max(600, 'O maior intervalo é 600 segundos.')
  .default(8)

/** POST /groupActs: to the groups chosen (`groupRow.id`), or to all that the list shows. */
export const groupActBody = z.strictObject({
  ...chosenId,
  act: groupAct,
  ids: z.array(id).max(1_000, 'Escolha no máximo 1.000 grupos.').default([]),
  all: z
    .object({
      searchParam: pageQuery.shape.searchParam,
      connectionIds: z.array(id).default([]),
      isAdmin: z.boolean().default(false),
    })
    .optional(),
  restSeconds,
})
export type GroupActBody = z.output<typeof groupActBody>

/** POST /groups/schedule: one message to each of the groups chosen, at its time. Sent again with the same `id`, it schedules once. */
export const groupScheduleBody = groupActBody
  .pick({ ids: true, all: true })
  .extend(scheduleCreate.pick({ id: true, body: true, mediaId: true, scheduleDate: true }).shape)
export const groupScheduled = z.object({ scheduled: z.int() })

export const mostCreated = 200
/**
 * POST /createGroups: `quantity` groups of one name, numbered where there are several; or one of each of `titles`. Who finds
 * no place in a group is in the next, numbered, of the same name.
 */
export const createGroupsBody = z
  .strictObject({
    ...chosenId,
    whatsappId: z.uuid('Escolha o canal.'),
    title: title.or(z.literal('')).default(''),
    titles: z.array(z.string().trim()).default([]),
    description: description.default(''),
    mediaId: z.uuid('Escolha a foto.').nullable().default(null),
    numbers,
    quantity: z
      .int('Informe um número inteiro.')
      .min(1, 'Crie ao menos um grupo.')
      .max(mostCreated, 'Crie no máximo 200 grupos de cada vez.')
      .default(1),
    restSeconds: restSeconds.unwrap().default(30),
  })
  .superRefine(({ title: one, titles }, context) => {
    const wrong = (message: string) => context.addIssue({ code: 'custom', path: ['title'], message })
    if (!one && !titles.length) return wrong('Escreva o nome.')
    if (titles.length > mostCreated)
      return wrong(`São ${titles.length} nomes: crie no máximo ${mostCreated} grupos de cada vez.`)
    const seen = new Set<string>()
    for (const name of titles) {
      const { error } = title.safeParse(name)
      if (error) return wrong(`“${cutText(name, 30)}”: ${error.issues[0]?.message}`)
      if (seen.has(name.toLowerCase())) return wrong(`O nome “${name}” aparece duas vezes.`)
      seen.add(name.toLowerCase())
    }
  })
export type CreateGroups = z.output<typeof createGroupsBody>
/** `Turma 1`, `Turma 2`…, or where the name says `{{numero}}`, there; of ten and more `Turma 01`, so that lists keep their order. */
export const numberedTitle = (name: string, at: number, quantity: number): string => {
  const number = String(at).padStart(String(quantity).length, '0')
  if (name.includes(numberVariable)) return name.replaceAll(numberVariable, number)
  return quantity > 1 ? `${cutText(name, 96)} ${number}` : name
}

/** What the groups that are made are called, `parts` for each that was asked for: as many as its people need. */
export const createdNames = (
  { title, titles, quantity }: Pick<CreateGroups, 'title' | 'titles' | 'quantity'>,
  parts: number,
): string[] => {
  const several = (name: string, count: number) =>
    Array.from({ length: count }, (_, at) => numberedTitle(name, at + 1, count))
  if (!titles.length) return several(title, quantity * parts)
  if (parts > 1) return titles.flatMap((name) => several(name, parts))
  return titles.map((name, at) => (name.includes(numberVariable) ? numberedTitle(name, at + 1, titles.length) : name))
}

const named = z.object({
  whatsappId: z.uuid('Escolha o canal.'),
  groupIds: z.array(id).min(1, 'Escolha ao menos um grupo.').max(1_000),
  restSeconds,
})
/** The acts by the names outside callers know. */
export const namedActs = {
  changeTitles: named.extend({ title }),
  changeDescriptions: named.extend({ description }),
  changePicturesUrl: named.extend({ url: z.url({ protocol: /^https?$/, error: 'Endereço inválido.' }) }),
  changePicturesFile: named.extend({ mediaId: z.uuid('Escolha a foto.') }),
  setAdminsOnlyForGroups: named.extend({ adminsOnly: z.boolean() }),
  memberAct: named.extend({ numbers }),
  inviteLinks: named.extend({ isRenewed: z.boolean().default(false) }),
}

/** `refused`: done to nobody; `part`: to some of the people; `undone`: taken back since. */
export const groupActStates = ['waiting', 'doing', 'done', 'part', 'failed', 'canceled'] as const
export type GroupActState = (typeof groupActStates)[number]
export const groupActStateLabels: Record<GroupActState, string> = {
  waiting: 'Na fila',
  doing: 'Fazendo',
  done: 'Feito',
  part: 'Feito em parte',
  failed: 'Não feito',
  canceled: 'Cancelado',
}

/** What became of one person. `invited`: they let nobody add them; the link is to be sent to them. */
export const personOutcomes = ['done', 'already', 'invited', 'refused'] as const
export const personResult = z.object({
  number: z.string(),
  outcome: z.enum(personOutcomes),
  reason: z.string().nullable(),
})
export type PersonResult = z.output<typeof personResult>

/** GET /groupActs/{jobId}/rows: what became of each group. */
export const groupActRow = z.object({
  id,
  /** Null until a group that is to be created exists. */
  groupId: id.nullable(),
  name: z.string(),
  connection: namedRef,
  state: z.enum(groupActStates),
  reason: z.string().nullable(),
  /** Of a longer list of people, those this line is about. */
  part: listPart.nullable(),
  people: z.array(personResult),
  inviteUrl: z.string().nullable(),
  /** There was a link, and another one took its place since: whoever follows it is refused. */
  isLinkOld: z.boolean(),
  doneAt: moment.nullable(),
})
export type GroupActRow = z.output<typeof groupActRow>
export const groupActRowsQuery = pageQuery
  .pick({ cursor: true, limit: true })
  .extend({ state: queryList(z.enum(groupActStates)) })
export type GroupActRowsQuery = z.output<typeof groupActRowsQuery>

export const groupActLabels: Record<GroupAct['kind'] | 'create', string> = {
  create: 'Criar grupos',
  title: 'Trocar o nome',
  description: 'Trocar a descrição',
  picture: 'Trocar a foto',
  adminsOnly: 'Quem pode escrever',
  add: 'Adicionar pessoas',
  remove: 'Remover pessoas',
  promote: 'Tornar administradores',
  demote: 'Tirar administradores',
  inviteLink: 'Links de convite',
}
