import type { BirthdaySummary } from '@balcao/contract/operations/birthdays.ts'
import { Text } from '@mantine/core'
import { formatNumber } from '../../../kit/format.ts'

const month = new Intl.DateTimeFormat('pt-BR', { month: 'long' })

/** What became of this month's greetings, in one line. */
export const MonthLine = ({ summary: { today, left, month: of } }: { summary: BirthdaySummary }) => {
  const counted = (count: number, one: string, many: string) =>
    count ? [`${formatNumber(count)} ${count === 1 ? one : many}`] : []
  const inMonth = [
    ...counted(of.sent, 'enviado', 'enviados'),
    ...counted(of.waiting, 'na fila', 'na fila'),
    ...counted(of.failed, 'falhou', 'falharam'),
    ...counted(of.refused, 'não enviado', 'não enviados'),
  ]
  const people = today === 1 ? '1 aniversariante' : `${formatNumber(today)} aniversariantes`
  return (
    <Text size="sm" c="dimmed" pb="sm" role="status">
      Hoje: {today ? `${people}, ${left ? `${formatNumber(left)} sem parabéns` : 'todos parabenizados'}` : 'ninguém'}.
      Em {month.format(new Date())}: {inMonth.join(', ') || 'nada enviado ainda'}.
    </Text>
  )
}
