import type { FieldProblem } from '@balcao/contract/errors.ts'
import type { AudienceSource } from '@balcao/contract/operations/campaigns/audience.ts'
import type { CampaignWrite } from '@balcao/contract/operations/campaigns/campaigns.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { fieldErrors } from '../../../kit/errors.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { sendableFiles } from '../../core/media/stored-files.ts'

type Kind = keyof typeof gone
/** What is said where something that is named is not there: another company's never is. */
const gone = {
  connection: 'Este canal não existe mais. Escolha outro.',
  segment: 'Este segmento não existe mais. Escolha outro.',
  import: 'Esta lista não existe mais. Escolha outra.',
  campaign: 'Esta campanha não existe mais. Escolha outra.',
  contact: 'Um dos contatos escolhidos não existe mais.',
  tag: 'Uma das etiquetas escolhidas não existe mais.',
  lane: 'Uma das etapas escolhidas não existe mais.',
  user: 'Uma das pessoas escolhidas não existe mais.',
  queue: 'Esta fila não existe mais. Escolha outra.',
  flow: 'Este fluxo não existe mais. Escolha outro.',
  file: 'O arquivo não existe mais. Envie-o de novo.',
} as const
type Named = { kind: Kind; id: string; path: string }

type Naming = Partial<Pick<CampaignWrite, 'connectionIds' | 'audience' | 'steps' | 'answer'>>

/**
 * Throws, at its field, where a campaign names something that is not there, that whoever writes it may not see, or a file
 * they may not send; the files it had before (`filesBefore`) may stay.
 */
export const requireKnown = async (
  tx: Tx,
  actor: Pick<Actor, 'userId' | 'queueIds'>,
  input: Naming,
  filesBefore: readonly string[] = [],
) => {
  const problems = [...(await unknownIn(tx, actor, input)), ...(await unsendableIn(tx, actor, input, filesBefore))]
  if (problems.length) throw fieldErrors(...new Map(problems.map((one) => [one.path, one])).values())
}
const unsendableIn = async (
  tx: Tx,
  { userId, queueIds }: Pick<Actor, 'userId' | 'queueIds'>,
  input: Naming,
  before: readonly string[],
): Promise<FieldProblem[]> => {
  const chosen = namedIn(input).filter(({ kind, id }) => kind === 'file' && !before.includes(id))
  if (!chosen.length) return []
  const ids = [...new Set(chosen.map(({ id }) => id))]
  const rows = await tx.rows<{ id: string }>(sendableFiles, [tx.tenantId, ids, userId, queueIds])
  const theirs = new Set(rows.map(({ id }) => id))
  return chosen.flatMap(({ id, path }) => (theirs.has(id) ? [] : { path, message: gone.file }))
}

/** What has gone since, each at its field. */
export const unknownIn = async (tx: Tx, { userId }: Pick<Actor, 'userId'>, input: Naming): Promise<FieldProblem[]> => {
  const named = namedIn(input)
  if (!named.length) return []
  const directory = await getDirectory(tx.tenantId)
  const idsOf = (kind: Kind) => [...new Set(named.flatMap((one) => (one.kind === kind ? one.id : [])))]
  const rows = await tx.rows<{ kind: Kind; id: string }>(find, [
    ...[tx.tenantId, userId, idsOf('connection'), idsOf('segment'), idsOf('import'), idsOf('campaign')],
    ...[idsOf('contact'), idsOf('lane'), idsOf('file')],
  ])
  const known = new Set(rows.map(({ kind, id }) => `${kind}:${id}`))
  const inMemory: Partial<Record<Kind, ReadonlyMap<string, unknown>>> = {
    ...{ tag: directory.tags, user: directory.people, queue: directory.queues, flow: directory.flows },
  }
  const missing = named.filter(({ kind, id }) => !(inMemory[kind]?.has(id) ?? known.has(`${kind}:${id}`)))
  const byPath = new Map(missing.map(({ kind, path }) => [path, gone[kind]]))
  return [...byPath].map(([path, message]) => ({ path, message }))
}

const namedIn = ({ connectionIds = [], audience, steps = [], answer }: Partial<CampaignWrite>): Named[] => [
  ...connectionIds.map((id) => ({ kind: 'connection' as const, id, path: 'connectionIds' })),
  ...(['include', 'exclude'] as const).flatMap((side) =>
    (audience?.[side] ?? []).flatMap((one, at) =>
      sourceNames(one).map((found) => ({ ...found, path: `audience.${side}.${at}` })),
    ),
  ),
  ...steps.flatMap(({ variants }, step) =>
    variants.flatMap(({ content }, variant) => {
      const path = `steps.${step}.variants.${variant}.content`
      return [
        ...content.parts.flatMap(({ mediaId }, at) =>
          mediaId ? [{ kind: 'file' as const, id: mediaId, path: `${path}.parts.${at}.mediaId` }] : [],
        ),
        ...(content.templateMediaId
          ? [{ kind: 'file' as const, id: content.templateMediaId, path: `${path}.templateMediaId` }]
          : []),
      ]
    }),
  ),
  ...(answer?.queueId ? [{ kind: 'queue' as const, id: answer.queueId, path: 'answer.queueId' }] : []),
  ...(answer?.userId ? [{ kind: 'user' as const, id: answer.userId, path: 'answer.userId' }] : []),
  ...(answer?.chatFlowId ? [{ kind: 'flow' as const, id: answer.chatFlowId, path: 'answer.chatFlowId' }] : []),
  ...(answer?.tagIds ?? []).map((id) => ({ kind: 'tag' as const, id, path: 'answer.tagIds' })),
]

const sourceNames = (source: AudienceSource): Omit<Named, 'path'>[] => {
  const all = (kind: Kind, ids: readonly string[]) => ids.map((id) => ({ kind, id }))
  switch (source.kind) {
    case 'segment':
      // Its rules were kept at the start: it may have gone since.
      return source.rules ? [] : all('segment', [source.segmentId])
    case 'tags':
      return all('tag', source.tagIds)
    case 'lanes':
      return all('lane', source.laneIds)
    case 'wallets':
      return all('user', source.userIds)
    case 'import':
      return all('import', [source.importId])
    case 'contacts':
    case 'groups':
      return all('contact', source.contactIds)
    case 'campaign':
      return all('campaign', [source.campaignId])
    default:
      return []
  }
}

const find: Prepared = {
  name: 'campaign_known',
  text: `select 'connection' as kind, id from connections where tenant_id = $1 and id = any($3::uuid[]) and deleted_at is null
    union all select 'segment', id from segments where tenant_id = $1 and id = any($4::uuid[]) and (is_shared or user_id = $2)
    union all select 'import', id from contact_imports where tenant_id = $1 and id = any($5::uuid[])
    union all select 'campaign', id from campaigns where tenant_id = $1 and id = any($6::uuid[])
    union all select 'contact', id from contacts where tenant_id = $1 and id = any($7::uuid[])
    union all select 'lane', id from lanes where tenant_id = $1 and id = any($8::uuid[])
    union all select 'file', id from files where tenant_id = $1 and id = any($9::uuid[])`,
}
