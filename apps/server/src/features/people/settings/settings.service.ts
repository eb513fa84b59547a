import { isDeepStrictEqual } from 'node:util'
import { wordOfBoth } from '@balcao/contract/contacts/consent.ts'
import {
  defaultSettings,
  exclusionProblem,
  type SettingsAnswer,
  type TenantSettings,
  tenantSettings,
} from '@balcao/contract/people/settings.ts'
import { unknownVariables } from '@balcao/contract/variables.ts'
import { and, eq, sql } from 'drizzle-orm'
import { type Tx, withTenant } from '../../../db/database.ts'
import { files } from '../../../db/schema/core/files.ts'
import { tenants } from '../../../db/schema/platform/companies.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { emit } from '../../../kit/outbox.ts'
import { markDeadlinesStale } from '../../conversations/deadlines/mark-stale.ts'
import { checkSlaTargets } from '../../conversations/deadlines/targets.ts'
import { getDirectory, invalidateDirectory, requireFlow } from '../../core/directory/directory.ts'
import { pictureUrl } from '../../core/media/media.present.ts'

/** Every setting of the company, the ones never touched with their defaults. */
export const readSettings = async (tenantId: number): Promise<SettingsAnswer> => {
  const { settings, timezone, logoMediaId } = await getDirectory(tenantId)
  return { ...settings, timezone, logoMediaId, logoUrl: logoMediaId && pictureUrl(tenantId, logoMediaId) }
}

/**
 * Changes the settings named; the others stay as they are, also when somebody else changes them at the same moment. What
 * is no longer as it was `seen` is not written over (409).
 */
export const saveSettings = async (
  actor: Actor,
  patch: Partial<TenantSettings>,
  seen: Partial<TenantSettings> = {},
): Promise<SettingsAnswer> => {
  if (touchesHours(patch) && !actor.permissions.has('business-hours.write')) throw new AppError('ERR_NO_PERMISSION')
  if ('rating' in patch && !actor.permissions.has('ratings.write')) throw new AppError('ERR_NO_PERMISSION')
  checkWords(patch)
  const names = Object.keys(patch) as (keyof TenantSettings)[] // settingsPatch is strict: these are all there can be
  await withTenant(actor.tenantId, async (tx) => {
    const before = { ...defaultSettings, ...(await lockCompany(tx)).settings }
    // As people read them: what a schema has learned since it was stored is no change.
    const shown = (name: keyof TenantSettings) => tenantSettings.shape[name].safeParse(before[name]).data
    const changed = names.filter((name) => name in seen && !isDeepStrictEqual(seen[name], shown(name)))
    if (changed.length) {
      const current = Object.fromEntries(changed.map((name) => [name, before[name]]))
      throw new AppError('ERR_CONFLICT', { message: changedMeanwhile, details: { current, changed } })
    }
    const problem = exclusionProblem(before, patch)
    if (problem) throw fieldErrors(problem)
    if (patch.stopWords || patch.startWords) checkConsentWords({ ...before, ...patch }, patch)
    if (patch.botTicketActive) requireFlow(await getDirectory(tx.tenantId), patch.botTicketActive, 'botTicketActive')
    if (patch.slaTargets) checkSlaTargets(await getDirectory(tx.tenantId), patch.slaTargets, before.slaTargets)
    await tx.db
      .update(tenants)
      .set({ settings: sql`${tenants.settings} || ${JSON.stringify(patch)}::jsonb`, updatedAt: new Date() })
      .where(eq(tenants.id, tx.tenantId))
    await record(tx, actor, names, Object.fromEntries(names.map((name) => [name, before[name]])), patch)
    if (names.some((name) => ofPromises.has(name))) await markDeadlinesStale(tx)
  })
  return readSettings(actor.tenantId)
}

