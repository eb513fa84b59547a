import { useEffect, useRef } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'
import { session } from '../../../kit/session.ts'

let last: string | null = null
session.subscribe(() => {
  if (!session.get()) last = null // whoever logs in begins anew
})

/** Who comes back by the menu finds the view and the conversation they had left; on a phone, the list. */
export const useLastPlace = () => {
  const { pathname, search } = useLocation()
  const arrival = useNavigationType()
  const navigate = useNavigate()
  const hasArrived = useRef(false)
  const address = pathname + search
  useEffect(() => {
    const isArriving = !hasArrived.current
    hasArrived.current = true
    const isByMenu = isArriving && arrival === 'PUSH' && address === '/atendimento'
    const isPhone = window.matchMedia('(max-width: 48em)').matches
    if (isByMenu && !isPhone && last && last !== address) void navigate(last, { replace: true })
    else last = address
  }, [address, arrival, navigate])
}
