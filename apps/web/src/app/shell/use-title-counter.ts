import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { useAlerts } from '../../kit/alerts.ts'
import { screens } from '../screens.ts'

/** "(3) Etiquetas · Balcão": what waits is seen from another tab. */
export const useTitleCounter = () => {
  const unread = useAlerts().filter((alert) => !alert.isRead).length
  const { pathname } = useLocation()
  const label = screens.find((screen) => pathname === screen.path || pathname.startsWith(`${screen.path}/`))?.label
  useEffect(() => {
    document.title = `${unread ? `(${unread}) ` : ''}${label ? `${label} · ` : ''}Balcão`
  }, [unread, label])
}
