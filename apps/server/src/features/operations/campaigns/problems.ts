import type { Abilities } from '@balcao/contract/channels/abilities.ts'
import { type ChannelKind, channels } from '@balcao/contract/channels/index.ts'
import { templateProblems, templateStatusLabels } from '@balcao/contract/channels/template-text.ts'
import { partProblems, partWay } from '@balcao/contract/conversations/parts.ts'
import type { FieldProblem } from '@balcao/contract/errors.ts'
import type { CampaignContent, CampaignStep } from '@balcao/contract/operations/campaigns/content.ts'
import { firstOpen } from '@balcao/contract/operations/campaigns/forecast.ts'
import { contentTexts, contentVariables } from '@balcao/contract/operations/campaigns/variables.ts'
import { unknownVariables } from '@balcao/contract/variables.ts'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { templateShapeOf } from '../../../channels/template-shape.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import { connections, messageTemplates } from '../../../db/schema/channels/connections.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import type { StoredFile } from '../../core/media/media.present.ts'
import { filesByIds } from '../../core/media/stored-files.ts'
import { mediaOf, type StoredCampaign } from './campaigns.present.ts'
import { unknownIn } from './known-ids.ts'

type Way = { id: string; name: string; kind: ChannelKind; abilities: Abilities }
type Template = Pick<
  typeof messageTemplates.$inferSelect,
  'connectionId' | 'name' | 'language' | 'status' | 'components'
>
/** What a content is checked against. */
export type Checking = {
  ways: readonly Way[]
  templates: readonly Template[]
  files: ReadonlyMap<string, Pick<StoredFile, 'kind'>>
}

/** Why a campaign cannot be started as it is, each at its field; none: it can. */
export const startProblems = async (tx: Tx, row: StoredCampaign, now = new Date()): Promise<FieldProblem[]> => {
  const { plan, connectionIds } = row
  const directory = await getDirectory(tx.tenantId)
  const gone = await unknownIn(tx, { userId: row.createdBy ?? nobody }, { ...plan, connectionIds })
  const checking = await checkingOf(tx, row)
  const unable = checking.ways.filter(({ abilities }) => !abilities.supports.includes('mass'))
  return [
    ...(connectionIds.length ? [] : [{ path: 'connectionIds', message: 'Escolha ao menos um canal.' }]),
    ...unable.map(({ name }) => ({ path: 'connectionIds', message: `${name} não faz envios em massa.` })),
    ...(plan.audience.include.length ? [] : [{ path: 'audience', message: 'Escolha para quem enviar.' }]),
    ...(plan.steps.length ? [] : [{ path: 'steps', message: 'Escreva a mensagem.' }]),
    ...gone,
    ...(await listProblems(tx, row)),
    ...plan.steps.flatMap(({ variants }, step) =>
      variants.flatMap(({ content }, variant) =>
        contentProblems(content, checking).map(({ path, message }) => ({
          path: `steps.${step}.variants.${variant}.content.${path}`,
          message,
        })),
      ),
    ),
    ...readingProblems(plan.steps, checking.ways),
    ...timeProblems(row, directory, now),
  ]
}
/** What goes by who has read needs a channel that tells it. */
export const readingProblems = (steps: readonly CampaignStep[], ways: Checking['ways']): FieldProblem[] => {
  const silent = ways.filter(({ abilities }) => !abilities.receipts.includes('read'))
  if (!silent.length) return []
  const who = `${silent.map(({ name }) => name).join(', ')} não ${silent.length > 1 ? 'dizem' : 'diz'} quem leu`
  return steps.flatMap(({ test, unless }, at) => [
    ...(test?.by === 'read'
      ? [{ path: `steps.${at}.test`, message: `${who}. Decida o teste pela mais respondida.` }]
      : []),
    ...(at > 0 && unless === 'read'
      ? [{ path: `steps.${at}.unless`, message: `${who}. Envie a quem não respondeu, ou a todos.` }]
      : []),
  ])
}
const nobody = '00000000-0000-0000-0000-000000000000'

