import { Navigate, useLocation } from 'react-router'

/** /avaliacoes leads to its list. */
export default function AvaliacoesScreen() {
  const { search } = useLocation()
  return <Navigate to={{ pathname: '/avaliacoes/listar', search }} replace />
}
