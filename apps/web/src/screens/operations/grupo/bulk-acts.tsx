import { groupActLabels } from '@balcao/contract/operations/group-acts.ts'
import { Button } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { ActKind } from './act-drawer.tsx'
import type { Meant } from './groups-screen.tsx'

const ActDrawer = lazy(async () => ({ default: (await import('./act-drawer.tsx')).ActDrawer }))

/** Buttons for the chosen groups, and the drawer of the one that was pressed. */
export const useBulkActs = (
  kinds: readonly ActKind[],
): { bulk: (meant: Meant, done: () => void) => ReactNode; drawer: ReactNode } => {
  const [asked, setAsked] = useState<{ kind: ActKind; meant: Meant; done: () => void } | null>(null)
  return {
    bulk: (meant, done) =>
      kinds.map((kind) => (
        <Button key={kind} size="xs" variant="light" onClick={() => setAsked({ kind, meant, done })}>
          {groupActLabels[kind]}
        </Button>
      )),
    drawer: asked && (
      <Suspense fallback={null}>
        <ActDrawer
          kind={asked.kind}
          meant={asked.meant}
          onClose={() => setAsked(null)}
          onDone={() => {
            asked.done()
            setAsked(null)
          }}
        />
      </Suspense>
    ),
  }
}
