import { Alert, Button, Group } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'

type Props = { onReload: () => void; onOverwrite: () => void }

/** A colleague saved first: theirs can be read, or written over. Nothing typed is lost until one is chosen. */
export const ConflictNotice = ({ onReload, onOverwrite }: Props) => (
  <Alert color="amber" icon={<IconUsers size={18} />} title="Outra pessoa alterou este registro" role="alert">
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
