import type { Connection } from '@balcao/contract/channels/connections.ts'
import { ActionIcon, Portal, Text, Tooltip } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import classes from './webchat-preview.module.css'

/** The real chat window with what is saved, beside the form where there is room and under it where there is not. */
export const WebchatPreview = ({ connection, dirty }: { connection: Connection; dirty: boolean }) => {
  const [round, setRound] = useState(0)
  const isWide = useMediaQuery('(min-width: 68em)', true, { getInitialValueInEffect: false })
  if (!connection.channelKey) return null
  const preview = (
    <section className={classes.preview} data-beside={isWide} aria-label="Prévia do chat">
      <div className={classes.bar}>
        <Text size="sm" fw={500}>
          Prévia
        </Text>
        <Text size="xs" c="dimmed" className={classes.hint}>
          {dirty ? 'Salve para ver as mudanças' : 'Como o visitante vê'}
        </Text>
        <Tooltip label="Recarregar prévia">
          <ActionIcon aria-label="Recarregar prévia" onClick={() => setRound(round + 1)}>
            <IconRefresh size={16} />
          </ActionIcon>
        </Tooltip>
      </div>
      <iframe
        key={`${connection.version}-${round}`}
        title="Prévia do chat do site"
        src={`/webchat/frame?c=${encodeURIComponent(connection.channelKey)}`} // without a host page it stands by itself
        className={classes.frame}
      />
    </section>
  )
  return isWide ? <Portal>{preview}</Portal> : preview // the drawer moves by transform, which would hold a fixed child
}
