import { useNavigate } from 'react-router'
import { api } from '../../kit/api.ts'
import { session } from '../../kit/session.ts'

/** Ends the session here whatever the server answers; there, when it can be reached. */
export const useLogout = () => {
  const navigate = useNavigate()
  return async () => {
    await api.post('/auth/logout/', {}, { timeoutMs: 5_000 }).catch(() => undefined) // leaving must always work
    session.clear()
    await navigate('/login')
  }
}
