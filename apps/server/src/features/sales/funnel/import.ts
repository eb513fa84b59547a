import type { CsvImportReport } from '@balcao/contract/core/csv-imports.ts'
import { cutText } from '@balcao/contract/core/cut-text.ts'
import { readCents } from '@balcao/contract/core/number.ts'
import { missingFor, mostCents } from '@balcao/contract/sales/opportunities.ts'
import { sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { type CsvLine, readCsv } from '../../../kit/csv-read.ts'
import { emitAll } from '../../../kit/outbox.ts'
import { visibleContacts } from '../../contacts/contacts/contacts.policy.ts'
import { parsePhone } from '../../contacts/contacts/phone.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import { audiencesOf } from './opportunities.policy.ts'
import { presentOpportunity, readWritten } from './opportunities.queries.ts'

const heads = [
  ...(['Oportunidade', 'Contato', 'Telefone', 'Funil', 'Etapa', 'Valor', 'Previsão'] as const),
  ...(['Responsável', 'Origem', 'Descrição'] as const),
] as const
type Line = CsvLine<(typeof heads)[number]>

/**
 * Opportunities from a file, as the export gives it: what is new is made, what stands there open with the same name for the
 * same contact in the same pipeline is left as it is, the rest is told with its reason. Contacts are those there are.
 */
export const importOpportunities = async (
  actor: Actor,
  { csv, pipelineId, dryRun }: { csv: string; pipelineId: string; dryRun: boolean },
): Promise<CsvImportReport> => {
  const lines = readCsv(csv, { heads, required: ['Oportunidade', 'Contato'] })
  const directory = await getDirectory(actor.tenantId)
  const visible = await visibleContacts(actor)
  return withTenant(actor.tenantId, async (tx) => {
    const stages = await tx.rows<StageRow>(stagesOfAll, [tx.tenantId])
    const phones = lines.map(({ cells }) => parsePhone(cells.Telefone) ?? '')
    const contacts = await contactsOf(
      tx,
      visible,
      phones,
      lines.map(({ cells }) => cells.Contato.trim()),
    )
    const known = await tx.rows<Known>(knownOpen, [tx.tenantId, [...new Set(contacts.map(({ id }) => id))]])
    const there = new Set(known.map(keyOf))
    const at = { actor, directory, stages, contacts, pipelineId }
    const report: CsvImportReport = { created: 0, changed: 0, same: 0, folders: [], refused: [] }
    const made: Row[] = []
    for (const [n, line] of lines.entries()) {
      const read = readLine(line, phones[n] ?? '', at)
      if (typeof read === 'string')
        report.refused.push({ line: line.line, name: line.cells.Oportunidade, reason: read })
      else if (there.has(keyOf(read))) report.same += 1
      else {
        there.add(keyOf(read))
        made.push(read)
      }
    }
    report.created = made.length
    if (dryRun || !made.length) return report
    await tx.rows(insert, [tx.tenantId, JSON.stringify(made), actor.userId])
    const rows = await readWritten(
      tx,
      made.map(({ id }) => id),
    )
    await emitAll(
      tx,
      rows.map(presentOpportunity).flatMap((row) =>
        audiencesOf(row, directory).map((audience) => ({
          name: 'opportunity.created' as const,
          payload: row,
          audience,
        })),
      ),
    )
    await writeAudit(tx, actor, {
      ...{ action: 'opportunity.imported', entity: 'opportunity', entityId: '' },
      after: { created: made.length },
    })
    return report
  })
}

type StageRow = { id: string; name: string; pipelineId: string; pipelineName: string; requires: never[] }
type Contact = { id: string; name: string; phones: string[] }
type Known = { name: string; contactId: string; pipelineId: string }
type Row = Known & {
  id: string
  stageId: string
  value: number
  closingForecast: string | null
  responsibleId: string | null
  source: string
  description: string
}
type At = {
  actor: Actor
  directory: Directory
  stages: readonly StageRow[]
  contacts: readonly Contact[]
  pipelineId: string
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase()
const keyOf = ({ name, contactId, pipelineId }: Known) => [plain(name), contactId, pipelineId].join('\n')

/** What a line says, or why it is left out. */
const readLine = ({ cells }: Line, phone: string, at: At): Row | string => {
  const name = cells.Oportunidade.trim()
  if (!name) return 'Falta o nome da oportunidade.'
  if (name.length > 120) return 'O nome tem mais de 120 caracteres.'
  if (cells.Telefone.trim() && !phone) return `O telefone “${cells.Telefone.trim()}” não existe.`
  const contact = contactOf(at.contacts, phone, cells.Contato)
  if (typeof contact === 'string') return contact
  const pipeline = cells.Funil.trim()
  const ofPipeline = at.stages.filter((one) =>
    pipeline ? plain(one.pipelineName) === plain(pipeline) : one.pipelineId === at.pipelineId,
  )
  if (!ofPipeline.length) return `O funil “${pipeline}” não existe ou não tem etapas.`
  const wanted = cells.Etapa.trim()
  const stage = wanted ? ofPipeline.find((one) => plain(one.name) === plain(wanted)) : ofPipeline[0]
  if (!stage) return `A etapa “${wanted}” não existe neste funil.`
  const value = amountOf(cells.Valor)
  if (value === undefined) return `O valor “${cells.Valor.trim()}” não é um valor em reais.`
  const closingForecast = dayOf(cells.Previsão)
  if (closingForecast === undefined) return `A previsão “${cells.Previsão.trim()}” não é uma data: use dia/mês/ano.`
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: at.directory.timezone }).format(new Date())
  if (closingForecast && closingForecast < today) return 'A previsão não pode ficar no passado.'
  const responsible = cells.Responsável.trim()
  const person = [...at.directory.people].find(([, one]) => plain(one.name) === plain(responsible))
  if (responsible && !person) return `Ninguém da equipe se chama “${responsible}”.`
  const row = {
    ...{
      id: v7(),
      name,
      contactId: contact.id,
      pipelineId: stage.pipelineId,
      stageId: stage.id,
      value,
      closingForecast,
    },
    responsibleId: person?.[0] ?? at.actor.userId,
    source: cutText(cells.Origem.trim(), 60),
    description: cutText(cells.Descrição.trim(), 4_000),
  }
  return missingFor(stage, { ...row, items: [] })[0]?.message ?? row
}

