import { channels } from '@balcao/contract/channels/index.ts'
import type { TemplateUse } from '@balcao/contract/channels/templates.ts'
import type { ContactImportMapping } from '@balcao/contract/contacts/imports.ts'
import { cutText } from '@balcao/contract/core/cut-text.ts'
import { wallTimeOf } from '@balcao/contract/core/wall-time.ts'
import type { AudienceSource } from '@balcao/contract/operations/campaigns/audience.ts'
import type { BulkBody, BulkTemplateBody, metaComponent } from '@balcao/contract/operations/campaigns/calls.ts'
import {
  type CampaignOrigin,
  type CampaignRow,
  campaignWrite,
} from '@balcao/contract/operations/campaigns/campaigns.ts'
import { type CampaignContent, campaignContent, campaignStep } from '@balcao/contract/operations/campaigns/content.ts'
import type { z } from 'zod'
import { type Prepared, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { beginImport, checkImport } from '../../contacts/imports/imports.service.ts'
import { fileFromUrl } from '../../conversations/messages/file-from-url.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { asRow, findCampaign } from './campaigns.present.ts'
import { createCampaign, deleteCampaign, updateCampaign } from './campaigns.service.ts'
import { startProblems } from './problems.ts'
import { startCampaign } from './transitions.ts'

/** To whom, by what and how fast: what every one of these calls says. */
export type Target = Pick<
  BulkBody,
  | 'arrayNumbers'
  | 'number'
  | 'contactIds'
  | 'tagIds'
  | 'laneIds'
  | 'segmentId'
  | 'groups'
  | 'min'
  | 'max'
  | 'name'
  | 'purpose'
>
/** A row of a table: its number, and what stands in its columns. */
export type TableRow = { number: string; variables: Record<string, string> }
type Sending = {
  origin: CampaignOrigin
  noun: string
  connectionId: string
  target: Target
  rows?: readonly TableRow[]
  content: CampaignContent
}

/**
 * What callers of the API send to many becomes a campaign that starts now: the same rows, guards and numbers as every other.
 * What keeps it from starting is told before any of its numbers becomes a contact.
 */
export const sendToMany = async (actor: Actor, sending: Sending): Promise<CampaignRow> => {
  const { origin, noun, connectionId, target, content } = sending
  const rows = sending.rows?.length ? sending.rows : numbersOf(target).map((number) => ({ number, variables: {} }))
  const include = await chosenOf(actor, target, rows)
  const asNumbers = rows.length > 0 && !target.groups
  if (!include.length && !asNumbers)
    throw fieldErrors({ path: 'arrayNumbers', message: 'Informe os números, contatos, etiquetas ou grupos.' })
  if (asNumbers && !actor.permissions.has('contacts.import'))
    throw new AppError('ERR_NO_PERMISSION', {
      message: 'Para enviar a números novos é preciso poder importar contatos.',
    })
  const { timezone } = await getDirectory(actor.tenantId)
  const name = target.name || `${noun} de ${wallTimeOf(new Date(), timezone).replace('T', ' ')}`
  const made = await createCampaign(
    actor,
    campaignWrite.parse({
      ...{ name, origin, purpose: target.purpose, connectionIds: [connectionId], audience: { include } },
      steps: [campaignStep.parse({ variants: [{ content }] })],
      pace: { minSeconds: target.min, maxSeconds: Math.max(target.min, target.max) },
      // Whoever calls now means now.
      window: { from: '00:00', until: '00:00', days: [0, 1, 2, 3, 4, 5, 6], skipHolidays: false },
    }),
  )
  try {
    await refuseProblems(actor, made.id, asNumbers)
    if (asNumbers) {
      const importId = await listOf(actor, name, rows)
      await updateCampaign(actor, made.id, {
        audience: { ...made.audience, include: [...include, { kind: 'import', importId }] },
      })
    }
    return asRow(await startCampaign(actor, made.id))
  } catch (error) {
    await deleteCampaign(actor, made.id)
    throw error
  }
}

/** At the field of the call that has it. */
const refuseProblems = (actor: Actor, id: string, hasNumbers: boolean) =>
  withTenant(actor.tenantId, async (tx) => {
    const problems = await startProblems(tx, await findCampaign(tx, id))
    const left = problems.filter(({ path }) => !(hasNumbers && path === 'audience'))
    if (left.length) throw fieldErrors(...left.map((one) => ({ ...one, path: calledOf(one.path) })))
  })
const calledOf = (path: string): string => {
  if (path === 'connectionIds') return 'whatsappId'
  const within = /^steps\.0\.variants\.0\.content\.(.*)$/.exec(path)?.[1]
  if (within?.startsWith('template')) return within.replace('templateMediaId', 'media')
  return within ? 'message' : path
}

const numbersOf = ({ arrayNumbers, number }: Target): string[] => [
  ...new Set([...arrayNumbers, ...(number === undefined ? [] : [number])].map((one) => one.trim()).filter(Boolean)),
]

/** What is chosen otherwise than by number. */
const chosenOf = async (actor: Actor, target: Target, rows: readonly TableRow[]): Promise<AudienceSource[]> => {
  const { contactIds, tagIds, laneIds, segmentId, groups } = target
  const groupIds =
    groups && rows.length
      ? await groupsBy(
          actor,
          rows.map(({ number }) => number),
        )
      : []
  return [
    ...(contactIds.length ? [{ kind: 'contacts' as const, contactIds }] : []),
    ...(tagIds.length ? [{ kind: 'tags' as const, tagIds }] : []),
    ...(laneIds.length ? [{ kind: 'lanes' as const, laneIds }] : []),
    ...(segmentId ? [{ kind: 'segment' as const, segmentId }] : []),
    ...(groupIds.length ? [{ kind: 'groups' as const, contactIds: groupIds }] : []),
  ]
}

/** Groups by their ids, as their network or we call them. */
const groupsBy = async (actor: Actor, given: string[]): Promise<string[]> => {
  const values = given.flatMap((one) => [one, one.replace(/@g\.us$/, ''), `${one.replace(/@g\.us$/, '')}@g.us`])
  const found = await withTenant(actor.tenantId, (tx) => tx.rows<{ id: string }>(groups, [tx.tenantId, values]))
  if (!found.length)
    throw fieldErrors({
      path: 'arrayNumbers',
      message: 'Nenhum destes grupos é conhecido. Sincronize os grupos do canal antes.',
    })
  if (found.length > 200) throw fieldErrors({ path: 'arrayNumbers', message: 'Envie a no máximo 200 grupos por vez.' })
  return found.map(({ id }) => id)
}
const groups: Prepared = {
  name: 'campaign_groups',
  text: `select distinct c.id from contacts c left join contact_identities i on i.tenant_id = c.tenant_id and i.contact_id = c.id and i.kind = 'group'
    where c.tenant_id = $1 and c.is_group and c.merged_into_id is null and (i.value = any($2::text[]) or c.id::text = any($2::text[]))`,
}

const rowsAtOnce = 1_000
/** What a column says of whoever is new. */
const namesOfColumns = new Map<string, 'name' | 'email'>([
  ['nome', 'name'],
  ['name', 'name'],
  ['email', 'email'],
  ['e-mail', 'email'],
])
/** The numbers as a list like those that people bring: who is new becomes a contact, and its columns are variables. */
const listOf = async (actor: Actor, name: string, rows: readonly TableRow[]): Promise<string> => {
  const keys = [...new Set(rows.flatMap(({ variables }) => Object.keys(variables)))].slice(0, 50)
  const mapping: ContactImportMapping = ['phone', ...keys.map((key) => namesOfColumns.get(key.toLowerCase()) ?? null)]
  const lines = rows.map(({ number, variables }, at): [number, string[]] => [
    at + 2,
    [number, ...keys.map((key) => variables[key] ?? '')],
  ])
  const made = await beginImport(
    actor,
    {
      ...{ source: 'api', name: cutText(name, 120), reading: null, size: null, sha256: null },
      ...{ headings: ['numero', ...keys], columns: mapping.length, total: lines.length, hasHeadings: true, mapping },
    },
    pagesOf(lines),
  )
  await checkImport(actor, made.id, { isAutomatic: true })
  return made.id
}
function* pagesOf<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let at = 0; at < rows.length; at += rowsAtOnce) yield rows.slice(at, at + rowsAtOnce)
}

