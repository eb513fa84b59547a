import { Navigate, useLocation } from 'react-router'

/** /configuracoesTenant leads to its one page. */
export default function ConfiguracoesTenantScreen() {
  const { search } = useLocation()
  return <Navigate to={{ pathname: '/configuracoesTenant/smtp-tenant', search }} replace />
}