const contactOf = (contacts: readonly Contact[], phone: string, name: string): Contact | string => {
  const byPhone = phone ? contacts.find(({ phones }) => phones.includes(phone)) : undefined
  if (byPhone) return byPhone
  if (phone) return 'Nenhum contato tem este telefone. Importe os contatos antes.'
  const named = contacts.filter((one) => plain(one.name) === plain(name))
  const [only, ...others] = named
  if (!only) return `Nenhum contato se chama “${name.trim()}”. Importe os contatos antes.`
  return others.length ? `Há ${named.length} contatos com este nome. Informe o telefone.` : only
}

/** Nothing is nothing; undefined: no amount. */
const amountOf = (typed: string): number | undefined => {
  const cents = typed.trim() ? readCents(typed) : 0
  return cents !== undefined && cents >= 0 && cents <= mostCents ? cents : undefined
}
/** "24/11/2026" and "2026-11-24"; nothing is null; undefined: no day. */
const dayOf = (typed: string): string | null | undefined => {
  const text = typed.trim()
  if (!text) return null
  const [, day, month, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? []
  const iso = day && month && year ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : text
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(iso) && new Date(`${iso}T00:00:00Z`).toISOString().slice(0, 10) === iso
  return isDay ? iso : undefined
}

/** Those this person may see, by their phones and names. */
const contactsOf = async (
  tx: Tx,
  visible: Awaited<ReturnType<typeof visibleContacts>>,
  phones: readonly string[],
  names: readonly string[],
): Promise<Contact[]> => {
  const { rows } = await tx.db.execute<Contact>(sql`
    select c.id, c.name, array(select i.value from contact_identities i where i.tenant_id = c.tenant_id and i.contact_id = c.id
      and i.kind = 'phone') as phones
    from contacts c where c.tenant_id = ${tx.tenantId} and c.merged_into_id is null and not c.is_group and ${visible ?? sql`true`}
      and (c.id in (select i.contact_id from contact_identities i where i.tenant_id = ${tx.tenantId} and i.kind = 'phone'
          and i.value = any(${sql.param(phones.filter(Boolean))}::text[]))
        or norm(c.name) = any(select norm(n) from unnest(${sql.param(names)}::text[]) n))`)
  return rows
}
const stagesOfAll: Prepared = {
  name: 'stages_of_all',
  text: `select s.id, s.name, s.pipeline_id as "pipelineId", p.name as "pipelineName", s.requires from stages s
    join pipelines p on p.tenant_id = s.tenant_id and p.id = s.pipeline_id where s.tenant_id = $1
    order by p.position, s.position, s.name, s.id`,
}
const knownOpen: Prepared = {
  name: 'opportunities_known',
  text: `select name, contact_id as "contactId", pipeline_id as "pipelineId" from opportunities
    where tenant_id = $1 and contact_id = any($2::uuid[]) and status = 'open'`,
}
/** On top of their stages, in the order of the file; each with the first line of its story. */
const insert: Prepared = {
  name: 'opportunities_import',
  text: `with given as (
      select *, row_number() over () as n from jsonb_to_recordset($2::jsonb) as r(id uuid, name text, "contactId" uuid, "pipelineId" uuid,
        "stageId" uuid, value bigint, "closingForecast" date, "responsibleId" uuid, source text, description text)
    ), made as (
      insert into opportunities (tenant_id, id, name, pipeline_id, stage_id, position, contact_id, responsible_id, closing_forecast, value,
        source, description, created_by)
      select $1, id, name, "pipelineId", "stageId", coalesce((select min(o.position) from opportunities o where o.tenant_id = $1
          and o.stage_id = g."stageId"), 1) - (count(*) over (partition by "stageId")) + n * 1e-6,
        "contactId", "responsibleId", "closingForecast", value, source, description, $3 from given g
      returning id, stage_id
    ) insert into opportunity_moves (tenant_id, id, opportunity_id, kind, to_value, user_id)
      select $1, gen_random_uuid(), id, 'created', stage_id::text, $3 from made`,
}
