import { Navigate } from 'react-router'

/** Groups stand one level deeper: the list of them first. */
export default function GrupoScreen() {
  return <Navigate to="/grupo/massagrupos" replace />
}
