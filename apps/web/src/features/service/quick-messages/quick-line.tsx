import type { ShownPart } from '@balcao/contract/conversations/parts.ts'
import type { QuickMessage } from '@balcao/contract/service/quick-messages.ts'
import { IconStack2 } from '@tabler/icons-react'
import { plural } from '../../../kit/format.ts'
import { icons } from '../../conversations/parts/part-icons.ts'
import classes from './quick-line.module.css'

/** Its folder and its first line. */
export const QuickLine = ({ quick, folder }: { quick: QuickMessage; folder: string | undefined }) => (
  <>
    {folder && <span className={classes.folder}>{folder}</span>}
    {firstLine(quick)}
  </>
)

/** What it sends, where that is more than a text. */
export const QuickIcon = ({ parts }: { parts: readonly ShownPart[] }) => {
  const [only] = parts
  if (parts.length > 1)
    return (
      <IconStack2
        size={16}
        stroke={1.75}
        className={classes.icon}
        aria-label={plural(parts.length, 'parte', 'partes')}
      />
    )
  if (!only || only.kind === 'text') return null
  const Icon = icons[only.kind]
  return <Icon size={16} stroke={1.75} className={classes.icon} aria-hidden />
}

const firstLine = ({ message, media, parts }: QuickMessage): string => {
  const line = message.split('\n').find((one) => one.trim()) ?? media?.name ?? ''
  return parts.length > 1 ? `${plural(parts.length, 'parte', 'partes')}: ${line}` : line
}
