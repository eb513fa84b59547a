import { Button, Group, Text } from '@mantine/core'
import { decline, enableDevice, useDevice, useIsDeclined } from './device.ts'
import classes from './notification-list.module.css'

/** A quiet line in the bell for whoever was not asked yet. */
export const DeviceLine = () => {
  const state = useDevice()
  const isDeclined = useIsDeclined()
  if (state !== 'unasked' || isDeclined) return null
  return (
    <Group justify="space-between" gap="xs" px="md" py={6} className={classes.head}>
      <Text size="sm" c="dimmed">
        E com a janela fora da vista?
      </Text>
      <Group gap={4}>
        <Button variant="light" size="xs" onClick={() => void enableDevice()}>
          Receber avisos no computador
        </Button>
        <Button variant="subtle" size="xs" onClick={decline}>
          Agora não
        </Button>
      </Group>
    </Group>
  )
}
