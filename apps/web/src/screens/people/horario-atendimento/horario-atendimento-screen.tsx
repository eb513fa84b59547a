import { type BusinessDay, isOpenAt, wallClock } from '@balcao/contract/core/business-hours.ts'
import { Input } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { dayProblem } from '../../../features/core/hours/week.ts'
import { WeekEditor } from '../../../features/core/hours/week-editor.tsx'
import { cityOf } from '../../../features/core/pickers/timezones.ts'
import { AbsenceMessage } from '../../../features/people/settings/absence-message.tsx'
import { type Hours, hoursQuery, writeWeek } from '../../../features/people/settings/api.ts'
import { HolidaysPanel } from '../../../features/people/settings/holidays-panel.tsx'
import { SettingSection } from '../../../features/people/settings/setting-row.tsx'
import { useAutoSave } from '../../../features/people/settings/use-auto-save.ts'
import { useDraft } from '../../../features/people/settings/use-draft.ts'
import { isApiError, messageOf } from '../../../kit/api-error.ts'
import { useCan } from '../../../kit/use-can.ts'
import { useNow } from '../../../ui/clock.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { ForbiddenState } from '../../../ui/forbidden-state.tsx'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { StatusDot } from '../../../ui/status-dot.tsx'
import classes from './horario-atendimento-screen.module.css'

export default function HorarioAtendimentoScreen() {
  const mayWrite = useCan('business-hours.write')
  const hours = useQuery({ ...hoursQuery, enabled: mayWrite })
  if (!mayWrite || isApiError(hours.error, 'ERR_NO_PERMISSION')) return <ForbiddenState />
  return (
    <Page
      header={
        <PageHeader
          title="Horário de atendimento"
          purpose="Quando a empresa atende e o que o cliente lê quando ela está fechada. Cada mudança é salva na hora."
        >
          {hours.data && <OpenNow hours={hours.data} />}
        </PageHeader>
      }
    >
      {hours.data ? (
        <Editors hours={hours.data} />
      ) : hours.isError ? (
        <ErrorState message={messageOf(hours.error)} onRetry={() => void hours.refetch()} />
      ) : (
        <SkeletonList rows={8} height={52} />
      )}
    </Page>
  )
}

const Editors = ({ hours }: { hours: Hours }) => {
  const { save, problems } = useAutoSave()
  const today = wallClock(new Date(useNow()), hours.timezone).date
  const [week, setWeek] = useDraft<readonly BusinessDay[]>(hours.businessHours, {
    isReady: (days) => days.every((day) => !dayProblem(day)),
    onSave: (days) =>
      save({
        at: 'businessHours',
        done: 'Horário da semana salvo.',
        patch: { businessHours: [...days] },
        write: writeWeek,
      }),
  })
  return (
    <div className={classes.columns}>
      <div className={classes.column}>
        <SettingSection title="Semana" note="Um período pode passar da meia-noite, como 22:00 – 06:00.">
          <WeekEditor value={week} onChange={setWeek} problemNote="Ainda não foi salvo." />
          {problems.businessHours && (
            <Input.Error role="alert" p="sm">
              {problems.businessHours}
            </Input.Error>
          )}
        </SettingSection>
        <AbsenceMessage value={hours.messageBusinessHours} problem={problems.messageBusinessHours} save={save} />
      </div>
      <div className={classes.column}>
        <HolidaysPanel holidays={hours.holidays} today={today} problem={problems.holidays} save={save} />
      </div>
    </div>
  )
}

/** "Agora: aberto", by the company's clock and what is saved. */
const OpenNow = ({ hours }: { hours: Hours }) => {
  const now = new Date(useNow())
  const isOpen = isOpenAt(hours.businessHours, hours.holidays, now, hours.timezone)
  const { date } = wallClock(now, hours.timezone)
  const holiday = hours.holidays.find((one) => one.active && one.date === date)
  const clock = new Intl.DateTimeFormat('pt-BR', {
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: hours.timezone,
  }).format(now)
  return (
    <div className={classes.now} role="status">
      <StatusDot tone={isOpen ? 'good' : 'bad'} label={`Agora: ${isOpen ? 'aberto' : 'fechado'}`} />
      <span className={classes.clock}>
        {clock}, horário de {cityOf(hours.timezone)}
        {holiday && ` · feriado${holiday.description ? `: ${holiday.description}` : ''}`}
      </span>
    </div>
  )
}
