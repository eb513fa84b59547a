import { mailRhythmLabels, reportViewResource } from '@balcao/contract/operations/reports/views.ts'
import { eq, or } from 'drizzle-orm'
import { reportViews } from '../../../db/schema/operations/reports.ts'
import type { Actor } from '../../../kit/actor.ts'
import { crud } from '../../../kit/crud.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { nextMailAt } from './mail-times.ts'
import { requireReport } from './run-report.ts'

/** Reports under a name: one's own, and those of others that are shared, which one only reads. */
export const reportViewRoutes = crud(reportViewResource, {
  table: reportViews,
  search: [reportViews.name],
  csv: [
    { label: 'Nome', value: (view) => view.name },
    { label: 'Relatório', value: (view) => requireReport(view.report).title },
    { label: 'Compartilhado', value: (view) => (view.isShared ? 'Sim' : 'Não') },
    { label: 'Filtros', value: (view) => view.query },
    { label: 'Por e-mail', value: (view) => mailRhythmLabels[view.mailEvery] },
    { label: 'Para', value: (view) => view.mailTo },
  ],
  visible: (actor) => or(eq(reportViews.isShared, true), eq(reportViews.userId, actor.userId)),
  beforeWrite: async (_tx, { actor, before, input }) => {
    if (before) requireOwn(actor, before)
    const { mailEvery = before?.mailEvery ?? 'never', mailTo = before?.mailTo ?? [] } = input
    if (mailEvery !== 'never' && !mailTo.length)
      throw fieldErrors({ path: 'mailTo', message: 'Informe pelo menos um e-mail.' })
    const { timezone } = await getDirectory(actor.tenantId)
    const mailAt = nextMailAt(mailEvery, timezone, new Date())
    return { mailAt, ...(before ? {} : { userId: actor.userId }) }
  },
  beforeDelete: requireOwn,
  audience: (view) =>
    view.isShared ? { kind: 'permission', can: 'reports.read' } : { kind: 'user', userId: view.userId },
})

function requireOwn(actor: Actor, view: { userId: string }) {
  if (view.userId !== actor.userId) throw new AppError('ERR_NO_PERMISSION')
}