export const checkingOf = async (tx: Tx, row: StoredCampaign): Promise<Checking> => {
  const ways = await tx.db
    .select({ id: connections.id, name: connections.name, kind: connections.kind, abilities: connections.abilities })
    .from(connections)
    .where(
      and(
        eq(connections.tenantId, tx.tenantId),
        inArray(connections.id, row.connectionIds),
        isNull(connections.deletedAt),
      ),
    )
  const names = row.plan.steps.flatMap(({ variants }) =>
    variants.flatMap(({ content }) => content.template?.name ?? []),
  )
  const templates = names.length
    ? await tx.db
        .select()
        .from(messageTemplates)
        .where(
          and(
            eq(messageTemplates.tenantId, tx.tenantId),
            inArray(messageTemplates.connectionId, row.connectionIds),
            inArray(messageTemplates.name, names),
          ),
        )
    : []
  const mediaIds = mediaOf(row)
  const files = mediaIds.length ? await tx.rows<StoredFile>(filesByIds, [tx.tenantId, mediaIds]) : []
  return { ways, templates, files: new Map(files.map((file) => [file.id, file])) }
}

/** What keeps a content from being sent by these connections, by the path of its field. */
export const contentProblems = (content: CampaignContent, { ways, templates, files }: Checking): FieldProblem[] => {
  const { parts, template, templateMediaId, subject } = content
  if (!parts.length && !template) return [{ path: 'parts', message: 'Escreva a mensagem.' }]
  const found: FieldProblem[] = [...partProblems(parts)]
  for (const { path, text } of contentTexts(content)) {
    const [unknown] = path.startsWith('parts.') ? [] : unknownVariables(text)
    if (unknown) found.push({ path, message: `A variável {{${unknown}}} não existe.` })
  }
  for (const name of contentVariables(content))
    if (name.startsWith('var.'))
      found.push({
        path: 'parts',
        message: `{{${name}}} só existe em fluxos. Use um campo do contato ou uma coluna da lista.`,
      })
  const templateFile = templateMediaId ? (files.get(templateMediaId)?.kind ?? null) : null
  for (const way of ways) {
    const { abilities } = way
    const asks = abilities.windowHours !== null
    const takesTemplate = abilities.supports.includes('template')
    if (asks && takesTemplate && !template)
      found.push({
        path: 'template',
        message: `${way.name} só envia modelos aprovados a quem não escreveu há pouco. Escolha um modelo.`,
      })
    if (asks && !takesTemplate)
      found.push({
        path: 'parts',
        message: `${way.name} só responde a quem escreveu há pouco: não serve para campanhas.`,
      })
    if (!takesTemplate && !parts.length)
      found.push({ path: 'parts', message: `${way.name} não envia modelos. Escreva a mensagem.` })
    if (template && takesTemplate) found.push(...templateProblemsOf(content, way, templates, templateFile))
    if (abilities.supports.includes('mail') && parts.length && !subject.trim())
      found.push({ path: 'subject', message: 'Escreva o assunto do e-mail.' })
    for (const [at, part] of parts.entries()) {
      const file = part.mediaId ? (files.get(part.mediaId) ?? null) : null
      const needsFile = part.kind === 'file' || part.kind === 'voice'
      if (needsFile && !file) continue
      const carried = partWay({ ...abilities, label: channels[way.kind].label }, part, file)
      if (carried.type === null) found.push({ path: `parts.${at}`, message: carried.note })
      const most = file ? abilities.textLimits.caption || abilities.textLimits.text : abilities.textLimits.text
      if (part.body.length > most)
        found.push({
          path: `parts.${at}.body`,
          message: `${way.name} leva no máximo ${most.toLocaleString('pt-BR')} caracteres aqui.`,
        })
    }
  }
  return [...new Map(found.map((one) => [`${one.path} ${one.message}`, one])).values()]
}

