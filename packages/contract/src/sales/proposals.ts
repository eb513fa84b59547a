import { z } from 'zod'
import { hexColor, id, moment, namedRef } from '../common.ts'
import { media } from '../core/media.ts'
import { opportunityItem } from './opportunities.ts'

export const proposalStates = ['open', 'accepted', 'expired', 'revoked'] as const
export type ProposalState = (typeof proposalStates)[number]
export const proposalStateLabels: Record<ProposalState, string> = {
  open: 'Espera o aceite',
  accepted: 'Aceita',
  expired: 'Vencida',
  revoked: 'Revogada',
}

/** What of an opportunity was offered, as it was then. */
export const proposal = z.object({
  id,
  /** Of the company, from 1 on. */
  number: z.int(),
  state: z.enum(proposalStates),
  text: z.string(),
  items: z.array(opportunityItem),
  /** In cents. */
  value: z.int(),
  user: namedRef.nullable(),
  createdAt: moment,
  expiresAt: moment,
  accepted: z.object({ name: z.string(), at: moment, ip: z.string(), userAgent: z.string() }).nullable(),
})
export type Proposal = z.output<typeof proposal>
/** The address is told once: only its fingerprint is kept. */
export const newProposal = proposal.extend({ url: z.string() })
export type NewProposal = z.output<typeof newProposal>

/** POST /opportunities/{id}/proposals: of its products as they are now; those sent before are revoked. */
export const proposalWrite = z.object({
  /** What stands above the products: conditions, payment, delivery. */
  text: z.string().trim().max(4_000, 'Use no máximo 4.000 caracteres.').default(''),
  validDays: z
    .int('Informe um número inteiro de dias.')
    .min(1, 'Pelo menos 1 dia.')
    .max(180, 'No máximo 180 dias.')
    .default(15),
})
export type ProposalWrite = z.output<typeof proposalWrite>

/** GET /proposal/{token}: what whoever has the address sees. */
export const proposalPage = z.object({
  company: z.object({ name: z.string(), logoUrl: z.string().nullable(), color: hexColor, timezone: z.string() }),
  number: z.int(),
  title: z.string(),
  contact: z.string(),
  text: z.string(),
  items: z.array(opportunityItem),
  value: z.int(),
  createdAt: moment,
  expiresAt: moment,
  accepted: z.object({ name: z.string(), at: moment }).nullable(),
})
export type ProposalPage = z.output<typeof proposalPage>
/** POST /proposal/{token}/accept. */
export const proposalAccept = z.strictObject({
  name: z.string().trim().min(3, 'Escreva seu nome completo.').max(120, 'Use no máximo 120 caracteres.'),
})

/** A file kept with an opportunity. */
export const opportunityFile = z.object({ id, media, user: namedRef.nullable(), createdAt: moment })
export type OpportunityFile = z.output<typeof opportunityFile>
export const opportunityFileWrite = z.strictObject({ mediaId: id })
