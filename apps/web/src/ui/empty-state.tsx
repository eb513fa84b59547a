import { IconInbox } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Notice } from './notice.tsx'

type Props = { title: string; children?: ReactNode; action?: ReactNode; icon?: ReactNode }

/** Why it is empty, and the next step. */
export const EmptyState = ({ icon, ...rest }: Props) => (
  <Notice icon={icon ?? <IconInbox size={26} stroke={1.5} />} {...rest} />
)
