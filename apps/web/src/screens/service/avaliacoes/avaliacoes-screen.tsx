import { Navigate, useLocation } from 'react-router'

/** /avaliacoes leads to its list (spec §2). */
export default function AvaliacoesScreen() {
  const { search } = useLocation()
  return <Navigate to={{ pathname: '/avaliacoes/listar', search }} replace />
}
