import { z } from 'zod'
import { id, moment, namedRef, pageQuery, queryList } from '../common.ts'

export const ratingStatuses = ['pending', 'answered', 'expired'] as const

/** One line of the scale: what the customer reads, and what they are told after choosing it. */
export const ratingOption = z.object({
  value: z.int().min(0).max(10),
  label: z.string().trim().min(1, 'Informe o texto.').max(60, 'Use no máximo 60 caracteres.'),
  message: z.string().trim().max(500, 'Use no máximo 500 caracteres.').default(''),
})

/** What asking for a grade consists of (domain §23). */
export const ratingSettings = z.object({
  /** Before the scale. */
  question: z.string().trim().min(1, 'Escreva a pergunta.').max(1_000),
  options: z
    .array(ratingOption)
    .min(2, 'Use pelo menos duas notas.')
    .max(11, 'Use no máximo onze notas.')
    .refine(
      (options) => new Set(options.map((one) => one.value)).size === options.length,
      'Cada nota aparece uma vez só.',
    )
    .refine(
      (options) => new Set(options.map((one) => one.label.toLowerCase())).size === options.length,
      'Cada nota precisa do seu próprio texto.',
    )
    .meta({
      examples: [
        [
          { value: 1, label: 'Ruim' },
          { value: 5, label: 'Ótimo' },
        ],
      ],
    }),
  thanks: z.string().trim().max(500),
  /** After an answer that is no grade, while attempts are left. */
  retry: z.string().trim().max(500),
  attempts: z.int().min(1).max(5),
  /** Minutes the question stays open. */
  expiresIn: z.int().min(1).max(10_080),
})
export type RatingSettings = z.output<typeof ratingSettings>

export const rating = z.object({
  id,
  ticketId: id,
  protocol: z.string(),
  contact: namedRef,
  user: namedRef.nullable(),
  queue: namedRef.nullable(),
  status: z.enum(ratingStatuses),
  grade: z.int().nullable(),
  comment: z.string(),
  attempts: z.int(),
  answeredAt: moment.nullable(),
  createdAt: moment,
})
export type Rating = z.output<typeof rating>

export const ratingsQuery = pageQuery.extend({
  grades: queryList(z.coerce.number().int().min(0).max(10)),
  status: queryList(z.enum(ratingStatuses)),
  userIds: queryList(id),
  queuesIds: queryList(id),
  dateFrom: z.iso.date().optional(),
  dateTo: z.iso.date().optional(),
})
export type RatingsQuery = z.output<typeof ratingsQuery>

/** What the questions of a list came to. `answered` of `asked` were graded; `average` of those. */
export const ratingSummary = z.object({
  asked: z.int(),
  answered: z.int(),
  average: z.number().nullable(),
  grades: z.array(z.object({ grade: z.int(), count: z.int() })),
  /** Who served, the most graded first. */
  people: z.array(
    z.object({ user: namedRef.nullable(), asked: z.int(), answered: z.int(), average: z.number().nullable() }),
  ),
})
export type RatingSummary = z.output<typeof ratingSummary>

const grade = z.int().min(0).max(10)
const comment = z.string().trim().max(1_000, 'Use no máximo 1.000 caracteres.')
/** POST and PUT /ticketEvaluations: a grade the customer gave by another way. */
export const ratingCreate = z.strictObject({ ticketId: id, grade, comment: comment.default('') })
export const ratingUpdate = z.strictObject({ grade, comment: comment.optional() })
/** PUT /tenantsRatingData: everything but the scale. */
export const ratingTexts = ratingSettings.omit({ options: true }).partial().strict()
