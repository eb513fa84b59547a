import { Button } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { useConnectionState } from '../../../kit/socket.ts'
import classes from './bubble.module.css'

type Props = { sendAt: number; onUndo: () => void }

/** A message that has not left yet: how long it may still be taken back. */
export const UndoLine = ({ sendAt, onUndo }: Props) => {
  const left = useSecondsUntil(sendAt)
  const { online } = useNetwork()
  const isConnected = useConnectionState() === 'connected' && online
  return (
    <span className={classes.undo}>
      <span className="tabular">
        {left > 0 ? `Enviando em ${left} s` : isConnected ? 'Enviando…' : 'Aguardando conexão.'}
      </span>
      <Button size="compact-sm" variant="subtle" onClick={onUndo}>
        Desfazer
      </Button>
    </span>
  )
}

const useSecondsUntil = (moment: number) => {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.ceil((moment - now) / 1_000))
}
