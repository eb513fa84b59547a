import type { Tx } from '../db/database.ts'
import { reportViews } from '../db/schema/operations/reports.ts'
import type { Cast } from './seed.ts'

/** Reports somebody looks at every week. */
export const seedReports = async (tx: Tx, { people, queueIds }: Cast) => {
  const { tenantId } = tx
  const userId = people.find(({ login }) => login === 'supervisor')?.id
  const [queueId] = Object.values(queueIds)
  if (!userId) return
  await tx.db.insert(reportViews).values([
    {
      tenantId,
      userId,
      name: 'Prazos da primeira fila',
      report: 'prazos',
      query: `fila=${queueId}&comparar=sim`,
      isShared: true,
    },
    {
      tenantId,
      userId,
      name: 'Equipe na semana',
      report: 'estatisticas-atendimentos-usuarios',
      query: 'comparar=sim',
      isShared: true,
    },
  ])
}
