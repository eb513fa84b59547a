import { and, eq } from 'drizzle-orm'
import type { Tx } from '../../../db/database.ts'
import { lanes } from '../../../db/schema/contacts/lanes.ts'
import { changeContactIn } from '../../contacts/contacts/contacts.service.ts'
import type { Directory } from '../../core/directory/directory.ts'
import type { Catalogue } from '../tickets/action-catalogue.ts'

export const addContactTags: Catalogue['addContactTags'] = {
  onContact: ({ tagIds }, { tx, by, contactId }) =>
    changeContactIn(tx, by.actor, contactId, ({ tags }) => ({ tagIds: together(tags, tagIds) })),
  sentence: ({ tagIds }, directory) => `etiquetou o contato: ${tagNames(tagIds, directory)}`,
}
export const removeContactTags: Catalogue['removeContactTags'] = {
  onContact: ({ tagIds }, { tx, by, contactId }) =>
    changeContactIn(tx, by.actor, contactId, ({ tags }) => ({
      tagIds: tags.map((tag) => tag.id).filter((id) => !tagIds.includes(id)),
    })),
  sentence: ({ tagIds }, directory) => `tirou etiquetas do contato: ${tagNames(tagIds, directory)}`,
}

export const wallet: Catalogue['wallet'] = {
  onContact: ({ userId }, { tx, by, contactId }) =>
    changeContactIn(tx, by.actor, contactId, ({ wallets }) => ({ walletIds: together(wallets, [userId]) })),
  sentence: ({ userId }, { people }) => `pôs o contato na carteira de ${people.get(userId)?.name ?? 'outra pessoa'}`,
}

export const removeWallet: Catalogue['removeWallet'] = {
  onContact: ({ userId }, { tx, by, contactId }) =>
    changeContactIn(tx, by.actor, contactId, ({ wallets }) => ({
      walletIds: wallets.map((owner) => owner.id).filter((id) => id !== userId),
    })),
  sentence: ({ userId }, { people }) => `tirou o contato da carteira de ${people.get(userId)?.name ?? 'outra pessoa'}`,
}

export const lane: Catalogue['lane'] = {
  check: async ({ laneId }, { tx }) =>
    (await findLane(tx, laneId)) ? undefined : { path: 'laneId', message: 'Etapa não encontrada.' },
  onContact: ({ laneId }, { tx, by, contactId }) =>
    changeContactIn(tx, by.actor, contactId, () => ({ kanban: laneId })),
  sentence: async ({ laneId }, _directory, tx) => `levou o contato para a etapa ${(await findLane(tx, laneId))?.name}`,
}
const findLane = async (tx: Tx, id: string) => {
  const [found] = await tx.db
    .select({ name: lanes.name })
    .from(lanes)
    .where(and(eq(lanes.tenantId, tx.tenantId), eq(lanes.id, id)))
  return found
}
export const botBlock: Catalogue['botBlock'] = {
  onContact: ({ robots }, { tx, by, contactId }) =>
    changeContactIn(tx, by.actor, contactId, () => ({ isBotBlocked: robots === 'blocked' })),
  sentence: ({ robots }) =>
    robots === 'blocked'
      ? 'desligou o atendimento por robô para o contato'
      : 'religou o atendimento por robô para o contato',
}

const together = (rows: { id: string }[], ids: string[]) => [...new Set([...rows.map(({ id }) => id), ...ids])]
const tagNames = (ids: string[], { tags }: Directory) => ids.flatMap((id) => tags.get(id)?.name ?? []).join(', ')
