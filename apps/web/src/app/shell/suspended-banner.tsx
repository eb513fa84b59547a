import { IconLock } from '@tabler/icons-react'
import { useCurrentSession } from '../../kit/session.ts'
import classes from './impersonation-banner.module.css'

/** The administrators of a suspended company know why so little is left to do. */
export const SuspendedBanner = () => {
  const { user } = useCurrentSession()
  if (user.tenant.status !== 'suspended') return null
  return (
    <div className={classes.banner} role="status">
      <IconLock size={16} aria-hidden />
      <span>
        O acesso da sua empresa está suspenso: você pode consultar e exportar. As mensagens dos clientes continuam
        chegando e ficam guardadas. Para reativar, fale com o suporte.
      </span>
    </div>
  )
}
