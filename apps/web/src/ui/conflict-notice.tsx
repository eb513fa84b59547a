import { Alert, Button, Group } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import classes from './conflict-notice.module.css'

type Props = {
  /** What is not as it was, line by line; nothing where it is not known. */
  changes?: readonly string[]
  onReload: () => void
  onOverwrite: () => void
}

/** A colleague saved first: theirs can be read, or written over. Nothing typed is lost until one is chosen. */
export const ConflictNotice = ({ changes = [], onReload, onOverwrite }: Props) => {
  const notice = useRef<HTMLDivElement>(null)
  // It stands above a form that was saved from far below.
  useEffect(() => {
    notice.current?.scrollIntoView({ block: 'center' })
  }, [])
  return (
    <Alert
      ref={notice}
      color="amber"
      icon={<IconUsers size={18} />}
      title="Outra pessoa mudou isto enquanto você editava"
      role="alert"
    >
      {changes.length > 0 && (
        <ul className={classes.changes}>
          {changes.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      Recarregar mostra o que ela salvou e descarta o que você mudou aqui.
      <Group gap="xs" mt="sm">
        <Button size="xs" variant="default" onClick={onReload}>
          Recarregar
        </Button>
        <Button size="xs" color="amber" onClick={onOverwrite}>
          Salvar por cima
        </Button>
      </Group>
    </Alert>
  )
}
