import { Anchor } from '@mantine/core'
import { IconUserShield } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { visitsQuery } from '../../features/platform/audit/api.ts'
import { formatTime } from '../../kit/format.ts'
import { useCurrentSession } from '../../kit/session.ts'
import { useCan } from '../../kit/use-can.ts'
import { useNow } from '../../ui/clock.ts'
import classes from './impersonation-banner.module.css'

/** While the platform's staff is inside a company, they know it and so do its administrators. */
export const ImpersonationBanner = () => {
  const { user } = useCurrentSession()
  const mayKnow = useCan('audit.read')
  if (user.impersonatedBy)
    return (
      <div className={classes.banner} role="status">
        <IconUserShield size={16} aria-hidden /> Acesso de suporte por {user.impersonatedBy} na empresa{' '}
        {user.tenant.name}. Tudo o que for feito fica registrado.
      </div>
    )
  return mayKnow && <Visitors />
}

const Visitors = () => {
  const visits = useQuery(visitsQuery).data ?? []
  const now = useNow()
  const [visit, ...others] = visits.filter((one) => Date.parse(one.endsAt) > now)
  if (!visit) return null
  const more = others.length > 0 ? ` e mais ${others.length}` : ''
  return (
    <div className={classes.banner} role="status">
      <IconUserShield size={16} aria-hidden />
      <span>
        Suporte na sua empresa: {visit.name}
        {more}, desde {formatTime(visit.startedAt)} e até {formatTime(visit.endsAt)} no máximo.
      </span>
      <Anchor component={Link} to="/auditoria?suporte=1" className={classes.link}>
        Ver o que foi feito
      </Anchor>
    </div>
  )
}
