import { defaultSystemColors } from '@balcao/contract/people/settings.ts'
import type { Opportunity } from '@balcao/contract/sales/opportunities.ts'
import type {
  NewProposal,
  Proposal,
  ProposalPage,
  ProposalState,
  ProposalWrite,
} from '@balcao/contract/sales/proposals.ts'
import { v7 } from 'uuid'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import { env } from '../../../env.ts'
import type { Actor } from '../../../kit/actor.ts'
import { hashToken, randomToken } from '../../../kit/crypto.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { type Directory, findDirectory, getDirectory } from '../../core/directory/directory.ts'
import { pictureUrl } from '../../core/media/media.present.ts'
import { getOpportunityIn, noteOnOpportunity } from './opportunities.service.ts'
import { proposalPdf } from './proposal-pdf.ts'

/** What was offered of an opportunity, newest first. */
export const listProposals = async (actor: Actor, opportunityId: string): Promise<Proposal[]> => {
  const directory = await getDirectory(actor.tenantId)
  return withTenant(actor.tenantId, async (tx) => {
    await getOpportunityIn(tx, actor, directory, opportunityId)
    const rows = await tx.rows<Row>(ofOpportunity, [tx.tenantId, opportunityId])
    return rows.map((row) => presentProposal(row, directory))
  })
}

/**
 * Offers the products as they are now under a new number, and revokes what was offered before. Only the fingerprint of the
 * address is kept, so it is told now and never again; the company's number goes before the secret, so that the row is found
 * under the company's own policy.
 */
export const createProposal = async (
  actor: Actor,
  opportunityId: string,
  { text, validDays }: ProposalWrite,
): Promise<NewProposal> => {
  const directory = await getDirectory(actor.tenantId)
  return withTenant(actor.tenantId, async (tx) => {
    const opportunity = await getOpportunityIn(tx, actor, directory, opportunityId, true)
    if (!opportunity.items.length)
      throw fieldErrors({ path: 'items', message: 'Inclua pelo menos um produto antes de fazer a proposta.' })
    await tx.rows(revokeOpen, [tx.tenantId, opportunityId])
    const token = `${tx.tenantId.toString(36)}-${randomToken(32)}`
    // Numbers follow each other without a gap: whoever takes one at this moment comes after.
    await tx.rows(lockNumbers, [tx.tenantId])
    const [row] = await tx.rows<Row>(insert, [
      ...[tx.tenantId, v7(), opportunityId, text, JSON.stringify(opportunity.items), opportunity.value],
      ...[hashToken(token), actor.userId, validDays],
    ])
    if (!row) throw new Error('The proposal was not stored')
    await noteOnOpportunity(tx, directory, opportunityId, {
      ...{ actor, kind: 'proposal', to: `Proposta nº ${row.number} feita, ${money(row.value)}` },
    })
    return { ...presentProposal(row, directory), url: `${env.PUBLIC_URL}/proposta/${token}` }
  })
}

/** From now on its address leads nowhere; an accepted one stays as it is. */
export const revokeProposal = async (actor: Actor, opportunityId: string, id: string): Promise<void> => {
  const directory = await getDirectory(actor.tenantId)
  return withTenant(actor.tenantId, async (tx) => {
    await getOpportunityIn(tx, actor, directory, opportunityId, true)
    const [gone] = await tx.rows<{ number: number }>(revokeOne, [tx.tenantId, opportunityId, id])
    if (!gone) throw new AppError('ERR_NOT_FOUND')
    await noteOnOpportunity(tx, directory, opportunityId, {
      ...{ actor, kind: 'proposal', to: `Proposta nº ${gone.number} revogada` },
    })
  })
}

export const readProposalPdf = async (actor: Actor, opportunityId: string, id: string) => {
  const directory = await getDirectory(actor.tenantId)
  const found = await withTenant(actor.tenantId, async (tx) => {
    const opportunity = await getOpportunityIn(tx, actor, directory, opportunityId)
    const rows = await tx.rows<Row>(ofOpportunity, [tx.tenantId, opportunityId])
    const row = rows.find((one) => one.id === id)
    return row && { ...row, title: opportunity.name, contactName: opportunity.contact.name }
  })
  if (!found) throw new AppError('ERR_NOT_FOUND')
  return pdfOf(actor.tenantId, found, directory)
}

