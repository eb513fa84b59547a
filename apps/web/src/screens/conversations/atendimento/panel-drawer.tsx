import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'

/** The panel where there is no room beside the conversation. */
export const PanelDrawer = ({ onClose, children }: { onClose: () => void; children: ReactNode }) => (
  <Drawer.Root opened onClose={onClose} position="right" size="min(100%, 400px)" padding={0}>
    <Drawer.Overlay />
    <Drawer.Content aria-label="Painel da conversa">{children}</Drawer.Content>
  </Drawer.Root>
)
