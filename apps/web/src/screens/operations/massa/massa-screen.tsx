import { Navigate } from 'react-router'

/** The sends themselves stand one level deeper, by what is sent. */
export default function MassaScreen() {
  return <Navigate to="/massa/template" replace />
}
