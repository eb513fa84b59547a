import { ActionIcon, Tooltip } from '@mantine/core'
import { IconBlockquote, IconBold, IconItalic, IconList, IconListNumbers } from '@tabler/icons-react'
import type { MouseEvent, ReactNode } from 'react'
import classes from './mail-fields.module.css'
import { type Mark, marks } from './marks.ts'

const icons = { bold: IconBold, italic: IconItalic, bullets: IconList, numbers: IconListNumbers, quote: IconBlockquote }

/** The caret stays where the words are. */
const keepFocus = (event: MouseEvent) => event.preventDefault()

export const MarkButtons = ({ onMark, children }: { onMark: (mark: Mark) => void; children?: ReactNode }) => (
  <div className={classes.marks}>
    {marks.map(({ mark, label, key }) => {
      const Icon = icons[mark]
      return (
        <Tooltip key={mark} label={key ? `${label} (Ctrl+${key})` : label}>
          <ActionIcon aria-label={label} onMouseDown={keepFocus} onClick={() => onMark(mark)}>
            <Icon size={19} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      )
    })}
    {children}
  </div>
)