/** Words, a file with words under it and a recording, each a message of its own. */
export const contentOf = async (
  actor: Actor,
  {
    message,
    media,
    mediaUrl,
    mediaDescription,
    voice,
    voiceUrl,
  }: Pick<BulkBody, 'message' | 'media' | 'mediaUrl' | 'mediaDescription' | 'voice' | 'voiceUrl'>,
): Promise<CampaignContent> => {
  const file = media ?? (mediaUrl && (await fileFromUrl(actor, mediaUrl)))
  const recording = voice ?? (voiceUrl && (await fileFromUrl(actor, voiceUrl)))
  const caption = mediaDescription ?? (message.length <= 1_024 ? message : '')
  const words = file && caption === message ? '' : message
  return campaignContent.parse({
    parts: [
      ...(words ? [{ kind: 'text', body: words }] : []),
      ...(file ? [{ kind: 'file', body: caption, mediaId: file }] : []),
      ...(recording ? [{ kind: 'voice', mediaId: recording }] : []),
    ],
  })
}

/** `{{column}}` of a table as our texts have it. */
export const withColumns = (text: string, rows: readonly TableRow[]): string => {
  const columns = new Set(rows.flatMap(({ variables }) => Object.keys(variables)))
  return text.replace(/\{\{\s*([^{}]*?)\s*\}\}/g, (whole, name: string) =>
    columns.has(name) ? `{{extra.${name}}}` : whole,
  )
}

