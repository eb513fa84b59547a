import { Menu, type MenuItemProps, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './menu-action.module.css'

type Props = Omit<MenuItemProps, 'children'> & {
  /** Why it cannot be done: it stays in its place and says so. */
  obstacle?: string | null
  onClick: () => void
  children: ReactNode
}

/** What can be done, or why not: told to the mouse, to the arrow keys, to a finger and to a screen reader alike. */
export const MenuAction = ({ obstacle, onClick, children, ...item }: Props) =>
  obstacle ? (
    <Tooltip label={obstacle} position="left" multiline maw={260} events={toldTo}>
      <Menu.Item
        {...item}
        c={undefined}
        className={classes.off}
        closeMenuOnClick={false}
        aria-disabled
        aria-description={obstacle}
      >
        {children}
      </Menu.Item>
    </Tooltip>
  ) : (
    <Menu.Item {...item} onClick={onClick}>
      {children}
    </Menu.Item>
  )

/** For a tooltip that carries a reason. */
export const toldTo = { hover: true, focus: true, touch: true }
