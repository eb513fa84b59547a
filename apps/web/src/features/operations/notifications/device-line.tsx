import { Button, Group } from '@mantine/core'
import { decline, enableDevice, useDevice, useIsDeclined } from './device.ts'
import classes from './notification-list.module.css'

/** A quiet line in the bell for whoever was not asked yet. */
export const DeviceLine = () => {
  const state = useDevice()
  const isDeclined = useIsDeclined()
  if (state !== 'unasked' || isDeclined) return null
  return (
    <Group justify="space-between" gap={4} px={4} py={4} wrap="nowrap" className={classes.head}>
      <Button variant="subtle" size="xs" onClick={() => void enableDevice()}>
        Receber avisos no computador
      </Button>
      <Button variant="subtle" color="gray" size="xs" onClick={decline}>
        Agora não
      </Button>
    </Group>
  )
}
