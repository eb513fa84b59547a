import { blocksOfMarked, type MarkedBlock } from '@balcao/contract/conversations/marked-html.ts'
import { ActionIcon, Tooltip } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useState } from 'react'
import { UserText } from '../../../ui/user-text.tsx'
import classes from './mail-fields.module.css'
import { MarkButtons } from './mark-buttons.tsx'
import type { Mark } from './marks.ts'

type Props = { text: string; onMark: (mark: Mark) => void }

/** Marks for what is being written by e-mail, and how it will look there. */
export const MailMarks = ({ text, onMark }: Props) => {
  const [isShown, setShown] = useState(false)
  return (
    <>
      {isShown && (
        <section className={classes.preview} aria-label="Como chega">
          {text.trim() ? (
            blocksOfMarked(text).map((block, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a block has no name but its place
              <Block key={at} {...block} />
            ))
          ) : (
            <span className={classes.label}>Escreva, e veja aqui como o e-mail chega.</span>
          )}
        </section>
      )}
      <MarkButtons onMark={onMark}>
        <Tooltip label="Ver como chega">
          <ActionIcon
            aria-label="Ver como chega"
            aria-pressed={isShown}
            variant={isShown ? 'light' : undefined}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => setShown(!isShown)}
          >
            <IconEye size={19} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      </MarkButtons>
    </>
  )
}

const Block = ({ kind, lines }: MarkedBlock) => {
  const items = () =>
    lines.map((line, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a line has no name but its place
      <li key={at}>
        <UserText text={line} />
      </li>
    ))
  if (kind === 'bullets') return <ul>{items()}</ul>
  if (kind === 'numbers') return <ol>{items()}</ol>
  const words = <UserText text={lines.join('\n')} />
  return kind === 'quote' ? <blockquote>{words}</blockquote> : <div>{words}</div>
}
