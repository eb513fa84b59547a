import { Button, Loader, Progress, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { nowMs } from '../../../ui/server-time.ts'
import classes from './link-dialog.module.css'

type Props = { code: string | null; isBusy: boolean; onAsk: () => void }

/** The square of a code, always dark on white: phones read nothing else. */
export const LoginSquare = ({ code, isBusy, onAsk }: Props) => {
  const drawn = useQuery({
    queryKey: ['login-square', code],
    enabled: code !== null && !code.startsWith('data:'),
    staleTime: Infinity,
    gcTime: 0,
    queryFn: async () => {
      const { renderSVG } = await import('uqr')
      return `data:image/svg+xml,${encodeURIComponent(renderSVG(code ?? '', { border: 2 }))}`
    },
  })
  const picture = code?.startsWith('data:image/') ? code : drawn.data
  if (code && picture) return <img className={classes.square} src={picture} alt="QR code para ler com o celular" />
  return (
    <div className={classes.square} data-empty>
      {isBusy || code ? (
        <Loader size="sm" aria-label="Gerando o código" />
      ) : (
        <>
          <Text size="sm" ta="center">
            O código venceu.
          </Text>
          <Button size="xs" leftSection={<IconRefresh size={16} aria-hidden />} onClick={onAsk}>
            Gerar outro código
          </Button>
        </>
      )}
    </div>
  )
}

/** How long a code still works. */
export const Countdown = ({ until }: { until: string }) => {
  const end = new Date(until).getTime()
  const [left, setLeft] = useState(() => end - nowMs())
  const [whole, setWhole] = useState(left)
  useEffect(() => {
    setWhole(end - nowMs())
    setLeft(end - nowMs())
    const timer = setInterval(() => setLeft(end - nowMs()), 500)
    return () => clearInterval(timer)
  }, [end])
  const seconds = Math.max(0, Math.ceil(left / 1_000))
  return (
    <div className={classes.countdown}>
      <Progress value={(100 * left) / Math.max(whole, 1)} size="xs" aria-hidden transitionDuration={500} />
      <Text size="xs" c="dimmed" className="tabular" role="timer">
        {seconds ? `Este código vale por mais ${seconds} s` : 'O código venceu'}
      </Text>
    </div>
  )
}