const templateProblemsOf = (
  { template: use }: CampaignContent,
  way: Way,
  templates: readonly Template[],
  fileKind: string | null,
): FieldProblem[] => {
  if (!use) return []
  const stored = templates.find(
    (one) => one.connectionId === way.id && one.name === use.name && one.language === use.language,
  )
  if (!stored) return [{ path: 'template', message: `O modelo ${use.name} não existe em ${way.name}. Escolha outro.` }]
  if (stored.status !== 'APPROVED') {
    const label = (templateStatusLabels[stored.status] ?? stored.status).toLowerCase()
    return [{ path: 'template', message: `O modelo ${use.name} não pode ser enviado agora: está ${label} na Meta.` }]
  }
  const parsed = templateShapeOf(stored.components)
  if ('obstacle' in parsed) return [{ path: 'template', message: parsed.obstacle }]
  const empty = [
    ...use.header.map((text, at) => [`header.${at}`, text] as const),
    ...use.body.map((text, at) => [`body.${at}`, text] as const),
  ]
    .filter(([, text]) => !text.trim())
    .map(([place]) => ({ path: `template.${place}`, message: 'Preencha todas as variáveis.' }))
  if (empty.length) return empty
  return templateProblems(parsed.shape, use, fileKind).map((one) => ({
    ...one,
    path: one.path === 'mediaId' ? 'templateMediaId' : one.path,
  }))
}

export type ListRow = { id: string; state: string; error: string | null; areRowsGone: boolean; isWorking: boolean }
/** Lists that can say whom they mean, or soon will. */
const listProblems = async (tx: Tx, { plan }: StoredCampaign): Promise<FieldProblem[]> => {
  const { include, exclude } = plan.audience
  const named = [
    ...include.map((one, at) => ({ one, path: `audience.include.${at}` })),
    ...exclude.map((one, at) => ({ one, path: `audience.exclude.${at}` })),
  ].flatMap(({ one, path }) => (one.kind === 'import' ? [{ id: one.importId, path }] : []))
  if (!named.length) return []
  const rows = await tx.rows<ListRow>(lists, [tx.tenantId, named.map(({ id }) => id)])
  return named.flatMap(({ id, path }) => {
    const list = rows.find((one) => one.id === id)
    const message = list && listProblem(list)
    return message ? [{ path, message }] : []
  })
}
/** Why a list names nobody, or null: it does, or will once its work is done. */
export const listProblem = ({ state, error, areRowsGone, isWorking }: Omit<ListRow, 'id'>): string | null => {
  if (areRowsGone) return 'As linhas desta lista não estão mais guardadas (30 dias). Envie a lista de novo.'
  if (state === 'failed' || error) return `Esta lista não pôde ser importada. ${error ?? 'Envie-a de novo.'}`
  if (state === 'undone' || state === 'undoing') return 'A importação desta lista foi desfeita. Escolha outra.'
  if (state === 'read') return 'Confira as colunas desta lista e importe-a antes.'
  if (state === 'checked') return 'Esta lista foi conferida e ainda não importada. Importe-a antes.'
  if (state !== 'done' && !isWorking) return 'A importação desta lista parou. Continue-a ou envie a lista de novo.'
  return null
}
export const lists: Prepared = {
  name: 'campaign_lists',
  text: `select i.id, i.state, i.error, i.rows_until is null as "areRowsGone",
      i.state = 'reading' or coalesce(j.state in ('pending', 'running', 'paused'), false) as "isWorking"
    from contact_imports i left join bulk_jobs j on j.tenant_id = i.tenant_id and j.id = i.job_id
    where i.tenant_id = $1 and i.id = any($2::uuid[])`,
}

const timeProblems = (
  { plan, startsAt, endsAt }: StoredCampaign,
  { settings, timezone }: Pick<Directory, 'settings' | 'timezone'>,
  now: Date,
): FieldProblem[] => {
  const from = startsAt && startsAt > now ? startsAt : now
  if (endsAt && endsAt <= from) return [{ path: 'endsAt', message: 'O fim precisa ser depois do começo.' }]
  const opens = firstOpen({ window: plan.window, holidays: settings.holidays, timeZone: timezone }, from)
  return !opens || (endsAt && opens >= endsAt)
    ? [{ path: 'window', message: 'Com estes dias e horários nada seria enviado antes do fim.' }]
    : []
}
