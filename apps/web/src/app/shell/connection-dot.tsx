import { Tooltip } from '@mantine/core'
import { useConnectionState } from '../../kit/socket.ts'
import { StatusDot } from '../../ui/status-dot.tsx'
import { useLate } from '../../ui/use-late.ts'
import classes from './connection-dot.module.css'

/** Seen only when something is wrong for more than two seconds: calm while all is well. */
export const ConnectionDot = ({ isOpen }: { isOpen: boolean }) => {
  const state = useConnectionState()
  const troubled = useLate(state !== 'connected', 2_000)
  if (!troubled) return null
  const label = state === 'connecting' ? 'Reconectando…' : 'Sem tempo real'
  return (
    <Tooltip label="As novidades chegam com atraso até a conexão voltar." position="right">
      <div className={classes.row} role="status">
        <StatusDot tone="waiting" label={label} hideLabel={!isOpen} />
      </div>
    </Tooltip>
  )
}
