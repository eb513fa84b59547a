import { Navigate, useLocation } from 'react-router'

/** /configuracoes leads to its first page. */
export default function ConfiguracoesScreen() {
  const { search } = useLocation()
  return <Navigate to={{ pathname: '/configuracoes/geral', search }} replace />
}
