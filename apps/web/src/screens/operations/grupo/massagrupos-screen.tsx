import { Button } from '@mantine/core'
import { IconCalendarClock, IconPlus } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useCan } from '../../../kit/use-can.ts'
import { BulkActs } from './bulk-acts.tsx'
import { GroupsScreen, type Meant } from './groups-screen.tsx'

const CreateDrawer = lazy(async () => ({ default: (await import('./create-drawer.tsx')).CreateDrawer }))
const ScheduleDrawer = lazy(async () => ({ default: (await import('./schedule-drawer.tsx')).ScheduleDrawer }))

/** The groups of all channels, new ones, their links, and messages to many of them. */
export default function MassagruposScreen() {
  const mayWrite = useCan('groups.write')
  const maySchedule = useCan('schedules.write')
  const [isCreating, setCreating] = useState(false)
  const [scheduling, setScheduling] = useState<{ meant: Meant; done: () => void } | null>(null)
  return (
    <GroupsScreen
      title="Grupos"
      purpose="Os grupos de todos os canais: quem está neles, os links e mensagens para vários."
      actions={
        mayWrite && (
          <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setCreating(true)}>
            Criar grupos
          </Button>
        )
      }
      bulk={(meant, done) => (
        <>
          <BulkActs kinds={['inviteLink']} meant={meant} done={done} />
          {maySchedule && (
            <Button
              size="xs"
              variant="light"
              leftSection={<IconCalendarClock size={16} aria-hidden />}
              onClick={() => setScheduling({ meant, done })}
            >
              Agendar mensagem
            </Button>
          )}
        </>
      )}
    >
      <Suspense fallback={null}>
        {isCreating && <CreateDrawer onClose={() => setCreating(false)} />}
        {scheduling && (
          <ScheduleDrawer
            meant={scheduling.meant}
            onClose={() => setScheduling(null)}
            onDone={() => {
              scheduling.done()
              setScheduling(null)
            }}
          />
        )}
      </Suspense>
    </GroupsScreen>
  )
}
