import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { isLeaving } from './leaving.ts'

/** While something typed is not saved, leaving asks first: by a link, by Back, by closing the window. */
export const LeaveGuard = ({ active }: { active: boolean }) => {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation, historyAction }) =>
      active && isLeaving(currentLocation, nextLocation, historyAction),
  )
  useWarnBeforeUnload(active)
  return (
    <DiscardDialog
      opened={blocker.state === 'blocked'}
      onKeep={() => blocker.reset?.()}
      onDiscard={() => blocker.proceed?.()}
    />
  )
}

export const DiscardDialog = (props: { opened: boolean; onKeep: () => void; onDiscard: () => void }) => (
  <ConfirmDialog
    opened={props.opened}
    title="Descartar alterações?"
    confirmLabel="Descartar"
    cancelLabel="Continuar editando"
    tone="danger"
    onClose={props.onKeep}
    onConfirm={props.onDiscard}
  >
    O que você mudou ainda não foi salvo.
  </ConfirmDialog>
)

const useWarnBeforeUnload = (active: boolean) =>
  useEffect(() => {
    if (!active) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [active])