type Component = z.output<typeof metaComponent>
/** The values of a template as Meta writes them, as ours are; a file of its header by its address. */
export const templateOf = (body: BulkTemplateBody): { use: TemplateUse; mediaUrl: string | undefined } => {
  const { template, templateName, language, components } = body
  const isOurs = template && 'body' in template && Array.isArray(template.body)
  if (isOurs) return { use: template as TemplateUse, mediaUrl: body.mediaUrl }
  const name = template?.name ?? templateName
  if (!name) throw fieldErrors({ path: 'template', message: 'Diga qual modelo enviar.' })
  const inTemplate = template && 'components' in template ? (template.components as Component[]) : [] // as `metaTemplate` read them
  const given: Component[] = [...inTemplate, ...components]
  const ofType = (type: string) => given.filter((one) => one.type.toLowerCase() === type)
  const header = ofType('header').flatMap(({ parameters }) => parameters)
  const link = header.flatMap((one) => one.image?.link ?? one.video?.link ?? one.document?.link ?? []).at(0)
  const textOf = (one: Component['parameters'][number]) => one.text ?? one.payload ?? one.coupon_code ?? ''
  return {
    mediaUrl: body.mediaUrl ?? link,
    use: {
      name,
      language: (template?.language as string | undefined) ?? language ?? 'pt_BR',
      header: header
        .filter(({ type }) => type === 'text')
        .map(textOf)
        .slice(0, 1),
      body: ofType('body').flatMap(({ parameters }) => parameters.map(textOf)),
      buttons: Object.fromEntries(
        ofType('button').flatMap(({ index, parameters, sub_type: kind }) =>
          kind === 'quick_reply' ? [] : parameters.slice(0, 1).map((one) => [String(index ?? 0), textOf(one)] as const),
        ),
      ),
    },
  }
}

/** The company's account for SMS: the one that is named, its own where it has one alone. */
export const smsConnection = async (actor: Actor, id: string | undefined): Promise<string> => {
  if (id) return id
  const able = await withTenant(actor.tenantId, (tx) => tx.rows<{ id: string }>(smsAccounts, [tx.tenantId]))
  const [first] = able
  if (!first)
    throw new AppError('ERR_NO_WAPP_FOUND', { message: `A empresa não tem um canal de ${channels.sms.label}.` })
  if (able.length > 1)
    throw fieldErrors({ path: 'whatsappId', message: 'Há mais de um canal de SMS. Diga por qual enviar.' })
  return first.id
}
const smsAccounts: Prepared = {
  name: 'campaign_sms_accounts',
  text: `select id from connections where tenant_id = $1 and kind = 'sms' and deleted_at is null order by name limit 2`,
}