/** What whoever has the address sees; whatever is wrong with it, the answer is the same. */
export const readPublicProposal = (token: string): Promise<ProposalPage> =>
  follow(token, async ({ tenantId }, row, directory) => presentPage(tenantId, row, directory))

export const readPublicPdf = async (token: string) => {
  const { tenantId, row, directory } = await follow(token, async ({ tenantId }, row, directory) => ({
    ...{ tenantId, row, directory },
  }))
  return pdfOf(tenantId, row, directory)
}

type Acceptance = { name: string; ip: string; userAgent: string }
/** The customer says yes, once: who, when and from where is kept with the proposal and in the story of its opportunity. */
export const acceptProposal = (token: string, { name, ip, userAgent }: Acceptance): Promise<ProposalPage> =>
  follow(token, async (tx, row, directory) => {
    const [accepted] = await tx.rows<{ at: Date }>(accept, [tx.tenantId, row.id, name, ip, userAgent.slice(0, 500)])
    // Somebody accepted it at this moment: theirs stays.
    if (!accepted) return presentPage(tx.tenantId, await whole(tx, row.id), directory)
    const where = `IP ${ip}, ${userAgent.slice(0, 200) || 'navegador desconhecido'}`
    await noteOnOpportunity(tx, directory, row.opportunityId, {
      ...{ actor: null, kind: 'proposal', to: `Proposta nº ${row.number} aceita por ${name} (${where})` },
      rule: name,
    })
    return presentPage(tx.tenantId, await whole(tx, row.id), directory)
  })

type Row = {
  id: string
  opportunityId: string
  number: number
  text: string
  items: Opportunity['items']
  value: number
  userId: string | null
  createdAt: Date
  expiresAt: Date
  revokedAt: Date | null
  acceptedAt: Date | null
  acceptedName: string | null
  acceptedIp: string | null
  acceptedUserAgent: string | null
}
type Titled = Row & { title: string; contactName: string }

const stateOf = ({ acceptedAt, revokedAt, expiresAt }: Row): ProposalState => {
  if (acceptedAt) return 'accepted'
  if (revokedAt) return 'revoked'
  return expiresAt.getTime() <= Date.now() ? 'expired' : 'open'
}
const presentProposal = (row: Row, { people }: Directory): Proposal => ({
  id: row.id,
  number: row.number,
  state: stateOf(row),
  text: row.text,
  items: row.items,
  value: row.value,
  user: row.userId ? { id: row.userId, name: people.get(row.userId)?.name ?? 'Usuário removido' } : null,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
  accepted: row.acceptedAt && {
    name: row.acceptedName ?? '',
    at: row.acceptedAt.toISOString(),
    ip: row.acceptedIp ?? '',
    userAgent: row.acceptedUserAgent ?? '',
  },
})
const presentPage = (tenantId: number, row: Titled, directory: Directory): ProposalPage => {
  const { systemColors } = directory.settings
  const color = (systemColors.length ? systemColors : defaultSystemColors).find(({ label }) => label === 'primary')
  return {
    company: {
      name: directory.name,
      logoUrl: directory.logoMediaId && pictureUrl(tenantId, directory.logoMediaId, 'anyone'),
      color: color?.value ?? defaultSystemColors[0]?.value ?? '#0b7a75',
      timezone: directory.timezone,
    },
    ...{ number: row.number, title: row.title, contact: row.contactName, text: row.text, items: row.items },
    value: row.value,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    accepted: row.acceptedAt && { name: row.acceptedName ?? '', at: row.acceptedAt.toISOString() },
  }
}
const pdfOf = async (tenantId: number, row: Titled, directory: Directory) => {
  const day = new Intl.DateTimeFormat('pt-BR', { timeZone: directory.timezone, dateStyle: 'long' })
  const moment = new Intl.DateTimeFormat('pt-BR', {
    ...{ timeZone: directory.timezone, dateStyle: 'long', timeStyle: 'short' },
  })
  const pdf = await proposalPdf({
    tenantId,
    logoId: directory.logoMediaId,
    company: directory.name,
    ...{ number: row.number, title: row.title, contact: row.contactName, text: row.text, items: row.items },
    value: row.value,
    createdOn: day.format(row.createdAt),
    expiresOn: day.format(row.expiresAt),
    accepted: row.acceptedAt && `Aceita por ${row.acceptedName} em ${moment.format(row.acceptedAt)}.`,
  })
  return { pdf, name: `proposta-${row.number}.pdf` }
}
const money = (cents: number) => (cents / 100).toLocaleString('pt-BR', { style: 'currency', currency: 'BRL' })

