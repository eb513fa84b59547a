import { Drawer, UnstyledButton } from '@mantine/core'
import type { OfferedAction } from '../../../features/workspace/inbox/use-ticket-work.ts'
import classes from './actions-sheet.module.css'

/** What can be done with a conversation, from below, for a thumb. */
export const ActionsSheet = ({ actions, onClose }: { actions: readonly OfferedAction[]; onClose: () => void }) => (
  <Drawer
    opened
    onClose={onClose}
    position="bottom"
    classNames={{ content: classes.sheet }}
    title="Ações"
    closeButtonProps={{ 'aria-label': 'Fechar' }}
  >
    {actions.map((action) => (
      <UnstyledButton
        key={action.key}
        className={classes.item}
        aria-disabled={action.obstacle !== undefined}
        onClick={() => {
          if (action.obstacle) return
          onClose()
          action.run()
        }}
      >
        <action.icon size={20} stroke={1.75} aria-hidden />
        <span>
          {action.label}
          {action.obstacle && <span className={classes.obstacle}>{action.obstacle}</span>}
        </span>
      </UnstyledButton>
    ))}
  </Drawer>
)
