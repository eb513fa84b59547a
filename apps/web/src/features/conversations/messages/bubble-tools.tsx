import type { Message } from '@balcao/contract/conversations/messages.ts'
import { IconArrowBackUp } from '@tabler/icons-react'
import classes from './bubble.module.css'
import type { BubbleActions } from './bubble.tsx'
import { previewText } from './preview.ts'
import { usualReaction } from './reacting.ts'

type Props = { message: Message; actions: BubbleActions }

/** Beside a bubble while the mouse is on it: what is done most, with one click. Fingers hold the bubble instead. */
export const BubbleTools = ({ message, actions }: Props) => {
  const { reply, react, reactions } = actions.allowedOn?.(message) ?? {}
  const [canReply, canReact] = [reply === null, react === null]
  if (!canReply && !canReact) return null
  const emoji = usualReaction(reactions)
  const what = previewText(message).slice(0, 60)
  return (
    <span className={classes.tools}>
      {canReact && (
        <button
          type="button"
          aria-label={`Reagir com ${emoji}: ${what}`}
          title={`Reagir com ${emoji}`}
          onClick={() => actions.onReact?.(message, emoji)}
        >
          {emoji}
        </button>
      )}
      {canReply && (
        <button
          type="button"
          aria-label={`Responder: ${what}`}
          title="Responder"
          onClick={() => actions.onReply?.(message)}
        >
          <IconArrowBackUp size={17} stroke={1.75} aria-hidden />
        </button>
      )}
    </span>
  )
}