const wrongLink = () => new AppError('ERR_NOT_FOUND', { message: 'Esta proposta não está mais disponível.' })
const follow = async <T>(
  token: string,
  work: (tx: Tx, row: Titled, directory: Directory) => Promise<T>,
): Promise<T> => {
  const [, company] = /^([0-9a-z]{1,5})-[\w-]{43}$/.exec(token) ?? []
  const tenantId = company === undefined ? Number.NaN : Number.parseInt(company, 36)
  const directory = Number.isInteger(tenantId) ? await findDirectory(tenantId) : undefined
  if (!directory) throw wrongLink()
  return withTenant(tenantId, async (tx) => {
    const [row] = await tx.rows<Titled>(byHash, [tenantId, hashToken(token)])
    if (!row || !['open', 'accepted'].includes(stateOf(row))) throw wrongLink()
    return work(tx, row, directory)
  })
}
const whole = async (tx: Tx, id: string): Promise<Titled> => {
  const [row] = await tx.rows<Titled>(byId, [tx.tenantId, id])
  if (!row) throw wrongLink()
  return row
}

const columns = `p.id, p.opportunity_id as "opportunityId", p.number, p.text, p.items, p.value, p.user_id as "userId",
  p.created_at as "createdAt", p.expires_at as "expiresAt", p.revoked_at as "revokedAt", p.accepted_at as "acceptedAt",
  p.accepted_name as "acceptedName", p.accepted_ip as "acceptedIp", p.accepted_user_agent as "acceptedUserAgent"`
const titled = `select ${columns}, o.name as title, c.name as "contactName" from proposals p
  join opportunities o on o.tenant_id = p.tenant_id and o.id = p.opportunity_id
  join contacts c on c.tenant_id = o.tenant_id and c.id = o.contact_id where p.tenant_id = $1`
const ofOpportunity: Prepared = {
  name: 'proposals_of',
  text: `select ${columns} from proposals p where p.tenant_id = $1 and p.opportunity_id = $2 order by p.id desc limit 100`,
}
const byHash: Prepared = { name: 'proposal_by_hash', text: `${titled} and p.hash = $2` }
const byId: Prepared = { name: 'proposal_by_id', text: `${titled} and p.id = $2` }
const lockNumbers: Prepared = {
  name: 'proposal_numbers',
  text: `select pg_advisory_xact_lock(hashtext('proposals'), $1)`,
}
const insert: Prepared = {
  name: 'proposal_insert',
  text: `insert into proposals as p (tenant_id, id, opportunity_id, number, text, items, value, hash, user_id, expires_at)
    select $1, $2, $3, coalesce((select max(number) from proposals where tenant_id = $1), 0) + 1, $4, $5::jsonb, $6, $7, $8,
      now() + make_interval(days => $9)
    returning ${columns}`,
}
const revokeOpen: Prepared = {
  name: 'proposals_revoke',
  text: `update proposals set revoked_at = now()
    where tenant_id = $1 and opportunity_id = $2 and accepted_at is null and revoked_at is null returning number`,
}
const revokeOne: Prepared = {
  name: 'proposal_revoke',
  text: `update proposals set revoked_at = now()
    where tenant_id = $1 and opportunity_id = $2 and id = $3 and accepted_at is null and revoked_at is null returning number`,
}
const accept: Prepared = {
  name: 'proposal_accept',
  text: `update proposals set accepted_at = now(), accepted_name = $3, accepted_ip = $4, accepted_user_agent = $5
    where tenant_id = $1 and id = $2 and accepted_at is null and revoked_at is null and expires_at > now() returning accepted_at as at`,
}
