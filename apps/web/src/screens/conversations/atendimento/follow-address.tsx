import { useEffect, useRef } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { useAskedPage } from './use-asked-page.ts'

type Props = {
  ticketId: string
  /** Undefined until it is known. */
  isWindowOver: boolean | undefined
  onJump: (jump: { id: string; at: number }) => void
  onTemplate: (isOffered: boolean) => void
}

/**
 * What the address asks of a conversation: a message, a page, a template to begin with. Drawn beside it, so that going
 * elsewhere draws none of the conversations that are kept.
 */
export const FollowAddress = ({ ticketId, isWindowOver, onJump, onTemplate }: Props) => {
  useLinkedMessage(ticketId, onJump)
  useAskedPage(ticketId, (id) => onJump({ id, at: Date.now() }))
  useTemplateOffer(isWindowOver, onTemplate)
  return null
}

/** `/atendimento/{ticketId}?m={messageId}` opens the conversation at that message; once there, the address forgets it. */
const useLinkedMessage = (ticketId: string, onJump: Props['onJump']) => {
  const [params, setParams] = useSearchParams()
  const { pathname } = useLocation()
  const messageId = params.get('m')
  const jump = useRef(onJump)
  useEffect(() => {
    if (!messageId || !pathname.endsWith(ticketId)) return
    jump.current({ id: messageId, at: Date.now() })
    setParams(
      (now) => {
        now.delete('m')
        return now
      },
      { replace: true },
    )
  }, [messageId, pathname, ticketId, setParams])
}

/** Who started a conversation where only a template may be sent first is offered one right away, once. */
const useTemplateOffer = (isWindowOver: boolean | undefined, onTemplate: Props['onTemplate']) => {
  const { state, pathname, search } = useLocation()
  const navigate = useNavigate()
  const isOffered = typeof state === 'object' && state !== null && Reflect.get(state, 'offersTemplate') === true
  useEffect(() => {
    if (!isOffered || isWindowOver === undefined) return
    onTemplate(isWindowOver)
    void navigate({ pathname, search }, { replace: true, state: null })
  }, [isOffered, isWindowOver, onTemplate, navigate, pathname, search])
}
