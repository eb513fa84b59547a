import { type ReportDefinition, reports } from '@balcao/contract/operations/reports/definitions.ts'
import { mailRhythmLabels } from '@balcao/contract/operations/reports/views.ts'
import { Badge, Button, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { addressOfView, reportViewList } from '../../../features/operations/reports/api.ts'
import classes from '../../../features/operations/reports/report.module.css'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'

export default function RelatoriosScreen() {
  const views = useQuery(reportViewList)
  const groups = [...Map.groupBy(reports, (report) => report.group)]
  return (
    <Page
      header={
        <PageHeader
          title="Relatórios"
          purpose="O que os atendimentos, a equipe e os clientes contam em números."
          actions={
            <Button component={Link} to="/relatorios/medidas" variant="default">
              Como cada número é calculado
            </Button>
          }
        />
      }
    >
      <div className={classes.groups}>
        {views.data && views.data.length > 0 && (
          <section aria-label="Salvos">
            <Title order={2} size="h4">
              Salvos
            </Title>
            <ul className={classes.cards}>
              {views.data.map((view) => (
                <li key={view.id}>
                  <Link className={classes.card} to={addressOfView(view)}>
                    <Text fw={600}>{view.name}</Text>
                    <Text size="sm" c="dimmed">
                      {reports.find(({ key }) => key === view.report)?.title}
                    </Text>
                    {view.mailEvery !== 'never' && <Badge variant="light">{mailRhythmLabels[view.mailEvery]}</Badge>}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        )}
        {groups.map(([group, some]) => (
          <section key={group} aria-label={group}>
            <Title order={2} size="h4">
              {group}
            </Title>
            <ul className={classes.cards}>
              {some.map((report) => (
                <ReportCard key={report.key} report={report} />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Page>
  )
}

const ReportCard = ({ report }: { report: ReportDefinition }) => (
  <li>
    <Link className={classes.card} to={`/relatorios/${report.key}`}>
      <Text fw={600}>{report.title}</Text>
      <Text size="sm" c="dimmed">
        {report.purpose}
      </Text>
    </Link>
  </li>
)
