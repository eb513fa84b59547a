import { Checkbox } from '@mantine/core'
import { memo } from 'react'
import { formatExact } from '../../../kit/format.ts'
import { UserText } from '../../../ui/user-text.tsx'
import { Bubble, type BubbleActions } from './bubble.tsx'
import classes from './message-row.module.css'
import type { Outgoing } from './outbox-state.ts'
import { isForwardable, previewText } from './preview.ts'
import { type ChatRow, dayLabel, sideOf } from './rows.ts'

type Props = {
  row: ChatRow
  outgoing?: Outgoing
  userId: string
  actions: BubbleActions
  isStarred?: boolean
  /** While messages are being chosen: whether this one is. */
  selection?: 'on' | 'off' | null
  onToggle?: (messageId: string) => void
}

/** A row of the conversation with what stands above it. Memoised: a burst of events draws only what changed. */
export const MessageRow = memo(
  ({ row, outgoing, userId, actions, isStarred, selection, onToggle }: Props) => (
    <div className={classes.row}>
      {row.startsDay && (
        <div className={classes.day}>
          <span>{dayLabel(row.message.timestamp)}</span>
        </div>
      )}
      {row.startsNew && (
        <div className={classes.new}>
          <span>Novas mensagens</span>
        </div>
      )}
      {sideOf(row.message) === 'system' ? (
        <div className={classes.system} title={formatExact(row.message.timestamp)}>
          <UserText text={row.message.body} />
        </div>
      ) : (
        <div className={classes.pick} data-on={selection === 'on'} data-picking={Boolean(selection)}>
          {selection && isForwardable(row.message) && !outgoing && (
            <Checkbox
              className={classes.box}
              aria-label={`Selecionar: ${previewText(row.message)}`}
              checked={selection === 'on'}
              onChange={() => onToggle?.(row.message.id)}
            />
          )}
          <Bubble
            row={row}
            outgoing={outgoing}
            isMine={row.message.user?.id === userId}
            isStarred={isStarred}
            actions={actions}
          />
        </div>
      )}
    </div>
  ),
  (before, after) =>
    before.outgoing === after.outgoing &&
    before.userId === after.userId &&
    before.isStarred === after.isStarred &&
    before.selection === after.selection &&
    before.actions === after.actions &&
    before.row.message === after.row.message &&
    isSameAlbum(before.row.album, after.row.album) &&
    before.row.isOfMailAbove === after.row.isOfMailAbove &&
    before.row.startsDay === after.row.startsDay &&
    before.row.startsNew === after.row.startsNew &&
    before.row.isFirst === after.row.isFirst &&
    before.row.isLast === after.row.isLast,
)

const isSameAlbum = (before: ChatRow['album'] = [], after: ChatRow['album'] = []) =>
  before.length === after.length && before.every((one, at) => one === after[at])
