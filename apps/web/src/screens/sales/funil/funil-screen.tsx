import { Navigate } from 'react-router'

/** What there is of it stands one level deeper. */
export default function FunilScreen() {
  return <Navigate to="/funil/dashboard" replace />
}
