import { z } from 'zod'

/**
 * One spelling for WhatsApp's fields: libraries write them `stanzaId` and `url`, or `stanzaID` and `URL`. A copy; what is
 * no record stays as it is.
 */
export const oneSpelling = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(oneSpelling)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [spelled(name), oneSpelling(inner)]))
}
const spelled = (name: string) =>
  name.replace(/[A-Z]+/g, (run, at: number) => {
    const opensWord = /[a-z]/.test(name[at + run.length] ?? '')
    const [head, next] = opensWord ? [run.slice(0, -1), run.slice(-1)] : [run, '']
    if (at === 0) return head ? `${head.toLowerCase()}${next}` : next.toLowerCase()
    return `${head.slice(0, 1)}${head.slice(1).toLowerCase()}${next}`
  })

/** A number of up to 64 bits, in the three ways libraries write it. */
export const long = z.union([
  z.number(),
  z
    .string()
    .regex(/^\d{1,17}$/)
    .transform(Number),
  z.object({ low: z.int(), high: z.int() }).transform(({ low, high }) => (low >>> 0) + high * 2 ** 32),
])

/** Seconds or milliseconds, as a number, its text, a long, or a date written out. */
export const moment = z.union([
  long.refine((at) => at >= 0 && at < 1e14).transform((at) => new Date(at < 1e11 ? at * 1_000 : at)),
  z.iso.datetime({ offset: true }).transform((at) => new Date(at)),
])
