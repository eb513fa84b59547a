import type { PartKind } from '@balcao/contract/conversations/parts.ts'
import { type Icon, IconListCheck, IconMicrophone, IconPaperclip, IconTypography } from '@tabler/icons-react'

export const icons: Record<PartKind, Icon> = {
  text: IconTypography,
  file: IconPaperclip,
  voice: IconMicrophone,
  choices: IconListCheck,
}
