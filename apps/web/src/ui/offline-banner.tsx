import { useNetwork } from '@mantine/hooks'
import { IconWifiOff } from '@tabler/icons-react'
import classes from './offline-banner.module.css'

/** A quiet line while the browser has no network. Nothing typed is lost. */
export const OfflineBanner = () => {
  const { online } = useNetwork()
  if (online) return null
  return (
    <div className={classes.banner} role="status">
      <IconWifiOff size={16} aria-hidden /> Você está sem internet. O que você escrever fica guardado neste aparelho.
    </div>
  )
}
