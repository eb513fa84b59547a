import { IconUserShield } from '@tabler/icons-react'
import { useCurrentSession } from '../../kit/session.ts'
import classes from './impersonation-banner.module.css'

/** Ruling 13: the company sees when the platform's staff acts inside it. */
export const ImpersonationBanner = () => {
  const { user } = useCurrentSession()
  if (!user.impersonatedBy) return null
  return (
    <div className={classes.banner} role="status">
      <IconUserShield size={16} aria-hidden /> Acesso de suporte por {user.impersonatedBy} na empresa {user.tenant.name}
      . Tudo o que for feito fica registrado.
    </div>
  )
}