/** What customers are told by itself names only what there is; the link of a protocol stands for itself. */
const checkWords = ({
  autoCloseMessage = '',
  callRejectMessage = '',
  protocolMessage = '',
  messageBusinessHours = '',
  stopAnswer = '',
  startAnswer = '',
}: Partial<TenantSettings>) => {
  const texts = {
    ...{ autoCloseMessage, callRejectMessage, protocolMessage, messageBusinessHours },
    ...{ stopAnswer, startAnswer },
  }
  for (const [path, text] of Object.entries(texts)) {
    const unknown = unknownVariables(text).find((name) => !(path === 'protocolMessage' && name === 'link'))
    if (unknown) throw fieldErrors({ path, message: `A variável {{${unknown}}} não existe.` })
  }
}

/** One word cannot ask for both. */
const checkConsentWords = (after: TenantSettings, patch: Partial<TenantSettings>) => {
  const both = wordOfBoth(after)
  if (both === undefined) return
  const [path, other] = patch.startWords ? ['startWords', 'para sair'] : ['stopWords', 'para voltar']
  throw fieldErrors({ path, message: `“${both}” já é uma palavra ${other}.` })
}

const changedMeanwhile = 'Outra pessoa mudou esta opção enquanto você editava. Confira e salve de novo.'

/** What decides about the times promised to customers. */
const ofPromises = new Set<keyof TenantSettings>(['slaTargets', 'useUserBusinessHours', 'businessHours', 'holidays'])

/** Hours have a menu of their own: whoever lost it cannot change them by the door of the other settings. */
const touchesHours = (patch: Partial<TenantSettings>) =>
  'businessHours' in patch || 'messageBusinessHours' in patch || 'holidays' in patch

export const saveTimezone = async (actor: Actor, timezone: string): Promise<SettingsAnswer> => {
  await withTenant(actor.tenantId, async (tx) => {
    const before = await lockCompany(tx)
    await tx.db.update(tenants).set({ timezone, updatedAt: new Date() }).where(eq(tenants.id, tx.tenantId))
    await record(tx, actor, ['timezone'], { timezone: before.timezone }, { timezone })
    await markDeadlinesStale(tx)
  })
  return readSettings(actor.tenantId)
}

/** The company's picture, one of its own files; or none. */
export const saveLogo = async (actor: Actor, mediaId: string | null): Promise<SettingsAnswer> => {
  await withTenant(actor.tenantId, async (tx) => {
    const before = await lockCompany(tx)
    if (mediaId && !(await isPicture(tx, mediaId))) {
      throw fieldErrors({ path: 'mediaId', message: 'Envie uma imagem em PNG, JPEG ou WebP.' })
    }
    await tx.db.update(tenants).set({ logoMediaId: mediaId, updatedAt: new Date() }).where(eq(tenants.id, tx.tenantId))
    await record(tx, actor, ['logo'], { logo: before.logoMediaId }, { logo: mediaId })
  })
  return readSettings(actor.tenantId)
}

const isPicture = async (tx: Tx, fileId: string) => {
  const [file] = await tx.db
    .select({ kind: files.kind, thumbKey: files.thumbKey })
    .from(files)
    .where(and(eq(files.tenantId, tx.tenantId), eq(files.id, fileId)))
  return file?.kind === 'image' && file.thumbKey !== null
}

const lockCompany = async (tx: Tx) => {
  const [company] = await tx.db
    .select({ settings: tenants.settings, timezone: tenants.timezone, logoMediaId: tenants.logoMediaId })
    .from(tenants)
    .where(eq(tenants.id, tx.tenantId))
    .for('update')
  if (!company) throw new Error(`No tenant ${tx.tenantId}`)
  return company
}

const record = async (tx: Tx, actor: Actor, keys: string[], before: unknown, after: unknown) => {
  await writeAudit(tx, actor, {
    action: 'update',
    entity: 'settings',
    entityId: keys.join(',').slice(0, 200),
    before,
    after,
  })
  await emit(tx, 'settings.updated', { keys }, { kind: 'permission', can: 'settings.read' })
  tx.afterCommit(() => invalidateDirectory(tx.tenantId))
}
