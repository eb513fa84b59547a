import { findReport } from '@balcao/contract/operations/reports/definitions.ts'
import { useLocation } from 'react-router'
import { ReportFrame } from '../../../features/operations/reports/report-frame.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { GoTo } from '../../../ui/go-to.tsx'

export default function RelatorioScreen() {
  const { pathname } = useLocation()
  const report = findReport(pathname.split('/')[2] ?? '')
  return report ? (
    <ReportFrame key={report.key} report={report} />
  ) : (
    <EmptyState title="Este relatório não existe" action={<GoTo to="/relatorios" label="Ver os relatórios" />} />
  )
}
