import { groupActLabels } from '@balcao/contract/operations/group-acts.ts'
import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import type { ActKind } from './act-drawer.tsx'
import type { Meant } from './groups-screen.tsx'

const ActDrawer = lazy(async () => ({ default: (await import('./act-drawer.tsx')).ActDrawer }))

type Props = { kinds: readonly ActKind[]; meant: Meant; done: () => void }
/** Buttons for the chosen groups, and the drawer of the one that was pressed: it says what is known of them by now. */
export const BulkActs = ({ kinds, meant, done }: Props) => {
  const [asked, setAsked] = useState<ActKind | null>(null)
  return (
    <>
      {kinds.map((kind) => (
        <Button key={kind} size="xs" variant="light" onClick={() => setAsked(kind)}>
          {groupActLabels[kind]}
        </Button>
      ))}
      {asked && (
        <Suspense fallback={null}>
          <ActDrawer kind={asked} meant={meant} onClose={() => setAsked(null)} onDone={done} />
        </Suspense>
      )}
    </>
  )
}
