import { memberRoleLabels } from '@balcao/contract/conversations/groups.ts'
import { type GroupRow, groupsQuery } from '@balcao/contract/operations/group-list.ts'
import { withTenant } from '../../../db/database.ts'
import { type CsvColumn, momentText } from '../../../kit/csv.ts'
import { defineCsvExport } from '../../core/jobs/csv-export.ts'
import { countGroups, listGroups } from './groups.list.ts'

const columnsIn = (timeZone: string): CsvColumn<GroupRow>[] => [
  { label: 'Grupo', value: (row) => row.name },
  { label: 'Canal', value: (row) => row.connection.name },
  { label: 'Pessoas', value: (row) => row.members },
  { label: 'Este número é', value: ({ ourRole }) => ourRole && memberRoleLabels[ourRole] },
  {
    label: 'Quem escreve',
    value: ({ isAdminsOnly }) => (isAdminsOnly === null ? null : isAdminsOnly ? 'Administradores' : 'Todos'),
  },
  { label: 'Descrição', value: (row) => row.description },
  { label: 'Link de convite', value: (row) => row.inviteUrl },
  { label: 'Lido em', value: ({ readAt }) => momentText(timeZone)(readAt) },
  { label: 'Saímos em', value: ({ leftAt }) => momentText(timeZone)(leftAt) },
]
/** The list of groups as a spreadsheet. */
export const groupsExport = defineCsvExport({
  kind: 'exportGroups',
  can: 'groups.read',
  params: groupsQuery,
  file: 'grupos',
  columns: ({ timezone }) => columnsIn(timezone),
  count: ({ tenantId }, query) => withTenant(tenantId, (tx) => countGroups(tx, query)),
  read: listGroups,
  audit: () => ({ action: 'group.exported', entity: 'group', entityId: 'all', after: {} }),
})
