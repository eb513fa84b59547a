import type { Campaign } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { type Prepared, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { AppError } from '../../../kit/errors.ts'
import { emitCampaign, findCampaign } from './campaigns.present.ts'
import { dropContact } from './campaigns.service.ts'

type Asking = Pick<Actor, 'tenantId' | 'userId' | 'queueIds' | 'permissions' | 'impersonatorId'>

/** Somebody out of a campaign: out of its draft, or once it was started, out of what still waits to be sent to them. */
export const removeRecipient = async (actor: Asking, id: string, contactId: string): Promise<Campaign> => {
  const isDraft = await withTenant(actor.tenantId, async (tx) =>
    ['draft', 'approval'].includes((await findCampaign(tx, id)).state),
  )
  if (isDraft) return dropContact(actor, id, contactId)
  return withTenant(actor.tenantId, async (tx) => {
    const row = await findCampaign(tx, id, 'lock')
    const gone = await tx.rows(remove, [actor.tenantId, id, contactId])
    if (!gone.length)
      throw new AppError('ERR_CONFLICT', {
        message: 'Não há nada na fila para este contato: já foi enviado, ou ele não está nesta campanha.',
      })
    await writeAudit(tx, actor, {
      ...{ action: 'campaign.recipientRemoved', entity: 'campaign', entityId: id },
      after: { contactId },
    })
    return emitCampaign(tx, row)
  })
}
const remove: Prepared = {
  name: 'campaign_remove_recipient',
  text: `update campaign_recipients set state = 'skipped', reason = 'removed'
    where tenant_id = $1 and campaign_id = $2 and contact_id = $3 and state = 'waiting' returning id`,
}
