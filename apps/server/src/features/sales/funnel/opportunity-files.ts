import type { OpportunityFile } from '@balcao/contract/sales/proposals.ts'
import { v7 } from 'uuid'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import { presentMedia, type StoredFile } from '../../core/media/media.present.ts'
import { sendableFile } from '../../core/media/stored-files.ts'
import { getOpportunityIn, noteOnOpportunity } from './opportunities.service.ts'

const most = 50

export const listFiles = async (actor: Actor, opportunityId: string): Promise<OpportunityFile[]> => {
  const directory = await getDirectory(actor.tenantId)
  return withTenant(actor.tenantId, async (tx) => {
    await getOpportunityIn(tx, actor, directory, opportunityId)
    return filesOf(tx, directory, opportunityId)
  })
}

/** A file that this person has sent before (`POST /media`) is kept with the opportunity. */
export const addFile = async (actor: Actor, opportunityId: string, mediaId: string): Promise<OpportunityFile[]> => {
  const directory = await getDirectory(actor.tenantId)
  return withTenant(actor.tenantId, async (tx) => {
    await getOpportunityIn(tx, actor, directory, opportunityId, true)
    const [file] = await tx.rows<StoredFile>(sendableFile, [tx.tenantId, mediaId, actor.userId, actor.queueIds])
    if (!file) throw fieldErrors({ path: 'mediaId', message: 'O arquivo não foi encontrado. Envie-o novamente.' })
    if ((await filesOf(tx, directory, opportunityId)).length >= most)
      throw fieldErrors({ path: 'mediaId', message: `Guarde no máximo ${most} arquivos. Tire um antes.` })
    await tx.rows(insert, [tx.tenantId, v7(), opportunityId, mediaId, actor.userId])
    await noteOnOpportunity(tx, directory, opportunityId, { actor, kind: 'file', to: file.name })
    return filesOf(tx, directory, opportunityId)
  })
}

export const removeFile = async (actor: Actor, opportunityId: string, id: string): Promise<OpportunityFile[]> => {
  const directory = await getDirectory(actor.tenantId)
  return withTenant(actor.tenantId, async (tx) => {
    await getOpportunityIn(tx, actor, directory, opportunityId, true)
    const [gone] = await tx.rows<{ name: string }>(remove, [tx.tenantId, opportunityId, id])
    if (!gone) throw new AppError('ERR_NOT_FOUND')
    await noteOnOpportunity(tx, directory, opportunityId, { actor, kind: 'file', from: gone.name, to: null })
    return filesOf(tx, directory, opportunityId)
  })
}

type Row = StoredFile & { fileId: string; userId: string | null; createdAt: Date }
const filesOf = async (tx: Tx, { people }: Directory, opportunityId: string): Promise<OpportunityFile[]> => {
  const rows = await tx.rows<Row>(ofOpportunity, [tx.tenantId, opportunityId])
  return rows.map(({ fileId, userId, createdAt, ...file }) => ({
    id: fileId,
    media: presentMedia(file, { tenantId: tx.tenantId }),
    user: userId ? { id: userId, name: people.get(userId)?.name ?? 'Usuário removido' } : null,
    createdAt: createdAt.toISOString(),
  }))
}
const ofOpportunity: Prepared = {
  name: 'opportunity_files',
  text: `select f.id, f.kind, f.name, f.mime, f.size, f.width, f.height, f.duration_ms as "durationMs", f.thumb_key as "thumbKey",
      k.id as "fileId", k.user_id as "userId", k.created_at as "createdAt"
    from opportunity_files k join files f on f.tenant_id = k.tenant_id and f.id = k.media_id
    where k.tenant_id = $1 and k.opportunity_id = $2 order by k.id desc limit ${most}`,
}
const insert: Prepared = {
  name: 'opportunity_file_insert',
  text: `insert into opportunity_files (tenant_id, id, opportunity_id, media_id, user_id) values ($1, $2, $3, $4, $5)
    on conflict (tenant_id, opportunity_id, media_id) do nothing`,
}
const remove: Prepared = {
  name: 'opportunity_file_remove',
  text: `delete from opportunity_files k using files f where k.tenant_id = $1 and k.opportunity_id = $2 and k.id = $3
    and f.tenant_id = k.tenant_id and f.id = k.media_id returning f.name`,
}
