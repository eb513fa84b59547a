import type { Prepared } from '../../../db/database.ts'
import { type ContactMergePart, copiesPairs } from './merge-part.ts'

/** How the contact is known; back they go to whom they came from, also what the kept one has lost meanwhile and nobody else has. */
export const identitiesOfMerge: ContactMergePart = {
  tables: ['contact_identities'],
  merge: async (tx, { from, to }) => ({ identities: await tx.rows(take, [tx.tenantId, from, to]) }),
  undo: async (tx, { from, to }, { identities }) => {
    await tx.rows(giveBack, [tx.tenantId, from, to, JSON.stringify(identities)])
  },
}
export const tagsOfMerge = copiesPairs('tagIds', 'contact_tags', 'tag_id')
export const walletsOfMerge = copiesPairs('walletIds', 'contact_wallets', 'user_id')

const take: Prepared = {
  name: 'merge_identities',
  text: 'update contact_identities set contact_id = $3 where tenant_id = $1 and contact_id = $2 returning kind, value',
}
const giveBack: Prepared = {
  name: 'unmerge_identities',
  text: `insert into contact_identities as i (tenant_id, kind, value, contact_id)
    select $1, r.kind, r.value, $3 from jsonb_to_recordset($4::jsonb) as r(kind text, value text)
    on conflict (tenant_id, kind, value) do update set contact_id = excluded.contact_id where i.contact_id = $2`,
}
