import { z } from 'zod'

/** An id of ours: UUIDv7 as text. */
export const id = z.uuid('Identificador inválido.')
/** An id, or whatever carries it. */
export const idOf = z.union([id, z.object({ id }).transform((row) => row.id)], 'Identificador inválido.')
/** A tenant's id: a small integer. 0 is the platform itself. */
export const tenantId = z.int32().nonnegative()
/** A moment, ISO 8601 in UTC. */
/** What a client makes may have an id of the client's choice: sent again with it, it is made once. */
export const chosenId = { id: id.optional() }
export const moment = z.iso.datetime()
export const hexColor = z.string().regex(/^#[0-9a-f]{6}$/i, 'Escolha uma cor no formato #RRGGBB.')
export const email = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(z.email({ error: ({ input }) => (input === '' ? 'Informe o e-mail.' : 'E-mail inválido.') }))
  .pipe(z.string().max(254))
export const personName = z.string().trim().min(1, 'Informe o nome.').max(120, 'Use no máximo 120 caracteres.')
/** `HH:mm` on a 24 h clock. */
export const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Use o formato HH:MM.')
const isTimezone = (name: string) => {
  try {
    return new Intl.DateTimeFormat('pt-BR', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
/** An IANA time zone, as `America/Sao_Paulo`. */
export const timezone = z.string().max(60).refine(isTimezone, 'Fuso horário desconhecido.')
/** `true`, `false`, `1`, `0`, `enabled` in a query string. */
export const queryFlag = z.preprocess(
  (value) => (typeof value === 'string' ? ['true', '1', 'enabled'].includes(value) : value),
  z.boolean(),
)
/** One or many values in a query string (`a=1&a=2`, `a[]=1` or `a=1,2`). */
export const queryList = <T extends z.ZodType>(item: T) =>
  z.preprocess((value) => {
    if (value === undefined || value === '') return []
    return (Array.isArray(value) ? value : String(value).split(',')).filter((part) => part !== '')
  }, z.array(item).max(500))

export const pageQuery = z.object({
  searchParam: z.string().trim().max(200).default(''),
  pageNumber: z.coerce.number().int().min(1).max(10_000).default(1),
  cursor: z.string().max(500).optional(),
  limit: z.coerce.number().int().min(1).max(200).optional(),
  count: queryFlag.default(false),
})

/** What every list answers. `count` only when it was asked for. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({
    items: z.array(item),
    hasMore: z.boolean(),
    nextCursor: z.string().nullable(),
    count: z.int().optional(),
  })
export type Page<T> = { items: T[]; hasMore: boolean; nextCursor: string | null; count?: number }

/** A row known by id and name, as it travels inside other rows. */
export const namedRef = z.object({ id, name: z.string() })
export const colorRef = namedRef.extend({ color: z.string() })
